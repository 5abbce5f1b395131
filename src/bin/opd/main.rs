//! `opd`: the paper's statements, algorithms and certificates on the command line.
//!
//! Exit codes: 0 done, 1 a check or comparison failed, 2 the input or the call is wrong.

mod args;
mod compare;
mod shell;
mod show;

use args::{Command, Opd};
use clap::Parser;
use clap::error::ErrorKind;
use offline_primal_dual::data::InputError;
use show::Show;
use std::process::ExitCode;

/// Whether every check passed.
enum Verdict {
    Good,
    Bad,
}

fn main() -> ExitCode {
    let opd = match Opd::try_parse() {
        Ok(opd) => opd,
        Err(error) => return refuse_call(&error),
    };
    let show = Show::new(&opd.style);
    match dispatch(opd.command, &show) {
        Ok(Verdict::Good) => ExitCode::SUCCESS,
        Ok(Verdict::Bad) => ExitCode::from(1),
        Err(error) => {
            show.complain(&error.to_string());
            ExitCode::from(2)
        }
    }
}

fn dispatch(command: Command, show: &Show) -> Result<Verdict, InputError> {
    match command {
        Command::Compare(args) => compare::compare(&args, show),
        Command::Completions { shell } => shell::completions(shell, show),
        Command::Man => shell::man(show),
    }
}

/// Help and version are answers; anything else is one line about what is wrong with the call.
fn refuse_call(error: &clap::Error) -> ExitCode {
    if matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion) {
        return if error.print().is_ok() { ExitCode::SUCCESS } else { ExitCode::from(2) };
    }
    let text = error.to_string();
    let lines = text.lines().map(str::trim).take_while(|line| !line.starts_with("Usage:"));
    let told: Vec<&str> = lines.filter(|line| !line.is_empty() && !line.starts_with("For more")).collect();
    eprintln!("opd: {}", told.join("; ").replace(":; ", ": ").trim_start_matches("error: "));
    ExitCode::from(2)
}
