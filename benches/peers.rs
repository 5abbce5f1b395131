//! Our time beside that of other implementations in the same run: `cargo bench --bench peers` prints the tables of
//! `docs/performance.md`. `PYTHON` names a Python with numpy and python-flint, if `python3` is not one. A peer that is absent is
//! said to be. `-- first` prints one table; the others are `second`, `states`, `side-by-side`, `threads` and `exact`.

#[path = "common/problem.rs"]
mod problem;
#[path = "common/system.rs"]
mod system;

use offline_primal_dual::linear::solve::solve;
use offline_primal_dual::number::exact::BigRational;
use problem::{Problem, SHAPES, STATES};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

/// Samples per timed run: short, so that some run goes undisturbed on a busy machine. The least time counts.
const ROWS: usize = 3_000;
/// Ours and the peers' take turns this often.
const ROUNDS: usize = 5;

/// The least nanoseconds of `repetitions` runs, and the last result.
fn least<V>(repetitions: usize, mut work: impl FnMut() -> V) -> (f64, V) {
    let mut timed = || {
        let start = Instant::now();
        let result = work();
        (start.elapsed().as_nanos() as f64, result)
    };
    let (mut best, mut result) = timed();
    for _ in 1..repetitions {
        let again = timed();
        (best, result) = (best.min(again.0), again.1);
    }
    (best, result)
}

/// What a peer printed: its nanoseconds, and its proof of work.
fn ask(peer: &mut Command) -> Result<(f64, String), String> {
    let said = peer.output().map_err(|e| format!("{peer:?}: {e}"))?;
    let lines = String::from_utf8_lossy(&said.stdout);
    match lines.split_whitespace().collect::<Vec<_>>()[..] {
        [nanoseconds, check] if said.status.success() => {
            Ok((nanoseconds.parse().map_err(|e| format!("{nanoseconds}: {e}"))?, check.to_owned()))
        }
        _ => Err(String::from_utf8_lossy(&said.stderr).lines().last().unwrap_or("no answer").to_owned()),
    }
}

fn source(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("benches").join(name)
}

fn python(arguments: &[&dyn ToString]) -> Command {
    let mut command = Command::new(std::env::var_os("PYTHON").unwrap_or_else(|| "python3".into()));
    command.arg(source("peer.py")).args(arguments.iter().map(|a| a.to_string()));
    command
}

fn compile_c() -> Result<PathBuf, String> {
    let program = std::env::temp_dir().join(format!("opd-peer-{}", std::process::id()));
    let mut gcc = Command::new("gcc");
    gcc.args(["-O3", "-march=native", "-ffast-math", "-o"]).arg(&program).arg(source("peer.c")).arg("-lm");
    match gcc.status() {
        Ok(status) if status.success() => Ok(program),
        other => Err(format!("gcc: {other:?}")),
    }
}

/// A cell of a table; a time that nobody measured is infinite.
fn cell(number: f64, digits: usize) -> String {
    if number.is_finite() { format!(" {number:.digits$} |") } else { " absent |".to_owned() }
}

type Ask = Box<dyn Fn(usize, usize) -> Command>;

fn against_algorithm(algorithm: usize, states: usize, shapes: &[(usize, usize)], run: fn(&Problem, &mut [f64]) -> f64) {
    let c = compile_c();
    let c_peer = |alignment: usize| -> Ask {
        let program = c.clone().unwrap_or_else(|_| "no-gcc".into());
        Box::new(move |actions, dim| {
            let mut command = Command::new(&program);
            command.args([algorithm, actions, dim, ROWS, alignment, states].map(|x| x.to_string()));
            command
        })
    };
    let peers: [(&str, usize, Ask); 3] = [
        ("C, features where malloc puts them", ROUNDS, c_peer(0)),
        ("C, features on a cache line", ROUNDS, c_peer(64)),
        (
            "NumPy (examples/numpy)",
            // A large table takes Python minutes to make.
            usize::from(states == STATES),
            Box::new(move |actions, dim| python(&[&"numpy", &algorithm, &actions, &dim, &ROWS])),
        ),
    ];
    let mut rows: Vec<String> = peers.iter().map(|(name, ..)| format!("| {name} |")).collect();
    let mut ours_row = "| ours, ns per sample |".to_owned();
    let mut absent = Vec::new();
    for &(actions, dim) in shapes {
        let problem = Problem::with_states(states, actions, dim, ROWS);
        let mut buffer = problem::buffer(actions, dim);
        let (mut ours, mut theirs) = (f64::INFINITY, [f64::INFINITY; 3]);
        for round in 0..ROUNDS {
            let (nanoseconds, check) = least(100, || run(&problem, &mut buffer));
            ours = ours.min(nanoseconds / ROWS as f64);
            for ((name, rounds, peer), best) in peers.iter().zip(&mut theirs) {
                if round >= *rounds {
                    continue;
                }
                match ask(&mut peer(actions, dim)) {
                    Ok((nanoseconds, their_check)) => {
                        // A guard against timing something else; agreement is the conformance kit's subject.
                        let their_check: f64 = their_check.parse().expect("a number");
                        assert!((their_check - check).abs() < 1e-6, "{name} computed {their_check}, we {check}");
                        *best = best.min(nanoseconds);
                    }
                    Err(problem) => absent.push(format!("{name}: absent: {problem}")),
                }
            }
        }
        ours_row.push_str(&cell(ours, 0));
        for (row, best) in rows.iter_mut().zip(theirs) {
            row.push_str(&cell(best / ours, 2));
        }
    }
    let heads: Vec<String> = shapes.iter().map(|(a, d)| format!(" {a}, {d} |")).collect();
    println!("Algorithm {algorithm}, c = 1, n = {ROWS}, {states} states: the peer's time divided by ours\n");
    println!("| \\|A\\|, d |{}\n|---|{}", heads.concat(), "---|".repeat(shapes.len()));
    let asked = rows.iter().zip(&peers).filter(|(_, (_, rounds, _))| *rounds > 0);
    let rows: Vec<&str> = asked.map(|(row, _)| row.as_str()).collect();
    println!("{}\n{ours_row}\n", rows.join("\n"));
    if let Some(first) = absent.first() {
        println!("{first}\n");
    }
    if let Ok(program) = c {
        std::fs::remove_file(program).expect("the program that was just built");
    }
}

/// How much sooner sixteen runs on the same samples are done eight by eight, side by side, on one thread and on two, than one after the other on one.
fn side_by_side() {
    let (head, rule) = (" one thread | two threads |".repeat(2), "---|".repeat(5));
    // Long enough that a thread's beginning and end are no part of what is measured.
    let n = 100_000;
    println!("Algorithm 1, n = {n}: runs one after the other on one thread, divided by eight side by side on each\n");
    println!("| | K = 100 | | K = 10 … 17 | |\n|{rule}\n| \\|A\\|, d |{head}");
    for (actions, dim) in [(2, 2), (4, 4), (4, 8), (4, 16), (4, 64)] {
        let problem = Problem::new(actions, dim, n);
        let mut row = format!("| {actions}, {dim} |");
        for same in [true, false] {
            let mut best = [f64::INFINITY; 3];
            for _ in 0..ROUNDS {
                let checks = [0, 1, 2].map(|threads| {
                    let (time, check) = least(2, || problem.run_sixteen(threads, same));
                    best[threads] = best[threads].min(time);
                    check.to_bits()
                });
                assert_eq!(checks, [checks[0]; 3], "lanes or threads changed a bit");
            }
            row.push_str(&[1, 2].map(|threads| cell(best[0] / best[threads], 2)).concat());
        }
        println!("{row}");
    }
    println!();
}

/// How much sooner two threads are done with one run than one: a thread is handed whole blocks, of 64 samples or 32.
fn threads() {
    println!("Algorithm 1, n = 100,000: one thread's time divided by two threads', and one thread's ns per sample\n");
    println!("| \\|A\\|, d | K = 100 | K = 1,000 | K = 10,000 | ns |\n|---|---|---|---|---|");
    for (actions, dim) in [(4, 16), (4, 64), (16, 16), (4, 128), (16, 32), (4, 256), (16, 64)] {
        let problem = Problem::new(actions, dim, 100_000);
        let mut buffer = problem::buffer(actions, dim);
        let (mut row, mut ns) = (format!("| {actions}, {dim} |"), 0.0);
        for inner in [100, 1_000, 10_000] {
            let mut best = [f64::INFINITY; 2];
            for _ in 0..ROUNDS {
                let checks = [1, 2].map(|n| {
                    let (time, check) = least(3, || problem.run_on(n, inner, &mut buffer));
                    best[n - 1] = best[n - 1].min(time);
                    check.to_bits()
                });
                assert_eq!(checks[0], checks[1], "threads changed a bit");
            }
            row.push_str(&cell(best[0] / best[1], 2));
            ns = best[0] / problem.samples.len() as f64;
        }
        println!("{row}{}", cell(ns, 0));
    }
    println!();
}

fn against_exact_solves() {
    println!(
        "Exact solves of rational systems: the peer's time divided by ours\n\n| n | python-flint | ours, ms |\n|---|---|---|"
    );
    for n in [20, 40] {
        let (matrix, right) = system::system(n);
        let (ours, solution): (f64, Vec<BigRational>) = least(20, || {
            let (mut a, mut b) = (matrix.clone(), right.clone());
            solve(n, &mut a, &mut b).expect("a regular system");
            b
        });
        let ratio = match ask(&mut python(&[&"flint", &n])) {
            Ok((theirs, first)) => {
                assert_eq!(first, solution[0].to_string(), "the two solutions differ");
                format!("{:.2}", theirs / ours)
            }
            Err(problem) => format!("absent ({problem})"),
        };
        println!("| {n} | {ratio} | {:.1} |", ours / 1e6);
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    // `cargo test --benches` builds and starts benches too; there is nothing to test here.
    if !arguments.iter().any(|a| a == "--bench") {
        return;
    }
    let tables: [(&str, fn()); 6] = [
        ("first", || against_algorithm(1, STATES, &SHAPES, Problem::run_discounted)),
        ("second", || against_algorithm(2, STATES, &SHAPES, Problem::run_average)),
        // Where hardly a state comes twice, and no cache of a core's own holds the features.
        ("states", || against_algorithm(1, 100_000, &[(4, 4), (4, 16), (4, 64)], Problem::run_discounted)),
        ("side-by-side", side_by_side),
        ("threads", threads),
        ("exact", against_exact_solves),
    ];
    let wanted: Vec<&String> = arguments.iter().filter(|a| !a.starts_with("--")).collect();
    for (name, table) in tables {
        if wanted.is_empty() || wanted.iter().any(|w| *w == name) {
            table();
        }
    }
}
