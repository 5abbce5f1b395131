//! The call of `opd run` that gives the policy of a search, for a shell.

use super::Rates;
use crate::program::args::{ReadingArgs, TuneArgs};
use crate::program::source::{options, quoted};

/// Whatever changes what the rows or the model are goes with it: the seed too, from which missing columns are drawn.
pub fn call(args: &TuneArgs, rates: &Rates) -> String {
    let (mut words, range) = (beginning("opd run", args), range(args));
    let mut say = |flag: &str, value: &str| words.extend([format!("--{flag}"), quoted(value)]);
    let Rates { inner, outer, alpha, eta, zeta, radius_theta, radius_beta } = rates;
    for (flag, count) in [("inner", inner), ("outer", outer)] {
        say(flag, &count.to_string());
    }
    let numbers = [alpha, eta, zeta, radius_theta, radius_beta];
    for (flag, number) in ["alpha", "eta", "zeta", "radius-theta", "radius-beta"].into_iter().zip(numbers) {
        say(flag, &format!("{number:e}"));
    }
    say("seed", &args.seed.to_string());
    say("policy-out", POLICY);
    words.extend(range);
    words.join(" ")
}

/// What the call writes and the next one reads.
const POLICY: &str = "policy.json";

/// The call of `opd evaluate` after that one: `evaluate` alone would judge π_J, the search speaks of the last policy.
pub fn judge_call(args: &TuneArgs) -> String {
    let mut words = beginning("opd evaluate", args);
    words.push(format!("--policy {POLICY} --which last --seed {}", args.seed));
    words.extend(range(args));
    words.join(" ")
}

fn beginning(command: &str, args: &TuneArgs) -> Vec<String> {
    let TuneArgs { source, data, reading, .. } = args;
    // By name, so that an option that is new has to be thought of here.
    let ReadingArgs { column, reward_range: _, absorbing } = reading;
    let mut words = vec![command.to_owned()];
    words.extend(options(source, data.as_deref()));
    words.extend(column.iter().map(|(known, name)| format!("--column {}", quoted(&format!("{known}={name}")))));
    words.extend(absorbing.map(|state| format!("--absorbing {state}")));
    words
}

/// At the end: its numbers may be negative.
fn range(args: &TuneArgs) -> Vec<String> {
    let numbers = args.reading.reward_range.iter().flatten();
    let words: Vec<String> = numbers.map(f64::to_string).collect();
    if words.is_empty() { words } else { vec![format!("--reward-range {}", words.join(" "))] }
}
