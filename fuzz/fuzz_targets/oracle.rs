//! The oracle's lines: any text is answered or refused in one line. An answer's numbers are what they say thrice over, and those that a
//! theorem ties together agree: returns within [0, 1], occupancies that sum to 1, the gap equal to the suboptimality (Lemmas 4.1, C.3).
#![no_main]

use libfuzzer_sys::fuzz_target;
use offline_primal_dual::data::number::Number as _;
use offline_primal_dual::number::Field as _;
use offline_primal_dual::number::exact::BigRational;
use offline_primal_dual::program::api::oracle;
use serde_json::Value;

/// A thousandth of what the program allows: some milliseconds per request.
const BUDGET: f64 = 1e-3;

/// The numbers of an answer, each checked against its other two forms.
fn numbers(answer: &Value) -> Vec<BigRational> {
    match answer {
        Value::Array(list) => list.iter().flat_map(numbers).collect(),
        Value::Object(members) if members.contains_key("exact") => {
            let exact = BigRational::parse(answer["exact"].as_str().expect("a fraction")).expect("a fraction");
            let bits = u64::from_str_radix(answer["bits"].as_str().expect("bits"), 16).expect("bits");
            assert_eq!(exact.to_f64().to_bits(), bits);
            // JSON has no infinities. (The last bit is not compared: serde_json's own reader may miss it.)
            assert_eq!(answer["f64"].is_null(), exact.to_f64().is_infinite());
            vec![exact]
        }
        Value::Object(members) => members.values().flat_map(numbers).collect(),
        other => panic!("{other}"),
    }
}

fn sum(numbers: &[BigRational]) -> BigRational {
    numbers.iter().fold(BigRational::zero(), |sum, x| sum + x)
}

fuzz_target!(|text: &str| {
    let answer = match oracle(text, BUDGET) {
        Ok(line) => line,
        Err(error) => return assert_eq!(error.to_string().lines().count(), 1),
    };
    assert_eq!(answer.lines().count(), 1);
    let answer: Value = serde_json::from_str(&answer).expect("JSON");
    let (zero, one) = (BigRational::zero(), BigRational::one());
    for (question, answer) in answer.as_object().expect("an object") {
        let all = numbers(answer);
        match question.as_str() {
            "value" => {
                let outcome = &numbers(&answer["return"])[0];
                assert!(*outcome >= zero && *outcome <= one, "{text}");
            }
            "occupancy" => assert!(sum(&all) == one && all.iter().all(|p| *p >= zero), "{text}"),
            "optimal" => {
                let rows = answer.as_array().expect("rows");
                assert!(rows.iter().all(|row| sum(&numbers(row)) == one), "{text}");
            }
            "gap" => assert!(numbers(&answer["gap"]) == numbers(&answer["suboptimality"]), "{text}"),
            _ => {}
        }
    }
});
