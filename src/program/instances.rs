//! `opd instances`: what is embedded.

use crate::data::{InputError, Problem};
use crate::instances;
use crate::number::exact::BigRational;
use crate::program::Verdict;
use crate::program::args::InstancesArgs;
use crate::program::show::{Show, columns};
use crate::program::source;
use serde_json::json;

pub fn instances(args: &InstancesArgs, show: &Show) -> Result<Verdict, InputError> {
    if let Some(name) = &args.name {
        let problem = Problem::<BigRational>::of_instance(source::instance(name)?)?;
        show.raw(&problem.to_json())?;
    } else if show.json {
        let list: Vec<_> = instances::all()
            .iter()
            .map(|i| {
                let shape = i.shape();
                json!({
                    "name": i.name(), "description": i.description(), "states": shape.states, "actions": shape.actions,
                    "dim": shape.dim, "average": i.is_average_reward(), "rational_root": i.has_root(),
                })
            })
            .collect();
        show.value(&list)?;
    } else {
        let rows: Vec<_> =
            instances::all().iter().map(|i| vec![show.bold(i.name()), i.description().to_owned()]).collect();
        show.text(&columns(&rows))?;
    }
    Ok(Verdict::Good)
}
