//! `opd convert`: a problem file in another format, number for number.

use crate::data::{InputError, counted, expect_apart};
use crate::number::exact::BigRational;
use crate::program::Verdict;
use crate::program::args::ConvertArgs;
use crate::program::show::Show;
use crate::program::source;
use serde_json::json;

pub fn convert(args: &ConvertArgs, show: &Show) -> Result<Verdict, InputError> {
    expect_apart(&[("--mdp", args.source.mdp.as_deref())], &[("--out", Some(&args.out))])?;
    let problem = source::problem::<BigRational>(&args.source)?;
    problem.write(&args.out)?.finish()?;
    let (shape, file) = (problem.shape, args.out.display().to_string());
    if show.json {
        show.value(&json!({
            "file": file, "name": problem.name, "states": shape.states, "actions": shape.actions, "dim": shape.dim,
        }))?;
    } else {
        let (states, actions) = (counted(shape.states, "state"), counted(shape.actions, "action"));
        show.text(&format!("{file}: {}, {states}, {actions}, d = {}\n", problem.name, shape.dim))?;
    }
    Ok(Verdict::Good)
}
