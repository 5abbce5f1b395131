//! A directory of vectors: inputs alone, results alone, both with intermediates, wrong variants, a schema and a manifest.

use super::case::{Case, Setting};
use super::cases;
use super::compare::{Expectation, Tolerance};
use super::digest::sha256;
use super::json;
use super::mutation::Mutation;
use super::results_only;
use super::trace::Trace;
use super::variant;
use crate::data::{InputError, OutputFile};
use crate::sampler::GENERATOR;
use std::collections::HashSet;
use std::path::Path;

/// The JSON schema of every file.
const SCHEMA: &str = include_str!("schema.json");

/// The version of the formats.
const FORMAT: u32 = 1;

/// Writes the fixed cases of both settings.
pub fn write(directory: &Path) -> Result<(), InputError> {
    std::fs::create_dir_all(directory).map_err(|e| InputError::file(directory, format_args!("cannot write: {e}")))?;
    let mut files = vec![("schema.json".to_owned(), SCHEMA.to_owned())];
    for setting in Setting::ALL {
        let expectations: crate::Result<Vec<_>> = cases::fixed(setting).into_iter().map(Expectation::new).collect();
        let expectations = expectations.map_err(|e| InputError::call(setting.name(), e))?;
        let each = |show: fn(&Expectation) -> String| expectations.iter().map(show).collect::<Vec<_>>();
        for (kind, cases) in [
            ("prompt", each(|expectation| json::prompt(expectation.case()))),
            ("expected", each(json::expected)),
            ("internal", each(json::internal)),
            ("mutants", mutants(setting, &expectations)),
        ] {
            files.push((format!("{}.{kind}.json", setting.name()), group(setting, kind, &cases)));
        }
    }
    for (name, text) in &files {
        OutputFile::write_all_to(&directory.join(name), text.as_bytes())?;
    }
    OutputFile::write_all_to(&directory.join("manifest.json"), manifest(&files).as_bytes())
}

/// One case per line.
fn group(setting: Setting, kind: &str, cases: &[String]) -> String {
    let head = format!("\"format\":{FORMAT},\"kind\":\"{kind}\",\"setting\":\"{}\"", setting.name());
    format!("{{{head},\"cases\":[\n{}\n]}}\n", cases.join(",\n"))
}

/// Every wrong variant on every case where it shows.
fn mutants(setting: Setting, expectations: &[Expectation]) -> Vec<String> {
    let shows = |expectation: &Expectation, mutation: Mutation| {
        let found = results_only(&variant::run(expectation.case(), Some(mutation)));
        expectation.divergence(&found, &Tolerance::default()).is_some()
    };
    let of_case = |expectation| Mutation::of(setting).filter(move |mutation| shows(expectation, *mutation));
    let lines = expectations.iter().flat_map(|e| of_case(e).map(|mutation| json::mutant(e, mutation)));
    lines.collect()
}

fn manifest(files: &[(String, String)]) -> String {
    let lines: Vec<String> = files
        .iter()
        .map(|(name, text)| {
            format!(
                "    {{\"name\": \"{name}\", \"bytes\": {}, \"sha256\": \"{}\"}}",
                text.len(),
                sha256(text.as_bytes())
            )
        })
        .collect();
    let version = env!("CARGO_PKG_VERSION");
    format!(
        "{{\n  \"format\": {FORMAT},\n  \"made_by\": \"offline-primal-dual {version}\",\n  \"generator\": \
         \"{GENERATOR}\",\n  \"files\": [\n{}\n  ]\n}}\n",
        lines.join(",\n")
    )
}

/// The results in a directory's `*.expected.json`, `*.internal.json` and `*.results.json` (or `.jsonl`, one case per
/// line). Where there is a manifest, its checksums must hold.
pub fn read(directory: &Path) -> Result<json::Results, InputError> {
    let unreadable = |e| InputError::file(directory, format_args!("cannot read: {e}, expected a directory of results"));
    let entries = std::fs::read_dir(directory).map_err(unreadable)?;
    let mut names: Vec<_> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    names.sort();
    let mut results = Vec::new();
    for path in names {
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let is_list = [".expected.json", ".internal.json", ".results.json"].iter().any(|end| name.ends_with(end));
        if name == "manifest.json" {
            check_manifest(directory, &read_text(&path)?)?;
        } else if is_list {
            results.extend(json::read_results_file(&path, &read_text(&path)?)?);
        } else if name.ends_with(".results.jsonl") {
            results.extend(read_lines(&path, &read_text(&path)?)?);
        }
    }
    if results.is_empty() {
        return Err(InputError::file(directory, "found no *.results.json, *.results.jsonl or *.expected.json"));
    }
    Ok(results)
}

/// JSON lines, empty ones skipped.
pub fn read_lines(file: &Path, text: &str) -> Result<json::Results, InputError> {
    let lines = text.lines().zip(1..).filter(|(line, _)| !line.trim().is_empty());
    lines.map(|(line, number)| json::read_results(file, number, line)).collect()
}

fn read_text(path: &Path) -> Result<String, InputError> {
    std::fs::read_to_string(path).map_err(|e| InputError::file(path, format_args!("cannot read: {e}")))
}

fn check_manifest(directory: &Path, text: &str) -> Result<(), InputError> {
    let file = directory.join("manifest.json");
    let wrong = |problem: String| InputError::file(&file, problem);
    let manifest: serde_json::Value = serde_json::from_str(text).map_err(|e| wrong(format!("not JSON: {e}")))?;
    for entry in manifest["files"].as_array().into_iter().flatten() {
        let (Some(name), Some(digest)) = (entry["name"].as_str(), entry["sha256"].as_str()) else {
            return Err(wrong("found a file without name and sha256, expected both".to_owned()));
        };
        if Path::new(name).components().count() != 1 {
            return Err(wrong(format!("found file {name}, expected a name in this directory")));
        }
        let found = sha256(read_text(&directory.join(name))?.as_bytes());
        if found != digest {
            return Err(InputError::file(
                &directory.join(name),
                format_args!("SHA-256 is {found}, expected {digest} (manifest.json)"),
            ));
        }
    }
    Ok(())
}

/// Gives every result its case. `Err` for an id that no case has; unless `partial`, for a case without a result.
pub fn with_cases(results: &[(String, Trace)], partial: bool) -> Result<Vec<(Case, Trace)>, String> {
    let case = |id: &str| cases::by_id(id).ok_or_else(|| format!("found case {id}, expected an id from a prompt"));
    let mut paired = Vec::new();
    for (id, trace) in results {
        paired.push((case(id)?, trace.clone()));
    }
    if partial {
        return Ok(paired);
    }
    let ids: HashSet<&String> = results.iter().map(|(id, _)| id).collect();
    let mut groups = HashSet::new();
    for (id, _) in results {
        // Corners belong to their setting, fresh cases to their seed and count.
        let group = (id.rsplit_once('/').map(|(group, _)| group), id.split_once("-of-").map(|(_, count)| count));
        if groups.insert(group)
            && let Some(missing) = cases::companions(id).find(|other| !ids.contains(other))
        {
            return Err(format!("no result for case {missing}, expected one for every case (or --partial)"));
        }
    }
    Ok(paired)
}
