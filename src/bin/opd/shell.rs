//! `opd completions` and `opd man`.

use crate::Verdict;
use crate::args::Opd;
use crate::show::Show;
use clap::CommandFactory;
use clap_complete::Shell;
use offline_primal_dual::data::InputError;

pub fn completions(shell: Shell, show: &Show) -> Result<Verdict, InputError> {
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut Opd::command(), "opd", &mut text);
    show.text(&String::from_utf8_lossy(&text))?;
    Ok(Verdict::Good)
}

pub fn man(show: &Show) -> Result<Verdict, InputError> {
    let mut text = Vec::new();
    let page = clap_mangen::Man::new(Opd::command());
    page.render(&mut text).map_err(|e| InputError::call("manual page", e))?;
    show.text(&String::from_utf8_lossy(&text))?;
    Ok(Verdict::Good)
}
