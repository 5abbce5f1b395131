//! Honest files of every kind, made once, and the calls that are made of them spoilt.

use super::spoil::{self, Dice};
use super::{Call, not_text};
use crate::opd::Place;
use crate::{PROBLEM, said};
use std::ffi::OsString;
use std::fmt::Write as _;

pub struct Material {
    instances: Vec<String>,
    rows: Vec<u8>,
    archive: Vec<u8>,
    arrays: Vec<(String, Vec<u8>)>,
    trace: Vec<u8>,
    problems: String,
    results: String,
    certificate: Vec<u8>,
}

const RUN: &str = "run --mdp p.json --data d.csv --inner 3 --outer 4";
const REQUEST: &str = r#"{"id":7,"instance":"chain","setting":"discounted","c":"1","policy":[["1/2","1/2"],["1/2","1/2"],[1,0]],
    "ask":["value","occupancy","theta","coverage","optimal"]}"#;
const ITERATES: &str = r#"{"id":"gap","model":MODEL,"setting":"discounted","policy":[[1,0],[0,1]],"thetas":[[0,1],["1/2","1/3"]],
    "betas":[[1,1],[0.5,2]],"policies":[[[0.5,0.5],[1,0]],[[0,1],["1/4","3/4"]]],"ask":["gap","regrets"]}"#;

impl Material {
    pub fn new() -> Self {
        let place = Place::new();
        place.write("p.json", PROBLEM.as_bytes());
        for file in ["d.csv", "d.npz"] {
            said(&place, &format!("sample --mdp p.json --rows 12 --out {file}"));
        }
        said(&place, &format!("{RUN} --trace t.jsonl --trace-inner --trace-policy"));
        said(&place, "certify --mdp p.json --inner 2 --outer 2 --certificate c.txt");
        let problems = said(&place, "vectors gen --seed 5 --count 2");
        place.write("v.jsonl", problems.as_bytes());
        let read = |name: &str| std::fs::read(place.path(name)).unwrap();
        let archive = read("d.npz");
        let mut reader = zip::ZipArchive::new(std::io::Cursor::new(&archive)).unwrap();
        let arrays = (0..reader.len()).map(|index| {
            let mut entry = reader.by_index(index).unwrap();
            let mut bytes = Vec::new();
            std::io::Read::read_to_end(&mut entry, &mut bytes).unwrap();
            (entry.name().unwrap().to_string(), bytes)
        });
        Self {
            arrays: arrays.collect(),
            instances: ["chain", "ergodic"].iter().map(|name| said(&place, &format!("instances {name}"))).collect(),
            rows: read("d.csv"),
            trace: read("t.jsonl"),
            results: said(&place, "vectors solve v.jsonl"),
            certificate: read("c.txt"),
            problems,
            archive,
        }
    }

    /// The call of a seed; the kinds take turns.
    pub fn hostile(&self, seed: u64, dice: &mut Dice) -> Call {
        let mut call = match seed % 15 {
            0 => self.problem(dice, "audit --mdp p.json --html r.html"),
            1 | 2 => {
                let command = dice.pick(&[
                    "coverage --mdp p.json",
                    "tune --mdp p.json --outer 10",
                    "tune --mdp p.json --epsilon 1/2 --setting average --c 1/2",
                    "certify --mdp p.json --inner 2 --outer 2 --out c.json --certificate c.txt",
                    "certify --mdp p.json --inner 2 --outer 2 --setting average",
                    "sample --mdp p.json --rows 5 --out o.npz",
                    "sample --mdp p.json --rows 5 --setting average",
                    "run --mdp p.json --inner 2 --outer 2 --c 1/2 --trace t.jsonl",
                    "run --mdp p.json --inner 2 --outer 2 --setting average --html r.html",
                ]);
                self.problem(dice, command)
            }
            3 => {
                let command = dice.pick(&[RUN, "certify --mdp p.json --data d.csv --inner 3 --outer 4"]);
                let rows = if dice.chance(2) { spoil::bytes(dice, self.rows.clone()) } else { self.cell(dice) };
                Call::new(command).file("p.json", PROBLEM.into()).file("d.csv", rows)
            }
            4 => {
                let archive = spoil::bytes(dice, self.archive.clone());
                Call::new(&RUN.replace("d.csv", "d.npz")).file("p.json", PROBLEM.into()).file("d.npz", archive)
            }
            5 => {
                let archive = self.repaired(dice);
                Call::new(&RUN.replace("d.csv", "d.npz")).file("p.json", PROBLEM.into()).file("d.npz", archive)
            }
            6 => {
                let spoilt =
                    if dice.chance(2) { spoil::bytes(dice, self.trace.clone()) } else { lines(dice, &self.trace) };
                Call::new("compare a.jsonl b.jsonl").file("a.jsonl", self.trace.clone()).file("b.jsonl", spoilt)
            }
            7 | 8 => Call::new("oracle").stdin(self.requests(dice)),
            9 => {
                let problems = match dice.below(3) {
                    0 => spoil::bytes(dice, self.problems.clone().into_bytes()),
                    1 => lines(dice, self.problems.as_bytes()),
                    _ => hollow(dice),
                };
                if dice.chance(3) {
                    let result = r#"{"id":"hollow","steps":[]}"#;
                    return Call::new("vectors check --problems v.jsonl")
                        .file("v.jsonl", problems)
                        .stdin(result.into());
                }
                Call::new("vectors solve").stdin(problems)
            }
            10 => {
                let results = if dice.chance(2) {
                    spoil::bytes(dice, self.results.clone().into_bytes())
                } else {
                    lines(dice, self.results.as_bytes())
                };
                let flags = dice.pick(&["", "--precision f32", "--own-draws", "--partial", "--factor 0"]);
                Call::new(&format!("vectors check --problems v.jsonl {flags}"))
                    .file("v.jsonl", self.problems.clone().into_bytes())
                    .stdin(results)
            }
            11 => Call::new(dice.pick(&["check c.txt", "check --model c.txt"]))
                .file("c.txt", spoil::bytes(dice, self.certificate.clone())),
            12 => self.words(dice),
            13 => self.places(dice),
            _ => large(dice),
        };
        if dice.chance(4) {
            call.arguments.push(dice.pick(&["--json", "--quiet", "--color=always"]).into());
        }
        call
    }

    fn problem(&self, dice: &mut Dice, command: &str) -> Call {
        let honest = if dice.chance(2) { PROBLEM } else { &self.instances[dice.below(self.instances.len())] };
        let spoilt = if dice.chance(3) { spoil::bytes(dice, honest.into()) } else { spoil::json(dice, honest) };
        Call::new(command).file("p.json", spoilt)
    }

    /// The data with one cell replaced.
    fn cell(&self, dice: &mut Dice) -> Vec<u8> {
        let text = String::from_utf8(self.rows.clone()).unwrap();
        let mut rows: Vec<Vec<String>> = text.lines().map(|row| row.split(',').map(str::to_owned).collect()).collect();
        let row = dice.below(rows.len());
        let column = dice.below(rows[row].len());
        rows[row][column] = spoil::surprise(dice);
        rows.iter().map(|row| row.join(",") + "\n").collect::<String>().into_bytes()
    }

    /// Arrays spoilt, and the checksums right.
    fn repaired(&self, dice: &mut Dice) -> Vec<u8> {
        use std::io::Write as _;
        let mut archive = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
        let which = dice.below(self.arrays.len());
        for (index, (name, bytes)) in self.arrays.iter().enumerate() {
            let name = if index == which && dice.chance(6) { spoil::surprise(dice) } else { name.clone() };
            let bytes = if index == which { spoil::bytes(dice, bytes.clone()) } else { bytes.clone() };
            let method = if dice.chance(2) { zip::CompressionMethod::Deflated } else { zip::CompressionMethod::Stored };
            let options = zip::write::SimpleFileOptions::default().compression_method(method);
            if archive.start_file(name, options).is_ok() {
                archive.write_all(&bytes).unwrap();
            }
        }
        archive.finish().unwrap().into_inner()
    }

    fn requests(&self, dice: &mut Dice) -> Vec<u8> {
        let mut lines = Vec::new();
        for _ in 0..=dice.below(3) {
            let model = if dice.chance(2) { PROBLEM } else { &self.instances[dice.below(self.instances.len())] };
            let one = if dice.chance(2) { REQUEST.to_owned() } else { ITERATES.replace("MODEL", model) };
            let one = one.replace('\n', " ");
            lines.extend(if dice.chance(3) { spoil::bytes(dice, one.into_bytes()) } else { spoil::json(dice, &one) });
            lines.push(b'\n');
        }
        lines
    }

    /// Words of a call replaced, left out, doubled.
    fn words(&self, dice: &mut Dice) -> Call {
        const CALLS: &[&str] = &[
            "audit --instance chain",
            "run --mdp p.json --data d.csv --inner 3 --outer 4 --alpha 1 --eta 0.5 --zeta 0.25 --radius-theta 2 --radius-beta 3 --seed 1",
            "run --mdp p.json --data d.csv --inner 3 --outer 4 --setting discounted --c 1/2 --verify",
            "certify --instance chain --inner 2 --outer 2 --seed 3",
            "sample --instance chain --rows 7 --seed 3 --setting discounted",
            "tune --samples 1000 --radius-theta 10 --radius-beta 5 --feature-bound 1 --actions 2 --discount 0.9",
            "tune --instance ergodic --setting average --outer 10 --c 1",
            "coverage --instance chain",
            "compare a.jsonl a.jsonl --tolerance 1e-3",
            "vectors gen --seed 1 --count 2 --states 2 --actions 2 --dim 3 --inner 2 --outer 2",
            "vectors solve a.jsonl",
            "instances chain",
            "completions bash",
            "man run",
            "oracle --budget 1",
        ];
        const VALUES: &[&str] = &[
            "",
            " ",
            "0",
            "-1",
            "-5",
            "1",
            "2",
            "3.5",
            "1e3",
            "1e-320",
            "1e400",
            "nan",
            "-inf",
            "inf",
            "1/3",
            "1/0",
            "18446744073709551616",
            "٣",
            "x",
            "--",
            "-",
            "--inner",
            "--json",
            "a\nb",
            "\x1b[31mred",
            "\u{202e}evil",
            "discounted",
            "average",
            "1/2",
            "0.5",
            "/",
            "/dev/null",
            "p.json",
            "d.csv",
            ".",
            "--help=no",
            "@p.json",
        ];
        let mut call = Call::new(dice.pick(CALLS))
            .file("p.json", PROBLEM.into())
            .file("d.csv", self.rows.clone())
            .file("a.jsonl", self.trace.clone());
        // What a caller asks to go on without end is no mistake of the program.
        let endless = |words: &[OsString], at: usize| {
            at > 0 && ["--rows", "--inner", "--outer"].iter().any(|flag| words[at - 1] == *flag)
        };
        for _ in 0..=dice.below(2) {
            let at = dice.below(call.arguments.len());
            let value = match dice.below(14) {
                0 => not_text(),
                1 => "9".repeat(1 + dice.below(3000)).into(),
                2 => "x".repeat(1 + dice.below(100_000)).into(),
                3 if !endless(&call.arguments, at) => "18446744073709551615".into(),
                _ => dice.pick(VALUES).into(),
            };
            match dice.below(6) {
                0 => drop(call.arguments.remove(at)),
                1 => call.arguments.insert(at, call.arguments[at].clone()),
                _ => call.arguments[at] = value,
            }
            if call.arguments.is_empty() {
                call.arguments.push("--version".into());
            }
        }
        call
    }

    /// Outputs where none can be, inputs that are none.
    fn places(&self, dice: &mut Dice) -> Call {
        let long = "n".repeat(300);
        let deep = "d/".repeat(3000);
        let place = dice.pick(&[
            ".",
            "/",
            "",
            "no/such/file",
            "/dev/full",
            "/dev/null",
            "p.json",
            "d.csv",
            "./p.json",
            "/proc/self/mem",
            "out\u{1b}",
            &long,
            &deep,
        ]);
        let command = dice.pick(&[
            "run --mdp p.json --data d.csv --inner 3 --outer 4 --trace HERE",
            "run --mdp p.json --data d.csv --inner 3 --outer 4 --trace t.jsonl --html HERE",
            "run --mdp p.json --data HERE --inner 3 --outer 4",
            "run --mdp HERE --data d.csv --inner 3 --outer 4",
            "certify --mdp p.json --inner 2 --outer 2 --out HERE --html r.html",
            "certify --mdp p.json --inner 2 --outer 2 --out c.json --certificate HERE",
            "sample --mdp p.json --rows 5 --out HERE",
            "audit --mdp p.json --html HERE",
            "compare HERE HERE",
            "check HERE",
            "vectors check HERE",
            "vectors solve HERE",
            "vectors check --problems HERE",
            "vectors gen --out HERE",
        ]);
        let mut call = Call::new(command).file("p.json", PROBLEM.into()).file("d.csv", self.rows.clone());
        // The program would write its golden files into a directory that is there.
        let place =
            if command.ends_with("gen --out HERE") && [".", "/", "", "out\u{1b}", "no/such/file"].contains(&place) {
                "p.json"
            } else {
                place
            };
        for argument in &mut call.arguments {
            if argument == "HERE" {
                *argument = place.into();
            }
        }
        call
    }
}

/// One line spoilt as JSON.
fn lines(dice: &mut Dice, text: &[u8]) -> Vec<u8> {
    let text = String::from_utf8(text.to_vec()).unwrap();
    let which = dice.below(text.lines().count());
    let mut all = Vec::new();
    for (index, line) in text.lines().enumerate() {
        all.extend(if index == which { spoil::json(dice, line) } else { line.as_bytes().to_vec() });
        all.push(b'\n');
    }
    all
}

/// A problem whose sizes are claims: where one of them is 0, the others need no numbers.
fn hollow(dice: &mut Dice) -> Vec<u8> {
    const SIZES: [u64; 8] = [0, 1, 2, 1 << 20, 1 << 32, 1 << 40, u64::MAX / 8, u64::MAX];
    let mut size = |most: usize| SIZES[dice.below(most)];
    let (states, inner, outer) = (size(3), size(8), size(3));
    // What the file has to spell out is short; of the rest there may be any number.
    let (actions, dim) = (size(if states == 0 { 8 } else { 3 }), size(3));
    let list = |length: u64, one: &str| format!("[{}]", vec![one; length as usize].join(","));
    let vector = list(dim, "0");
    let features = if states == 0 { "[]".to_owned() } else { list(states, &list(actions, &vector)) };
    let rows = inner.checked_mul(outer).filter(|rows| *rows < 1_000).unwrap_or(0);
    let indices = list(rows, "0");
    format!(
        "{{\"id\":\"hollow\",\"setting\":\"discounted\",\"states\":{states},\"actions\":{actions},\"dim\":{dim},\
         \"features\":{features},\"discount\":0.5,\"alpha\":1,\"eta\":1,\"zeta\":1,\"radius_theta\":1,\"radius_beta\":1,\
         \"inner\":{inner},\"outer\":{outer},\"theta_start\":{vector},\"beta_start\":{vector},\
         \"x0\":{indices},\"x\":{indices},\"a\":{indices},\"r\":{indices},\"x_next\":{indices}}}\n"
    )
    .into_bytes()
}

/// A model that is right and large: one feature that is always 1, or a table.
fn large(dice: &mut Dice) -> Call {
    let (states, actions) =
        *dice.pick(&[&(1, 15_000), &(40_000, 2), &(300, 300), &(1_000, 2), &(30, 2), &(12, 4), &(4, 400)]);
    let problem =
        if states * actions <= 60 && dice.chance(2) { table(states, actions) } else { constant(states, actions) };
    let command = dice.pick(&[
        "audit --mdp p.json",
        "coverage --mdp p.json",
        "certify --mdp p.json --inner 2 --outer 2",
        "tune --mdp p.json --outer 10",
        "tune --mdp p.json --outer 10 --setting average --c 1/2",
        "run --mdp p.json --inner 2 --outer 2",
        "run --mdp p.json --inner 2 --outer 2 --setting average",
        "sample --mdp p.json --rows 5",
        "sample --mdp p.json --rows 5 --setting average",
        "oracle",
        "oracle",
    ]);
    if command == "oracle" {
        let ask = dice.pick(&["value", "coverage", "optimal"]);
        return Call::new(command).stdin(format!("{{\"model\":{problem},\"ask\":[\"{ask}\"]}}\n").into_bytes());
    }
    Call::new(command).file("p.json", problem.into_bytes())
}

fn listed(count: usize, mut one: impl FnMut(usize) -> String) -> String {
    let mut text = "[".to_owned();
    for index in 0..count {
        write!(text, "{}{}", if index == 0 { "" } else { "," }, one(index)).unwrap();
    }
    text + "]"
}

fn constant(states: usize, actions: usize) -> String {
    let features = listed(states, |_| listed(actions, |_| "[1]".to_owned()));
    let (share, each) = (format!("\"1/{states}\""), format!("\"1/{actions}\""));
    let behavior = listed(states, |_| listed(actions, |_| each.clone()));
    let (initial, psi) = (listed(states, |_| share.clone()), listed(states, |_| format!("[{share}]")));
    format!(
        "{{\"discount\":0.5,\"initial\":{initial},\"features\":{features},\"omega\":[0.5],\"psi\":{psi},\"behavior\":{behavior}}}"
    )
}

fn table(states: usize, actions: usize) -> String {
    let pairs = states * actions;
    let unit = |at: usize| listed(pairs, |i| u8::from(i == at).to_string());
    let features = listed(states, |x| listed(actions, |a| unit(x * actions + a)));
    let (each, share) = (format!("\"1/{actions}\""), format!("\"1/{states}\""));
    let behavior = listed(states, |_| listed(actions, |_| each.clone()));
    // Every pair leads to one state, with 1/2, or to all of them alike.
    let psi = listed(states, |y| {
        listed(pairs, |pair| {
            let there = usize::from(pair * 7 % states == y);
            format!("\"{}/{}\"", states * there + 1, 2 * states)
        })
    });
    let omega = listed(pairs, |pair| format!("\"{}/{pairs}\"", pair * 5 % pairs));
    let initial = listed(states, |_| share.clone());
    format!(
        "{{\"discount\":0.9,\"initial\":{initial},\"features\":{features},\"omega\":{omega},\"psi\":{psi},\"behavior\":{behavior}}}"
    )
}
