//! Three instances that tell the methods apart.

use crate::data::number::Number;
use crate::data::{InputError, Problem};
use crate::instances::by_name;
use crate::program::args::Source;
use crate::program::source;
use std::path::Path;

/// Name, what it shows, problem file; without a file it is an embedded instance of the library.
pub const INSTANCES: [(&str, &str, Option<&str>); 3] = [
    ("one-way", "the data cover the optimal policy and nothing else", Some(ONE_WAY)),
    ("lucky", "the data cover the optimal policy well and everything else by a few rows", Some(LUCKY)),
    ("chain", "the data cover every policy", None),
];

/// Two states, a good and a bad action. φ(x, bad) = 2φ(x, good) − e₃, and the third component is never seen: who takes it for 0 believes that
/// the bad action is twice as good.
const ONE_WAY: &str = r#"{
  "name": "one-way", "discount": "4/5", "initial": ["1/2", "1/2"],
  "features": [[[1, 0, 0], [2, 0, -1]], [[0, 1, 0], [0, 2, -1]]],
  "omega": ["1/2", "3/5", "1"],
  "psi": [["1/4", "3/4", "1/2"], ["3/4", "1/4", "1/2"]],
  "behavior": [["1", "0"], ["1", "0"]]
}"#;

/// Tabular, a choice of eight arms in state 0: the first leads to the rewarding state 1 seven times in ten, the others three times in ten. The behaviour
/// policy takes each of the others once in 500 times, so a few rows are all that is known of them, and some of them were lucky.
const LUCKY: &str = "lucky";

/// The rows of `LUCKY` are regular.
fn lucky() -> String {
    const ARMS: usize = 8;
    let dim = 3 * ARMS;
    let unit = |index: usize| (0..dim).map(|i| u8::from(i == index).to_string()).collect::<Vec<_>>().join(", ");
    let state = |x: usize| {
        format!("[{}]", (0..ARMS).map(|a| format!("[{}]", unit(x * ARMS + a))).collect::<Vec<_>>().join(", "))
    };
    let column = |of: &dyn Fn(usize, usize) -> &'static str| {
        (0..dim).map(|i| format!("\"{}\"", of(i / ARMS, i % ARMS))).collect::<Vec<_>>().join(", ")
    };
    let omega = column(&|x, _| if x == 1 { "1" } else { "0" });
    let to_start = column(&|x, _| if x == 0 { "0" } else { "1" });
    let to_good = column(&|x, a| match (x, a) {
        (0, 0) => "7/10",
        (0, _) => "3/10",
        _ => "0",
    });
    let to_bad = column(&|x, a| match (x, a) {
        (0, 0) => "3/10",
        (0, _) => "7/10",
        _ => "0",
    });
    let rare = format!("[\"493/500\"{}]", ", \"1/500\"".repeat(ARMS - 1));
    format!(
        "{{\"name\": \"lucky\", \"discount\": \"4/5\", \"initial\": [1, 0, 0], \"features\": [{}, {}, {}], \"omega\": [{omega}], \
         \"psi\": [[{to_start}], [{to_good}], [{to_bad}]], \"behavior\": [{rare}, {rare}, {rare}]}}",
        state(0),
        state(1),
        state(2)
    )
}

/// The instance of that name: one of the three, or any other of the library.
pub fn named<T: Number>(name: &str) -> Result<Problem<T>, InputError> {
    match INSTANCES.iter().find(|(known, ..)| *known == name) {
        Some((_, _, Some(LUCKY))) => Problem::parse(Path::new(name), &lucky()),
        Some((_, _, Some(text))) => Problem::parse(Path::new(name), text),
        None if by_name(name).is_none() => {
            let own: Vec<&str> = INSTANCES.iter().filter(|(.., text)| text.is_some()).map(|known| known.0).collect();
            Err(source::no_instance(name, &own))
        }
        _ => source::problem(&Source { instance: Some(name.to_owned()), ..Source::default() }),
    }
}

#[cfg(test)]
mod tests {
    use super::{INSTANCES, named};
    use crate::number::exact::BigRational;

    #[test]
    fn the_instances_are_models() {
        for (name, ..) in INSTANCES {
            let problem = named::<BigRational>(name).unwrap();
            problem.model("a test").unwrap();
            problem.behavior("a test").unwrap();
        }
    }
}
