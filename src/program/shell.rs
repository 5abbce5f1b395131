//! `opd completions` and `opd man`.

use crate::data::{InputError, did_you_mean, shown};
use crate::program::Verdict;
use crate::program::args::Opd;
use crate::program::show::Show;
use clap::CommandFactory;
use clap_complete::Shell;

pub fn completions(shell: Shell, show: &Show) -> Result<Verdict, InputError> {
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut Opd::command(), "opd", &mut text);
    show.raw(&String::from_utf8_lossy(&text))?;
    Ok(Verdict::Good)
}

pub fn man(names: &[String], show: &Show) -> Result<Verdict, InputError> {
    let mut text = Vec::new();
    let mut command = Opd::command();
    // Gives the commands their full names.
    command.build();
    for name in names {
        let known: Vec<&str> = command.get_subcommands().map(clap::Command::get_name).collect();
        let (hint, list) = (did_you_mean(name, &known), known.join(", "));
        let refused = || InputError::call("command", format!("found {}, expected one of {list}{hint}", shown(name)));
        command = command.find_subcommand(name).cloned().ok_or_else(refused)?;
    }
    let page = clap_mangen::Man::new(command);
    page.render(&mut text).map_err(|e| InputError::call("manual page", e))?;
    show.raw(&String::from_utf8_lossy(&text))?;
    Ok(Verdict::Good)
}
