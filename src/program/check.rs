//! `opd check`: the verified checker's verdict on a certificate.

use crate::data::InputError;
use crate::program::Verdict;
use crate::program::args::CheckFileArgs;
use crate::program::show::Show;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Where `make -C proofs/coq checker` puts it.
const BUILT: &str = "proofs/coq/checker/opd-check";

pub fn check(args: &CheckFileArgs, show: &Show) -> Result<Verdict, InputError> {
    // A complaint about the file comes before one about the checker.
    std::fs::metadata(&args.file).map_err(|e| InputError::file(&args.file, format_args!("cannot read: {e}")))?;
    let checker = checker()?;
    let mut command = Command::new(&checker);
    if args.model {
        command.arg("--model");
    }
    // A file whose name starts with a dash is still a file.
    let output = command.arg(Path::new(".").join(&args.file)).output();
    let output = output.map_err(|e| InputError::file(&checker, format_args!("cannot run: {e}")))?;
    show.text(&String::from_utf8_lossy(&output.stdout))?;
    let complaint = String::from_utf8_lossy(&output.stderr).trim().to_owned();
    match output.status.code() {
        Some(0) => Ok(Verdict::Good),
        Some(1) => {
            if !complaint.is_empty() {
                crate::program::show::complain(&complaint);
            }
            Ok(Verdict::Bad)
        }
        _ => Err(InputError::file(&args.file, if complaint.is_empty() { "malformed".to_owned() } else { complaint })),
    }
}

/// `OPD_CHECK`, or the one beside this program, or the one that a checkout has built, or any on the PATH.
fn checker() -> Result<PathBuf, InputError> {
    if let Some(named) = std::env::var_os("OPD_CHECK") {
        return Ok(PathBuf::from(named));
    }
    let beside = std::env::current_exe().ok().and_then(|program| Some(program.parent()?.join("opd-check")));
    let on_path =
        std::env::var_os("PATH").map(|path| std::env::split_paths(&path).collect::<Vec<_>>()).unwrap_or_default();
    let places =
        beside.into_iter().chain([PathBuf::from(BUILT)]).chain(on_path.into_iter().map(|p| p.join("opd-check")));
    let found = places.into_iter().find(|place| place.is_file());
    found.ok_or_else(|| {
        let how = "not built, expected it on the PATH, at OPD_CHECK, or from `make -C proofs/coq checker`";
        InputError::call("opd-check", how)
    })
}
