//! `opd compare`: the first difference between two traces.

use crate::data::{Difference, Divergence, InputError, TraceReader, compare_traces};
use crate::number::ulps;
use crate::program::Verdict;
use crate::program::args::CompareArgs;
use crate::program::show::Show;
use serde_json::json;

pub fn compare(args: &CompareArgs, show: &Show) -> Result<Verdict, InputError> {
    let (mut first, mut second) = (TraceReader::open(&args.first)?, TraceReader::open(&args.second)?);
    let outcome = compare_traces(&mut first, &mut second, args.tolerance)?;
    if show.json {
        show.value(&as_json(&outcome))?;
    } else {
        show.text(&match &outcome {
            Ok(lines) => format!("{} over {lines} lines\n", show.green("equal")),
            Err(divergence) => format!("{}: {divergence}\n", show.red("first difference")),
        })?;
    }
    Ok(if outcome.is_ok() { Verdict::Good } else { Verdict::Bad })
}

fn as_json(outcome: &Result<u64, Divergence>) -> serde_json::Value {
    match outcome {
        Ok(lines) => json!({ "equal": true, "lines": lines }),
        Err(Divergence { t, k, what: Difference::Number { component, first, second } }) => json!({
            "equal": false, "t": t, "k": k, "component": component,
            "first": first, "second": second, "ulps": ulps(*first, *second),
        }),
        Err(divergence) => json!({
            "equal": false, "t": divergence.t, "k": divergence.k, "difference": divergence.to_string(),
        }),
    }
}
