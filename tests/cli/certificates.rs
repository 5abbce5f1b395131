//! Certificates of runs, and the verified checker's verdict where OPD_CHECK names one (`make -C proofs/coq checker` builds it; the gate does both).

use crate::opd::{Place, opd};
use crate::{json, said};

/// Whether a checker is named; says so where it is not.
fn checker_is_there() -> bool {
    let there = std::env::var_os("OPD_CHECK").is_some();
    if !there {
        eprintln!("!!! SKIPPED: no opd-check, so no certificate was judged");
    }
    there
}

/// The claims are those of the JSON certificate, fraction by fraction; the checker accepts them, and refuses them when they are changed.
#[test]
fn certificates_of_runs() {
    let place = Place::new();
    for (instance, setting) in
        [("two-state", "discounted"), ("chain", "discounted"), ("rotated", "average"), ("two-state", "average")]
    {
        let run = format!("certify --instance {instance} --setting {setting} --inner 4 --outer 5 --seed 3");
        let certificate = json(&place, &format!("{run} --json --certificate c.cert"));
        let text = std::fs::read_to_string(place.path("c.cert")).unwrap();
        let claimed = text.lines().find_map(|line| line.strip_prefix("suboptimality exact ")).unwrap();
        assert_eq!(certificate["suboptimality"], claimed, "{instance}, {setting}");
        if checker_is_there() {
            let verdict = said(&place, "check c.cert");
            assert!(verdict.starts_with(&format!("accepted: {instance}: ")), "{verdict}");
            place.write("bad.cert", text.replace("suboptimality exact ", "suboptimality exact 1").as_bytes());
            assert_eq!(opd(&place, "check bad.cert").code, Some(1), "{instance}, {setting}");
            place.write("cut.cert", &text.as_bytes()[..text.len() / 2]);
            assert_eq!(opd(&place, "check cut.cert").code, Some(2), "{instance}, {setting}");
        }
    }
}

/// Where solving exactly would take long, doubles are witnesses, and the claim is an interval around the exact number.
#[test]
fn approximate_witnesses_enclose() {
    let place = Place::new();
    let run = "certify --instance chain --inner 2 --outer 801 --alpha 0 --eta 0 --zeta 0 --certificate c.cert -q";
    said(&place, run);
    let text = std::fs::read_to_string(place.path("c.cert")).unwrap();
    let claim = text.lines().find_map(|line| line.strip_prefix("suboptimality enclosure ")).unwrap();
    assert_eq!(claim.split(' ').count(), 2, "{claim}");
    if checker_is_there() {
        assert!(said(&place, "check c.cert").contains(" is between "));
    }
}

#[test]
fn a_file_that_is_not_there_is_said_so() {
    let place = Place::new();
    let output = opd(&place, "check nowhere.cert");
    assert_eq!(
        (output.code, output.stderr.contains("nowhere.cert: cannot read")),
        (Some(2), true),
        "{}",
        output.stderr
    );
}
