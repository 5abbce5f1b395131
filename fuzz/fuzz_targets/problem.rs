//! Problem files: any text is a problem or one line of complaint; a problem prints as a file that reads back the same.
#![no_main]

use libfuzzer_sys::fuzz_target;
use offline_primal_dual::data::Problem;
use offline_primal_dual::number::exact::BigRational;
use std::path::Path;

fuzz_target!(|text: &str| {
    let file = Path::new("fuzz.json");
    match Problem::<BigRational>::parse(file, text) {
        Ok(problem) => {
            let printed = problem.to_json();
            let again = Problem::<BigRational>::parse(file, &printed).expect("its own output");
            assert_eq!(again.to_json(), printed);
        }
        Err(error) => assert_eq!(error.to_string().lines().count(), 1),
    }
    let _ = Problem::<f64>::parse(file, text);
});
