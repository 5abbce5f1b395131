//! A directory of vectors: inputs alone, results alone, both with intermediates, wrong variants, a schema and a manifest.

use super::case::Case;
use super::cases::{self, Wish};
use super::compare::{Expectation, Tolerance};
use super::digest::sha256;
use super::draws;
use super::json;
use super::mutation::Mutation;
use super::read::{self, Found};
use super::results_only;
use super::variant;
use super::walk;
use crate::data::{InputError, OutputFile, read_text};
use crate::paper::Setting;
use crate::sampler::GENERATOR;
use crate::steps::Trace;
use std::collections::{HashMap, HashSet};
use std::path::Path;

/// The JSON schema of every file.
const SCHEMA: &str = include_str!("schema.json");

/// The version of the formats.
const FORMAT: u32 = 1;

/// The release that these bytes are of: no later one has changed them.
const SINCE: &str = "0.2.0";

/// Writes the fixed cases of both settings.
pub fn write(directory: &Path) -> Result<(), InputError> {
    std::fs::create_dir_all(directory).map_err(|e| InputError::file(directory, format_args!("cannot write: {e}")))?;
    let mut files = vec![("schema.json".to_owned(), SCHEMA.to_owned())];
    for setting in Setting::ALL {
        let expectations: crate::Result<Vec<_>> = cases::fixed(setting).into_iter().map(Expectation::new).collect();
        let expectations = expectations.map_err(|e| InputError::call(setting.name(), e))?;
        let whole: Vec<_> = expectations.iter().filter(|e| cases::is_whole(&e.case().id)).cloned().collect();
        let each = |of: &[Expectation], show: fn(&Expectation) -> String| of.iter().map(show).collect::<Vec<_>>();
        for (kind, cases) in [
            ("prompt", each(&expectations, |expectation| json::prompt(expectation.case()))),
            ("expected", each(&expectations, json::expected)),
            ("internal", each(&whole, json::internal)),
            ("mutants", mutants(setting, &whole)),
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
    format!(
        "{{\n  \"format\": {FORMAT},\n  \"made_by\": \"offline-primal-dual {SINCE}\",\n  \"generator\": \
         \"{GENERATOR}\",\n  \"files\": [\n{}\n  ]\n}}\n",
        lines.join(",\n")
    )
}

/// The results in a directory's `*.expected.json`, `*.internal.json` and `*.results.json` (or `.jsonl`, one case per
/// line). Where there is a manifest, its checksums must hold. A case may be in several files if they do not contradict each other.
pub fn read(directory: &Path) -> Result<Vec<Found>, InputError> {
    let unreadable = |e| InputError::file(directory, format_args!("cannot read: {e}, expected a directory of results"));
    let entries = std::fs::read_dir(directory).map_err(unreadable)?;
    let mut names: Vec<_> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    names.sort();
    let mut results: Vec<Found> = Vec::new();
    for path in names {
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let is_list = [".expected.json", ".internal.json", ".results.json"].iter().any(|end| name.ends_with(end));
        if name == "manifest.json" {
            check_manifest(directory, &read_text(&path)?)?;
        } else if is_list {
            put_together(&mut results, read::results_file(&path, &read_text(&path)?)?)?;
        } else if name.ends_with(".results.jsonl") {
            put_together(&mut results, read::results_lines(&path, &read_text(&path)?)?)?;
        }
    }
    if results.is_empty() {
        return Err(InputError::file(directory, "found no *.results.json, *.results.jsonl or *.expected.json"));
    }
    Ok(results)
}

fn put_together(results: &mut Vec<Found>, more: Vec<Found>) -> Result<(), InputError> {
    let places: HashMap<String, usize> = results.iter().enumerate().map(|(at, found)| (found.id.clone(), at)).collect();
    for found in more {
        let Some(known) = places.get(&found.id).map(|at| &mut results[*at]) else {
            results.push(found);
            continue;
        };
        let first = known.place.clone();
        let wrong = |what: String| {
            InputError::call(&found.place, format_args!("case {} has another {what} at {first}", found.id))
        };
        if known.order != found.order {
            return Err(wrong("order".to_owned()));
        }
        read::merge_traces(&mut known.trace, found.trace.clone())
            .map_err(|(t, k, field)| wrong(format!("{} ({})", field.name(), crate::steps::place(t, k))))?;
    }
    Ok(())
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

/// Own draws cannot be made again: every inner step of Algorithm 2 must say its `a_next`.
pub fn expect_draws(results: &[Found], paired: &[(Case, Trace)]) -> Result<(), InputError> {
    for (found, (case, trace)) in results.iter().zip(paired) {
        if let Some((t, i)) = draws::undrawn(case, trace, &walk::index(trace)) {
            let at = crate::steps::place(t, Some(i));
            let problem =
                format!("case {}: no a_next at {at}, expected it in every inner step with --own-draws", case.id);
            return Err(InputError::call(&found.place, problem));
        }
    }
    Ok(())
}

/// Gives every result its case: one of `problems`, or one that its id makes again. `Err` for an id that no case has; unless `partial`, for a
/// case without a result, among those that are wished for.
pub fn with_cases(
    results: &[Found],
    problems: &[Case],
    wish: &Wish,
    partial: bool,
) -> Result<Vec<(Case, Trace)>, InputError> {
    let own: HashMap<&str, &Case> = problems.iter().map(|case| (case.id.as_str(), case)).collect();
    let mut paired = Vec::new();
    // An id is a few letters, its case may be 2 GB, and all cases are in memory at once.
    let numbers =
        |found: &Found| if own.contains_key(found.id.as_str()) { 0.0 } else { cases::largest_of_id(&found.id) };
    let all: f64 = results.iter().map(numbers).sum();
    if let Some(largest) =
        results.iter().max_by(|a, b| numbers(a).total_cmp(&numbers(b))).filter(|_| all >= cases::LARGEST)
    {
        let problem = "expected an id from a prompt, and fewer than 2^28 numbers in all the cases";
        return Err(InputError::call(&largest.place, format_args!("found case {}, {problem}", largest.id)));
    }
    for found in results {
        let Found { place, id, trace, order } = found;
        let wrong = |problem: &str| InputError::call(place, format_args!("found case {id}, expected {problem}"));
        let case = own.get(id.as_str()).map(|case| (*case).clone()).or_else(|| cases::by_id(id));
        let case = case.ok_or_else(|| wrong("an id from a prompt; problems of your own go with --problems FILE"))?;
        let rows = case.samples.len();
        let reordered = order.as_ref().map(|order| case.reordered(order));
        let case = reordered.unwrap_or(Some(case)).ok_or_else(|| wrong(&format!("an order of its {rows} rows")))?;
        paired.push((case, trace.clone()));
    }
    let ids: HashSet<&str> = results.iter().map(|found| found.id.as_str()).collect();
    let missing = |id: &str| {
        InputError::call("results", format_args!("no result for case {id}, expected one for every case (or --partial)"))
    };
    if let Some(case) = problems.iter().find(|case| !partial && !ids.contains(case.id.as_str())) {
        return Err(missing(&case.id));
    }
    let mut groups = HashSet::new();
    for found in results.iter().filter(|found| !partial && !own.contains_key(found.id.as_str())) {
        // Corners belong to their setting, fresh cases to their seed, count and sizes.
        let group = cases::group(&found.id);
        if groups.insert(group)
            && let Some(id) = cases::companions(&found.id, wish).find(|other| !ids.contains(other.as_str()))
        {
            return Err(missing(&id));
        }
    }
    Ok(paired)
}
