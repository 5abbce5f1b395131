//! Numbers: the double that is read is the double nearest to the exact number that is read.
#![no_main]

use libfuzzer_sys::fuzz_target;
use offline_primal_dual::data::number::Number;
use offline_primal_dual::number::exact::BigRational;

fuzz_target!(|text: &str| {
    let (exact, double) = (BigRational::parse(text), f64::parse(text));
    match (exact, double) {
        // Zero has two signs as a double, one as a number.
        (Ok(exact), Ok(double)) => assert!(exact.to_f64() == double, "{text}"),
        (Ok(exact), Err(_)) => assert!(exact.to_f64().is_infinite(), "{text}"),
        // The exact reader refuses exponents beyond 9999, the double one may round them to 0.
        (Err(_), Ok(double)) => assert!(double == 0.0, "{text}"),
        (Err(_), Err(_)) => {}
    }
});
