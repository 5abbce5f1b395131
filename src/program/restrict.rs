//! `opd restrict`: a problem without the states that nobody reaches.

use crate::data::{InputError, OutputFile, Problem, Reading, Renumbering, RowSpec, counted, expect_apart};
use crate::number::exact::BigRational;
use crate::program::Verdict;
use crate::program::args::RestrictArgs;
use crate::program::rows::range_of;
use crate::program::show::{Show, note};
use crate::program::source;
use serde_json::json;

/// As many states as a line names.
const NAMED: usize = 20;

pub fn restrict(args: &RestrictArgs, show: &Show) -> Result<Verdict, InputError> {
    let inputs = [("--mdp", args.source.mdp.as_deref()), ("--data", args.data.as_deref())];
    expect_apart(&inputs, &[("--out", Some(&args.out)), ("--data-out", args.data_out.as_deref())])?;
    let problem = source::problem::<BigRational>(&args.source)?;
    let reach = problem.reach()?;
    let states =
        |reached: &dyn Fn(usize) -> bool| (0..problem.shape.states).filter(|x| reached(*x)).collect::<Vec<_>>();
    let cut = states(&|x| !reach.by_any[x]);
    let unseen = states(&|x| reach.by_any[x] && !reach.by_behavior[x]);
    let absorbed = if args.absorb { unseen.clone() } else { Vec::new() };
    let kept = states(&|x| reach.by_any[x] && (reach.by_behavior[x] || !args.absorb));
    let restricted = problem.restricted(&kept, &absorbed)?;
    let mut files = vec![restricted.write(&args.out)?];
    if let (Some(data), Some(out)) = (&args.data, &args.data_out) {
        // Where each state is now; the absorbing state is the last.
        let mut places = vec![None; problem.shape.states];
        kept.iter().enumerate().for_each(|(place, x)| places[*x] = Some(place));
        for x in &absorbed {
            places[*x] = Some(kept.len());
        }
        let spec = RowSpec { setting: args.setting, states: problem.shape.states, actions: problem.shape.actions };
        let reading = reading(args, &problem);
        let (file, notes) = Renumbering { spec, reading: &reading, places: &places }.write(data, out)?;
        for text in notes {
            note(&format!("{}: {text}", data.display()));
        }
        files.push(file);
    }
    OutputFile::finish_all(files)?;
    let (shape, file) = (restricted.shape, args.out.display().to_string());
    if show.json {
        show.value(&json!({
            "file": file, "states": shape.states, "dim": shape.dim, "kept": kept, "cut": cut, "absorbed": absorbed,
            "unseen": unseen,
        }))?;
        return Ok(Verdict::Good);
    }
    let (states, actions) = (counted(shape.states, "state"), counted(shape.actions, "action"));
    let mut text = format!("{file}: {states}, {actions}, d = {}", shape.dim);
    text += &format!(" (of {}, d = {})\n", counted(problem.shape.states, "state"), problem.shape.dim);
    show.text(&(text + &told(args, &cut, &unseen)))?;
    Ok(Verdict::Good)
}

/// How the data file is read: for what it may lack there is nothing to fill in.
fn reading(args: &RestrictArgs, problem: &Problem<BigRational>) -> Reading {
    let initial = problem.initial("x0").ok();
    Reading {
        columns: args.column.clone(),
        reward_range: range_of(args.reward_range.as_deref()),
        initial: initial.map(|initial| initial.iter().map(BigRational::to_f64).collect()),
        ..Reading::default()
    }
}

/// What was done to which states, and why that is sound.
fn told(args: &RestrictArgs, cut: &[usize], unseen: &[usize]) -> String {
    let mut text = String::new();
    text += &match cut.len() {
        0 => "cut: no state; some policy reaches each from `initial`\n".to_owned(),
        n => format!(
            "cut: {} that no policy reaches from `initial`: {}\n  sound: no run enters them, so every return and \
             occupancy from `initial`, Λ and the law of the data are what they were (average reward: gains too, since under \
             unichain every policy's recurrent class is reached from everywhere)\n",
            counted(n, "state"),
            named(cut)
        ),
    };
    text += &match (unseen.len(), args.absorb) {
        (0, _) => String::new(),
        (n, true) => format!(
            "absorbed: {} that the behaviour never reaches, but other policies do: {}\n  sound as a lower bound: they \
             are now one state (the last) that is never left and pays 0, so no policy's return has grown, and one that avoids \
             them has the return it had\n",
            counted(n, "state"),
            named(unseen)
        ),
        (n, false) => format!(
            "kept: {} that the behaviour never reaches, but other policies do: {}\n  cutting them would change \
             returns; --absorb makes them one state that pays 0\n",
            counted(n, "state"),
            named(unseen)
        ),
    };
    if !cut.is_empty() || (args.absorb && !unseen.is_empty()) {
        text += "states are numbered anew, in their order";
        text += if args.data_out.is_some() {
            ", in the data too\n"
        } else {
            "; --data F --data-out G does it to the data\n"
        };
    }
    text
}

fn named(states: &[usize]) -> String {
    let names: Vec<String> = states.iter().take(NAMED).map(usize::to_string).collect();
    let more = states.len().saturating_sub(NAMED);
    if more > 0 { format!("{}, and {more} more", names.join(", ")) } else { names.join(", ") }
}
