//! `opd`: the paper's statements, algorithms and certificates on the command line.
//!
//! Exit codes: 0 done, 1 a check or comparison failed, 2 the input or the call is wrong.

// Text is put together once per call: clarity before an allocation.
#![allow(clippy::format_push_string, clippy::format_collect)]

mod agreement;
pub mod api;
mod args;
mod arrays;
mod audit;
mod bands;
mod book;
mod budget;
mod certificate;
mod certify;
mod check;
mod checkable;
mod checkpoint;
mod compare;
mod convert;
mod cost;
mod coverage;
mod enclose;
mod engine;
mod evaluate;
mod html;
mod instances;
mod job;
mod model;
mod oracle;
mod passes;
mod promise;
mod recorder;
mod report;
mod restrict;
mod rows;
mod run;
mod sample;
mod search;
mod seeds;
mod shell;
mod show;
mod source;
mod table1;
mod theorem;
mod tune;
mod vectors;

use self::args::{AuditArgs, Command, Opd};
use self::show::Show;
use crate::data::InputError;
use clap::FromArgMatches as _;
use clap::error::ErrorKind;
use std::process::ExitCode;

/// Whether every check passed.
enum Verdict {
    Good,
    Bad,
}

/// The program: reads its own command line, answers with its exit code.
#[must_use]
pub fn main() -> ExitCode {
    let opd = match args::command().try_get_matches().and_then(|found| Opd::from_arg_matches(&found)) {
        Ok(opd) => opd,
        Err(error) => return refuse_call(&error),
    };
    remove_unfinished_on_signals();
    let show = Show::new(&opd.style);
    match dispatch(opd.command, &show) {
        Ok(Verdict::Good) => ExitCode::SUCCESS,
        Ok(Verdict::Bad) => ExitCode::from(1),
        Err(error) => {
            show::complain(&error.to_string());
            ExitCode::from(2)
        }
    }
}

fn dispatch(command: Option<Command>, show: &Show) -> Result<Verdict, InputError> {
    match command {
        None => audit::audit(&AuditArgs { budget: 1.0, ..AuditArgs::default() }, show),
        Some(Command::Audit(args)) => audit::audit(&args, show),
        Some(Command::Book(args)) => book::book(&args, show),
        Some(Command::Run(args)) => run::run(&args, show),
        Some(Command::Certify(args)) => certify::certify(&args, show),
        Some(Command::Check(args)) => check::check(&args, show),
        Some(Command::Sample(args)) => sample::sample(&args, show),
        Some(Command::Coverage(args)) => coverage::coverage(&args, show),
        Some(Command::Tune(args)) => tune::tune(&args, show),
        Some(Command::Table1(args)) => table1::table1(&args, show),
        Some(Command::Compare(args)) => compare::compare(&args, show),
        Some(Command::Vectors(command)) => vectors::vectors(&command, show),
        Some(Command::Oracle(args)) => oracle::oracle(&args, show),
        Some(Command::Instances(args)) => instances::instances(&args, show),
        Some(Command::Convert(args)) => convert::convert(&args, show),
        Some(Command::Restrict(args)) => restrict::restrict(&args, show),
        Some(Command::Evaluate(args)) => evaluate::evaluate(&args, show),
        Some(Command::Completions { shell }) => shell::completions(shell, show),
        Some(Command::Man { command }) => shell::man(&command, show),
    }
}

/// Ctrl-C, `kill`, a closed terminal and a limit of the processor's time end the program as they would have, after its temporary files
/// are gone. A limit of a file's size becomes an error of the write.
#[cfg(unix)]
fn remove_unfinished_on_signals() {
    use crate::data::remove_unfinished;
    use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGXCPU, SIGXFSZ};
    // That there is a handler is enough; without one the signal would end the program.
    let handled = signal_hook::flag::register(SIGXFSZ, std::sync::Arc::default());
    drop(handled);
    let ending = [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGXCPU];
    let Ok(mut signals) = signal_hook::iterator::Signals::new(ending) else { return };
    std::thread::spawn(move || {
        for signal in signals.forever() {
            remove_unfinished();
            // Ends the process; an error would leave it running, which is what ignoring the signal does.
            signal_hook::low_level::emulate_default_handler(signal).unwrap_or_default();
        }
    });
}

/// Elsewhere Ctrl-C leaves a temporary file behind: nothing of its name is ever read.
#[cfg(not(unix))]
fn remove_unfinished_on_signals() {}

/// What may follow a command that needs another one, out of its help.
fn without_command(help: &str) -> String {
    let usage = help.lines().find_map(|line| line.strip_prefix("Usage: ")).unwrap_or("opd");
    let command = usage.split(" <").next().and_then(|words| words.split(" [").next()).unwrap_or(usage);
    let commands = help.lines().skip_while(|line| !line.starts_with("Commands:")).skip(1);
    let names = commands.take_while(|line| line.starts_with("  ")).filter_map(|line| line.split_whitespace().next());
    let names: Vec<&str> = names.filter(|name| *name != "help").collect();
    let command = command.strip_prefix("opd ").unwrap_or(command);
    format!("{command}: no command after it, expected one of {}", names.join(", "))
}

/// Help and version are answers; anything else is one line about what is wrong with the call.
fn refuse_call(error: &clap::Error) -> ExitCode {
    if matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion) {
        return match error.print() {
            // Whoever reads may have seen enough.
            Err(e) if e.kind() != std::io::ErrorKind::BrokenPipe => {
                show::complain(&format!("standard output: cannot write: {e}"));
                ExitCode::from(2)
            }
            _ => ExitCode::SUCCESS,
        };
    }
    let text = error.to_string();
    if error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        show::complain(&without_command(&text));
        return ExitCode::from(2);
    }
    let lines = text.lines().map(str::trim).take_while(|line| !line.starts_with("Usage:"));
    let told: Vec<&str> = lines.filter(|line| !line.is_empty() && !line.starts_with("For more")).collect();
    show::complain(told.join("; ").replace(":; ", ": ").trim_start_matches("error: "));
    ExitCode::from(2)
}
