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
    // α = 0: every policy is the uniform one.
    let values = &json(&place, "run --instance chain --inner 2 --outer 2 --alpha 0 --json")["values"];
    let [optimal, uniform] = ["optimal", "uniform"].map(|key| values[key].as_f64().unwrap());
    for (name, exact) in [("optimum", optimal), ("suboptimality", optimal - uniform)] {
        let claim = text.lines().find_map(|line| line.strip_prefix(&format!("{name} enclosure "))).unwrap();
        let [low, high] = claim.split(' ').map(crate::fraction).collect::<Vec<_>>()[..] else { panic!("{claim}") };
        let slack = 1e-12;
        assert!(
            low <= exact + slack && exact <= high + slack && low <= high && high - low < 1e-9,
            "{name} {claim} {exact}"
        );
    }
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

/// What the checker says is passed on, whatever it says.
#[test]
#[cfg(unix)]
fn the_checkers_verdict_is_passed_on() {
    use std::os::unix::fs::PermissionsExt as _;
    let place = Place::new();
    place.write("c.cert", b"a certificate");
    for (script, code, stdout, stderr) in [
        ("echo \"accepted $1\"", 0, "accepted ./c.cert\n", ""),
        ("echo refused; exit 1", 1, "refused\n", ""),
        ("echo why >&2; exit 1", 1, "", "opd: why\n"),
        ("exit 2", 2, "", "opd: c.cert: malformed\n"),
        ("echo line 3 >&2; exit 2", 2, "", "opd: c.cert: line 3\n"),
    ] {
        place.write("checker", format!("#!/bin/sh\n{script}\n").as_bytes());
        std::fs::set_permissions(place.path("checker"), std::fs::Permissions::from_mode(0o755)).unwrap();
        let mut call = std::process::Command::new(env!("CARGO_BIN_EXE_opd"));
        call.args(["check", "c.cert"]).current_dir(place.path(".")).env("OPD_CHECK", place.path("checker"));
        let output = call.output().unwrap();
        let told = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
        assert_eq!((output.status.code(), told), (Some(code), [stdout, stderr].map(str::to_owned)), "{script}");
    }
}
