//! The call of `opd run` that gives the policy of a search, for a shell.

use super::Rates;
use crate::program::args::{ReadingArgs, Source, TuneArgs};
use std::path::Path;

/// Whatever changes what the rows or the model are goes with it: the seed too, from which missing columns are drawn.
pub fn call(args: &TuneArgs, rates: &Rates) -> String {
    let TuneArgs { source, data, reading, seed, .. } = args;
    // By name, so that an option that is new has to be thought of here.
    let Source { instance, mdp, normalise } = source;
    let ReadingArgs { column, reward_range, absorbing } = reading;
    let mut words = vec!["opd run".to_owned()];
    let mut say = |flag: &str, value: &str| words.extend([format!("--{flag}"), quoted(value)]);
    if let Some(file) = mdp {
        say("mdp", &named(file));
    } else if let Some(name) = instance {
        say("instance", name);
    }
    if let Some(file) = data {
        say("data", &named(file));
    }
    for (known, name) in column {
        say("column", &format!("{known}={name}"));
    }
    if let Some(state) = absorbing {
        say("absorbing", &state.to_string());
    }
    let Rates { inner, outer, alpha, eta, zeta, radius_theta, radius_beta } = rates;
    for (flag, count) in [("inner", inner), ("outer", outer)] {
        say(flag, &count.to_string());
    }
    let numbers = [alpha, eta, zeta, radius_theta, radius_beta];
    for (flag, number) in ["alpha", "eta", "zeta", "radius-theta", "radius-beta"].into_iter().zip(numbers) {
        say(flag, &format!("{number:e}"));
    }
    say("seed", &seed.to_string());
    if *normalise {
        words.push("--normalise".to_owned());
    }
    if let Some(range) = reward_range {
        words.push("--reward-range".to_owned());
        words.extend(range.iter().map(f64::to_string));
    }
    words.join(" ")
}

/// A file's name as a value: what begins with - would be an option. Standard input is `-`.
fn named(file: &Path) -> String {
    let name = file.display().to_string();
    if name.len() > 1 && name.starts_with('-') { format!("./{name}") } else { name }
}

/// A word as a POSIX shell takes it.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "_./=:,@%+-".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}
