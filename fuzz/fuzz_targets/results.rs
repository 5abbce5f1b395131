//! Results of other implementations: any text is a result or one line of complaint; a result prints as one that reads
//! back the same, and checking it says something without a panic.
#![no_main]

use libfuzzer_sys::fuzz_target;
use offline_primal_dual::conformance::cases::Wish;
use offline_primal_dual::conformance::{Tolerance, Trace, check, files, json, read};
use std::path::Path;

fn bits(trace: &Trace) -> Vec<(usize, Option<usize>, Vec<u64>)> {
    let numbers = |step: &offline_primal_dual::conformance::Step| {
        step.fields.iter().flat_map(|(_, x)| x.iter().map(|x| x.to_bits())).collect()
    };
    trace.iter().map(|step| (step.t, step.k, numbers(step))).collect()
}

fuzz_target!(|text: &str| {
    let file = Path::new("fuzz.jsonl");
    match read::results_lines(file, text) {
        Ok(found) => {
            for one in &found {
                let printed = json::results(&one.id, &one.trace);
                let again = read::results_lines(file, &printed).expect("its own output");
                assert_eq!((&again[0].id, bits(&again[0].trace)), (&one.id, bits(&one.trace)));
            }
            if let Ok(paired) = files::with_cases(&found, &[], &Wish::default(), true) {
                let _ = check(&paired, &Tolerance::default()).map(|report| report.to_string());
            }
        }
        Err(error) => assert_eq!(error.to_string().lines().count(), 1),
    }
    let _ = read::results_file(file, text);
    let _ = read::problems(file, text);
});
