//! `opd sample`: a data file drawn from a model.

use crate::data::{Column, InputError, OutputFile, Row, Setting, expect_apart, is_stdout, several, write_npz};
use crate::program::Verdict;
use crate::program::args::SampleArgs;
use crate::program::model::SolvedModel;
use crate::program::show::Show;
use crate::program::source;
use crate::sampler::GENERATOR;
use serde_json::json;
use std::io::Write;
use std::path::Path;

pub fn sample(args: &SampleArgs, show: &Show) -> Result<Verdict, InputError> {
    let problem = source::problem::<f64>(&args.source)?;
    problem.behavior("sampling")?;
    let model = SolvedModel::within_budget(args.setting, &problem, "sampling", args.budget)?;
    let rows = || Ok(model.sampler(args.seed)?.take(args.rows));
    // Its reader may stop in the middle: rows go there one by one, and with nothing else.
    let Some(file) = args.out.as_deref().filter(|file| !is_stdout(file)) else {
        let mut stdout = std::io::BufWriter::new(std::io::stdout().lock());
        return match write_rows(args.setting, rows()?, &mut stdout).and_then(|()| stdout.flush()) {
            Err(e) if e.kind() != std::io::ErrorKind::BrokenPipe => {
                Err(InputError::call("standard output", format_args!("cannot write: {e}")))
            }
            _ => Ok(Verdict::Good),
        };
    };
    expect_apart(&[("--mdp", args.source.mdp.as_deref())], &[("--out", Some(file))])?;
    write_file(args, rows, file)?;
    if show.json {
        show.value(&json!({
            "file": file.display().to_string(), "rows": args.rows, "setting": args.setting.name(),
            "seed": args.seed, "generator": GENERATOR,
        }))?;
    } else {
        show.text(&format!("{}: {}, seed {} ({GENERATOR})\n", file.display(), several(args.rows, "row"), args.seed))?;
    }
    Ok(Verdict::Good)
}

fn write_file<I: Iterator<Item = Row>>(
    args: &SampleArgs,
    rows: impl Fn() -> Result<I, InputError>,
    file: &Path,
) -> Result<(), InputError> {
    let mut output = OutputFile::create(file)?;
    if file.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("npz")) {
        return write_npz(args.setting, args.rows, rows, output)?.finish();
    }
    if let Err(e) = write_rows(args.setting, rows()?, &mut output) {
        return Err(output.failed(&e));
    }
    output.finish()
}

/// Rows as CSV, with a header.
pub fn write_rows(setting: Setting, rows: impl Iterator<Item = Row>, target: &mut impl Write) -> std::io::Result<()> {
    let columns = setting.columns();
    let header: Vec<&str> = columns.iter().map(|column| column.name()).collect();
    writeln!(target, "{}", header.join(","))?;
    let mut line = Vec::new();
    for row in rows {
        line.clear();
        for (index, column) in columns.iter().enumerate() {
            let separator = if index == 0 { "" } else { "," };
            match column {
                Column::X0 => write!(line, "{separator}{}", row.x0),
                Column::X => write!(line, "{separator}{}", row.x),
                Column::A => write!(line, "{separator}{}", row.a),
                Column::XNext => write!(line, "{separator}{}", row.x_next),
                Column::R => write!(line, "{separator}{}", row.r),
                Column::U => write!(line, "{separator}{}", row.u),
            }?;
        }
        line.push(b'\n');
        target.write_all(&line)?;
    }
    Ok(())
}
