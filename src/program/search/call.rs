//! The call of `opd run` that gives the policy of a search, for a shell.

use super::Rates;
use crate::program::args::{ReadingArgs, TuneArgs};
use crate::program::source::{options, quoted};

/// Whatever changes what the rows or the model are goes with it: the seed too, from which missing columns are drawn.
pub fn call(args: &TuneArgs, rates: &Rates) -> String {
    let TuneArgs { source, data, reading, seed, .. } = args;
    // By name, so that an option that is new has to be thought of here.
    let ReadingArgs { column, reward_range, absorbing } = reading;
    let mut words = vec!["opd run".to_owned()];
    words.extend(options(source, data.as_deref()));
    let mut say = |flag: &str, value: &str| words.extend([format!("--{flag}"), quoted(value)]);
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
    if let Some(range) = reward_range {
        words.push("--reward-range".to_owned());
        words.extend(range.iter().map(f64::to_string));
    }
    words.join(" ")
}
