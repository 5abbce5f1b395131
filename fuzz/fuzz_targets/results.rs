//! Results of other implementations: any text is a result or one line of complaint; a result prints as one that reads
//! back the same, and checking it says something without a panic.
#![no_main]

use libfuzzer_sys::fuzz_target;
use offline_primal_dual::conformance::{Tolerance, Trace, check, files, json};
use std::path::Path;

fn bits(trace: &Trace) -> Vec<(usize, Option<usize>, Vec<u64>)> {
    let numbers = |step: &offline_primal_dual::conformance::Step| {
        step.fields.iter().flat_map(|(_, x)| x.iter().map(|x| x.to_bits())).collect()
    };
    trace.iter().map(|step| (step.t, step.k, numbers(step))).collect()
}

fuzz_target!(|text: &str| {
    let file = Path::new("fuzz.jsonl");
    match json::read_results(file, 1, text) {
        Ok((id, trace)) => {
            let printed = json::results(&id, &trace);
            let (same, again) = json::read_results(file, 1, &printed).expect("its own output");
            assert_eq!((same, bits(&again)), (id.clone(), bits(&trace)));
            if let Ok(paired) = files::with_cases(&[(id, trace)], true) {
                let _ = check(&paired, &Tolerance::default()).map(|report| report.to_string());
            }
        }
        Err(error) => assert_eq!(error.to_string().lines().count(), 1),
    }
    let _ = json::read_results_file(file, text);
});
