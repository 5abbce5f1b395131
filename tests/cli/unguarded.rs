//! What mutants of the program and its readers showed to be guarded by nothing: each number, refusal or file held against what it is by
//! definition, or by hand.

use crate::opd::{Place, floats, integers, npz, opd};
use crate::{PROBLEM, json, said};
use offline_primal_dual::data::number::Number as _;
use offline_primal_dual::number::Field as _;
use offline_primal_dual::number::exact::BigRational as Q;
use offline_primal_dual::sampler::Uniforms;
use std::fs;
use std::process::{Command, Stdio};

/// Radii for features without a model, and a trace of everything.
const RUN: &str = "run --inner 2 --outer 2 --radius-theta 3 --radius-beta 2 --trace t.jsonl --trace-inner";

/// Tabular, two states, two actions: of both states action 1 is the better one.
fn tabular(behavior: &str) -> String {
    format!(
        r#"{{"discount": "1/2", "initial": ["1/2", "1/2"], "features": [[[1, 0, 0, 0], [0, 1, 0, 0]], [[0, 0, 1, 0], [0, 0, 0, 1]]],
            "omega": [0, "1/2", "1/4", 1], "psi": [[1, "1/2", "1/2", "1/4"], [0, "1/2", "1/2", "3/4"]], "behavior": {behavior}}}"#
    )
}

fn refused(place: &Place, call: &str, told: &str) {
    let output = opd(place, call);
    assert_eq!((output.code, output.stderr.contains(told)), (Some(2), true), "{call}: {}", output.stderr);
    assert_eq!(output.stderr.lines().count(), 1, "{call}: {}", output.stderr);
}

/// The words of a certificate, one after the other.
struct Words<'t>(std::str::SplitAsciiWhitespace<'t>);

impl<'t> Words<'t> {
    fn next(&mut self) -> &'t str {
        self.0.next().expect("a word")
    }

    fn expect(&mut self, word: &str) {
        assert_eq!(self.next(), word);
    }

    fn numbers(&mut self, count: usize) -> Vec<Q> {
        (0..count).map(|_| Q::parse(self.next()).unwrap()).collect()
    }

    /// What follows a name: a count.
    fn count(&mut self, name: &str) -> usize {
        self.expect(name);
        self.next().parse().unwrap()
    }

    /// Both ends, and whether it is said to be exact.
    fn claim(&mut self, name: &str) -> ([Q; 2], bool) {
        self.expect(name);
        let exact = self.next() == "exact";
        let ends = self.numbers(if exact { 1 } else { 2 });
        ([ends[0].clone(), ends[ends.len() - 1].clone()], exact)
    }
}

fn dot(x: &[Q], y: &[Q]) -> Q {
    x.iter().zip(y).fold(Q::zero(), |sum, (x, y)| sum + x.clone() * y.clone())
}

fn greater(x: Q, y: Q) -> Q {
    if y > x { y } else { x }
}

/// The model of a certificate.
struct Model {
    average: bool,
    actions: usize,
    discount: Q,
    initial: Vec<Q>,
    rewards: Vec<Q>,
    /// By (x, a), then x'.
    transitions: Vec<Vec<Q>>,
}

impl Model {
    /// The return that a witness promises and its slack, which is exactly the size of its residual: |π(r + γPv) − v − g|, and of the best
    /// also r + γPv − v − g.
    fn witness(&self, words: &mut Words<'_>, best: bool) -> [Q; 2] {
        let states = self.transitions[0].len();
        words.expect("policy");
        let policy = words.numbers(self.rewards.len());
        assert!(policy.chunks(self.actions).all(|row| dot(row, &vec![Q::one(); self.actions]) == Q::one()));
        let gain = if self.average {
            words.expect("gain");
            words.numbers(1).remove(0)
        } else {
            Q::zero()
        };
        words.expect("value");
        let value = words.numbers(states);
        words.expect("slack");
        let slack = words.numbers(1).remove(0);
        let q: Vec<Q> = self
            .rewards
            .iter()
            .zip(&self.transitions)
            .map(|(r, next)| r.clone() + self.discount.clone() * dot(next, &value))
            .collect();
        let mut residual = Q::zero();
        for (x, v) in value.iter().enumerate() {
            let row = x * self.actions..(x + 1) * self.actions;
            let aim = v.clone() + gain.clone();
            let miss = dot(&policy[row.clone()], &q[row.clone()]) - aim.clone();
            residual = greater(greater(residual, miss.clone()), -miss);
            for q in &q[row] {
                residual = if best { greater(residual, q.clone() - aim.clone()) } else { residual };
            }
        }
        assert!(slack == residual, "slack {slack}, residual {residual}");
        let value = if self.average { gain } else { (Q::one() - self.discount.clone()) * dot(&self.initial, &value) };
        [value, slack]
    }
}

/// `docs/certificates.md`, What is checked, once more: and the claims are not only implied by what the witnesses show, but all of it.
/// Whether they are exact.
fn judged(text: &str) -> bool {
    let mut words = Words(text.split_ascii_whitespace());
    words.expect("opd-certificate");
    words.expect("1");
    words.expect("name");
    words.next();
    words.expect("setting");
    let average = words.next() == "average";
    let (optimum, loss) = (words.claim("optimum"), words.claim("suboptimality"));
    let iterations = words.count("iterations");
    let [states, actions, dim] = ["states", "actions", "dimension"].map(|name| words.count(name));
    let (mut discount, mut initial) = (Q::one(), Vec::new());
    if !average {
        words.expect("discount");
        discount = words.numbers(1).remove(0);
        words.expect("initial");
        initial = words.numbers(states);
    }
    let [features, omega, psi] = [("features", states * actions), ("omega", 1), ("psi", states)].map(|(name, rows)| {
        words.expect(name);
        words.numbers(rows * dim)
    });
    let rewards = features.chunks(dim).map(|phi| dot(phi, &omega)).collect();
    let transitions = features.chunks(dim).map(|phi| psi.chunks(dim).map(|psi| dot(phi, psi)).collect()).collect();
    let model = Model { average, actions, discount, initial, rewards, transitions };
    words.expect("best");
    let [best, best_slack] = model.witness(&mut words, true);
    let (mut mean, mut slack, mut played) = (Q::zero(), Q::zero(), 0);
    for _ in 0..words.count("policies") {
        let times = words.count("times");
        let [value, own] = model.witness(&mut words, false);
        let share = Q::from_int(times.try_into().unwrap()) / Q::from_int(iterations.try_into().unwrap());
        mean += value * share.clone();
        slack += own * share;
        played += times;
    }
    words.expect("end");
    assert_eq!((played, words.0.next()), (iterations, None));
    let wide = best_slack.clone() + slack;
    let lost = best.clone() - mean;
    assert!(optimum.0 == [best.clone() - best_slack.clone(), best + best_slack], "optimum {:?}", optimum.0);
    assert!(loss.0 == [greater(Q::zero(), lost.clone() - wide.clone()), lost + wide.clone()], "loss {:?}", loss.0);
    assert_eq!((optimum.1, loss.1), (wide == Q::zero(), wide == Q::zero()));
    wide == Q::zero()
}

/// A ring of ten states with one action, that goes on with probability 1/3 and pays x/9: the policy played is the best one.
fn ring() -> String {
    let list = |entry: &dyn Fn(usize) -> String| format!("[{}]", (0..10).map(entry).collect::<Vec<_>>().join(","));
    let unit = |x: usize| list(&|i| usize::from(i == x).to_string());
    let into = |y: usize| {
        list(&|x| {
            [("\"2/3\"", y), ("\"1/3\"", (y + 9) % 10)]
                .iter()
                .find(|(_, from)| *from == x)
                .map_or("0", |(p, _)| p)
                .to_owned()
        })
    };
    format!(
        r#"{{"discount": "9/10", "initial": {}, "features": {}, "omega": {}, "psi": {}, "behavior": {}}}"#,
        list(&|x| usize::from(x == 0).to_string()),
        list(&|x| format!("[{}]", unit(x))),
        list(&|x| format!("\"{x}/9\"")),
        list(&into),
        list(&|_| "[1]".to_owned())
    )
}

/// A checker of certificates, as small as can be: exact witnesses and witnesses in doubles, of many policies, of one, and of the best.
#[test]
fn certificates_claim_what_their_witnesses_show() {
    let place = Place::new();
    place.write("ring.json", ring().as_bytes());
    for (call, exact) in [
        ("--instance chain --inner 4 --outer 5 --seed 3", true),
        ("--instance ergodic --setting average --inner 4 --outer 5 --seed 3", true),
        ("--instance chain --inner 2 --outer 801 --eta 1000 --radius-theta 1 --alpha 0.0001", false),
        ("--mdp ring.json --setting average --inner 1 --outer 101", false),
        ("--mdp ring.json --inner 1 --outer 101", false),
    ] {
        said(&place, &format!("certify {call} --certificate c.cert -q"));
        let text = fs::read_to_string(place.path("c.cert")).unwrap();
        assert_eq!(judged(&text), exact, "{call}");
    }
}

/// What a file lacks is drawn from streams of its own: the file with those draws written out is the same run.
#[test]
fn what_is_drawn_is_what_the_seed_says() {
    let place = Place::new();
    place.write("p.json", PROBLEM.as_bytes());
    let rows = ["0,0,0.5,1", "1,1,1,0", "0,1,1,1", "0,1,1,1", "0,0,0.5,1", "1,1,1,0"];
    let file = |head: &str, rows: &[String]| format!("{head}\n{}\n", rows.join("\n"));
    place.write("d.csv", file("x,a,r,x_next", &rows.map(str::to_owned)).as_bytes());
    for (setting, column, bit) in [("discounted", "x0", 62), ("average", "u", 63)] {
        for seed in [1, (1 << 63) + (1 << 62) + 1] {
            let mut stream = Uniforms::new(seed ^ (1 << bit));
            // `initial` is (1/2, 1/2).
            let mut drawn = || {
                if column == "u" { stream.unit().to_string() } else { usize::from(stream.unit() >= 0.5).to_string() }
            };
            let complete = rows.map(|row| format!("{},{row}", drawn()));
            place.write("complete.csv", file(&format!("{column},x,a,r,x_next"), &complete).as_bytes());
            let traced = |data: &str| {
                said(&place, &format!("{RUN} --mdp p.json --setting {setting} --data {data} --seed {seed} --alpha 30"));
                fs::read_to_string(place.path("t.jsonl")).unwrap()
            };
            assert_eq!(traced("d.csv"), traced("complete.csv"), "{setting} {seed}");
        }
    }
}

/// Episodes in an archive, their ends as integers or as floats: the complete file that they stand for.
#[test]
fn archives_mark_the_ends_of_episodes() {
    let place = Place::new();
    let features = r#"{"discount": "9/10", "features": [[[1, 0, 0, 0], [0, 1, 0, 0]], [[0, 0, 1, 0], [0, 0, 0, 1]]]}"#;
    place.write("f.json", features.as_bytes());
    place.write("complete.csv", b"x0,x,a,r,x_next\n1,1,0,0.5,0\n1,0,0,0.5,0\n0,0,1,1,1\n1,1,1,1,1\n");
    let traced = |data: &str| {
        said(&place, &format!("{RUN} --mdp f.json --data {data}"));
        fs::read_to_string(place.path("t.jsonl")).unwrap()
    };
    let expected = traced("complete.csv");
    let fortran = |mut array: Vec<u8>| {
        let at = array.windows(5).position(|word| word == b"False").unwrap();
        array[at..at + 5].copy_from_slice(b"True ");
        array
    };
    let archive = |terminal: Vec<u8>, timeout: Vec<u8>| {
        npz(&[
            ("x.npy", integers(&[1, 0, 0, 1])),
            // One dimension has no order, whatever its header says.
            ("a.npy", fortran(integers(&[0, 0, 1, 1]))),
            ("r.npy", floats(&[0.5, 0.5, 1.0, 1.0])),
            ("x_next.npy", integers(&[0, 1, 1, 1])),
            ("terminal.npy", terminal),
            ("timeout.npy", timeout),
        ])
    };
    let (terminal, timeout) = ([0, 1, 0, 0], [0, 0, 1, 0]);
    let as_floats = |marks: [i64; 4]| floats(&marks.map(|mark| if mark == 1 { 1.0 } else { 0.0 }));
    for marks in [(integers(&terminal), as_floats(timeout)), (as_floats(terminal), integers(&timeout))] {
        place.write("d.npz", &archive(marks.0, marks.1));
        // The state after the terminal row is 1 in the file, and the absorbing one is 0.
        assert_eq!(traced("d.npz --absorbing 0"), expected);
    }
    place.write("d.npz", &archive(integers(&[0, 2, 0, 0]), integers(&timeout)));
    refused(&place, &format!("{RUN} --mdp f.json --data d.npz"), "d.npz: terminal[1]: found `2`, expected 0 or 1");
}

/// Rows that have to be completed are read to the end too: a wrong checksum after those that were used is told.
#[test]
fn damage_after_completed_rows_is_refused() {
    let place = Place::new();
    place.write("p.json", PROBLEM.as_bytes());
    let many = integers(&vec![0; 40_000]);
    let mut archive = npz(&[
        ("x.npy", many.clone()),
        ("a.npy", many.clone()),
        ("x_next.npy", many),
        ("r.npy", floats(&vec![0.5; 40_000])),
    ]);
    place.write("d.npz", &archive);
    said(&place, &format!("{RUN} --mdp p.json --data d.npz"));
    // The central directory's checksum of the rewards.
    let at =
        archive.windows(51).rposition(|entry| entry.starts_with(b"PK\x01\x02") && entry.ends_with(b"r.npy")).unwrap();
    archive[at + 16] ^= 1;
    place.write("d.npz", &archive);
    refused(&place, &format!("{RUN} --mdp p.json --data d.npz"), "d.npz: r: cannot read");
}

/// A problem without a name has its file's, and an archive says every matrix as shortly as it can.
#[test]
fn what_convert_writes() {
    let place = Place::new();
    place.write("p.json", PROBLEM.as_bytes());
    said(&place, "convert --mdp p.json --out q.json");
    assert_eq!(json(&place, "convert --mdp p.json --out q.json --json")["file"], "q.json");
    let written: serde_json::Value = serde_json::from_str(&fs::read_to_string(place.path("q.json")).unwrap()).unwrap();
    assert_eq!(written["name"], "p");
    let arrays = |call: &str| -> Vec<String> {
        said(&place, &format!("convert {call} --out q.npz"));
        let archive = zip::ZipArchive::new(fs::File::open(place.path("q.npz")).unwrap()).unwrap();
        archive.file_names().map(|name| name.unwrap().trim_end_matches(".npy").to_owned()).collect()
    };
    // Unit vectors are their place; Ψ of the ring has two of ten entries, that of the chain two of five.
    place.write("ring.json", ring().as_bytes());
    let sparse = ["psi_data", "psi_indices", "psi_indptr", "psi_shape"];
    assert_eq!(
        arrays("--mdp ring.json"),
        [&["name", "discount", "features", "initial", "omega"][..], &sparse, &["behavior"]].concat()
    );
    assert_eq!(arrays("--instance chain"), ["name", "discount", "features", "initial", "omega", "psi", "behavior"]);
    let header = {
        let mut archive = zip::ZipArchive::new(fs::File::open(place.path("q.npz")).unwrap()).unwrap();
        let mut bytes = Vec::new();
        std::io::Read::read_to_end(&mut archive.by_name("features.npy").unwrap(), &mut bytes).unwrap();
        String::from_utf8_lossy(&bytes[..128]).into_owned()
    };
    assert!(header.contains("'<i8'") && header.contains("(5, 2)"), "{header}");
}

/// A run that goes on says how many rows that took, leaves no half of a mixture, and begins after an iteration that there is.
#[test]
fn a_run_that_goes_on_counts_its_rows() {
    let place = Place::new();
    place.write("p.json", PROBLEM.as_bytes());
    for (setting, all, rest) in [("discounted", 80, 24), ("average", 100, 30)] {
        said(&place, &format!("sample --mdp p.json --setting {setting} --rows {all} --seed 9 --out d.csv"));
        let run = format!("run --mdp p.json --setting {setting} --data d.csv --inner 4 --outer 20");
        let line = |call: &str| {
            let text = said(&place, call);
            text.lines().find_map(|line| line.strip_prefix("rows ")).unwrap().trim().to_owned()
        };
        assert_eq!(line(&format!("{run} --checkpoint c.json --checkpoint-every 7")), format!("{all} = K 4, T 20"));
        assert_eq!(
            line(&format!("{run} --resume c.json")),
            format!("{rest}, after the checkpoint, of {all} = K 4, T 20")
        );
        assert_eq!(json(&place, &format!("{run} --resume c.json --json"))["rows"], rest);
        // The last 6 iterations have no π_1 … π_14.
        said(&place, &format!("{run} --resume c.json --policy-out rest.json"));
        refused(&place, "evaluate --mdp p.json --policy rest.json --which mixture", "found no `mixture_theta_sums`");
        let checkpoint = fs::read_to_string(place.path("c.json")).unwrap();
        for t in [0, 20] {
            place.write("bad.json", checkpoint.replace("\"t\":14", &format!("\"t\":{t}")).as_bytes());
            refused(
                &place,
                &format!("{run} --resume bad.json"),
                &format!("bad.json: t: found {t}, expected 1 to 19 as T is 20"),
            );
        }
    }
}

/// Of a file that ends too soon all rows are counted, by every engine, whether the run goes on or begins.
#[test]
fn rows_that_are_not_there_are_counted_from_the_first() {
    let place = Place::new();
    place.write("p.json", PROBLEM.as_bytes());
    for (setting, all) in [("discounted", 80), ("average", 100)] {
        said(&place, &format!("sample --mdp p.json --setting {setting} --rows {all} --seed 9 --out d.csv"));
        let rows = fs::read_to_string(place.path("d.csv")).unwrap();
        let run = format!("run --mdp p.json --setting {setting} --data d.csv --inner 4 --outer 20");
        said(&place, &format!("{run} --checkpoint c.json --checkpoint-every 7"));
        // A header and two rows less; and fewer than the checkpoint is after.
        for found in [all - 2, 9] {
            let few: String = rows.lines().take(1 + found).map(|line| format!("{line}\n")).collect();
            place.write("d.csv", few.as_bytes());
            for flags in [
                "",
                "--plain",
                "--verify",
                "--threads 2",
                "--resume c.json",
                "--resume c.json --plain",
                "--resume c.json --verify",
            ] {
                refused(&place, &format!("{run} {flags}"), &format!("d.csv: found {found} rows, expected {all} = "));
            }
        }
    }
}

/// What cannot be written is told: rows, a checkpoint in the middle of a run.
#[cfg(target_os = "linux")]
#[test]
fn a_full_device_is_told() {
    let place = Place::new();
    for call in ["sample --instance chain --rows 100", "instances", "vectors gen --seed 1 --count 1"] {
        let full = fs::File::options().write(true).open("/dev/full").unwrap();
        let call =
            Command::new(env!("CARGO_BIN_EXE_opd")).args(call.split(' ')).stdout(full).stderr(Stdio::piped()).spawn();
        let output = call.unwrap().wait_with_output().unwrap();
        let told = String::from_utf8(output.stderr).unwrap();
        assert_eq!((output.status.code(), told.contains("standard output: cannot write")), (Some(2), true), "{told}");
    }
    let script =
        "ulimit -f 1; exec \"$0\" run --instance chain --inner 2 --outer 20 --checkpoint c.json --checkpoint-every 1";
    let output = Command::new("sh")
        .args(["-c", script, env!("CARGO_BIN_EXE_opd")])
        .current_dir(place.path("."))
        .output()
        .unwrap();
    let told = String::from_utf8(output.stderr).unwrap();
    assert_eq!((output.status.code(), told.contains("c.json: cannot write")), (Some(2), true), "{told}");
    assert!(place.names().is_empty());
}

/// α = √(2 ln|A|/T)/(D_φD_θ), of features of length 2.
#[test]
fn the_length_of_features_is_the_problems() {
    let place = Place::new();
    let twice = PROBLEM.replace("[[[1, 0], [0, 1]], [[1, 0], [0, 1]]]", "[[[1, 0], [0, 2]], [[1, 0], [0, 2]]]");
    let twice =
        twice.replace("[\"1/2\", 1]", "[0.5, 0.5]").replace("0.25], [\"1/2\", 0.75]", "0.125], [\"1/2\", 0.375]");
    place.write("p.json", twice.as_bytes());
    for setting in ["discounted", "average"] {
        for call in ["tune", "run --inner 9"] {
            let found = json(&place, &format!("{call} --mdp p.json --setting {setting} --outer 50 --json"));
            let [alpha, radius] = ["alpha", "radius_theta"].map(|key| found[key].as_f64().unwrap());
            let expected = (2.0 * 2.0_f64.ln() / 50.0).sqrt() / (2.0 * radius);
            assert!((alpha / expected - 1.0).abs() < 1e-12, "{setting} {call}: {alpha} {expected}");
        }
    }
}

/// Two states that are never left: refused where the model has to say the radii, and run without it where the call does.
#[test]
fn a_model_that_is_not_unichain_needs_radii() {
    let place = Place::new();
    let stuck = tabular("[[0.5, 0.5], [0.5, 0.5]]")
        .replace(r#"[1, "1/2", "1/2", "1/4"], [0, "1/2", "1/2", "3/4"]"#, "[1, 1, 0, 0], [0, 0, 1, 1]");
    place.write("p.json", stuck.as_bytes());
    place.write(
        "d.csv",
        b"u,x,a,r,x_next\n0.1,0,0,0,0\n0.2,0,1,0.5,0\n0.3,1,0,0.25,1\n0.4,1,1,1,1\n0.1,0,0,0,0\n0.7,0,1,0.5,0\n",
    );
    let run = "run --mdp p.json --setting average --data d.csv --inner 2 --outer 2";
    for radii in ["", "--radius-theta 3", "--radius-beta 3"] {
        refused(&place, &format!("{run} {radii}"), "several recurrent classes, expected a unichain policy");
    }
    assert!(json(&place, &format!("{run} --radius-theta 3 --radius-beta 3 --json"))["values"].is_null());
}

/// The data never see (0, 0) either, which π* does not need: what they miss is (1, 1).
#[test]
fn the_direction_that_is_missed_is_one_that_is_needed() {
    let place = Place::new();
    place.write("p.json", tabular("[[0, 1], [1, 0]]").as_bytes());
    refused(&place, "coverage --mdp p.json", "the data never see the direction (0, 0, 0, 1) of the features");
}

/// μ* = (0, 3, 0, 4)/7 and rows with frequencies (0, 3, 0, 1)/4: Σ μ*²/f, Σ (μ*/f)², Σ μ*/f and max μ*/f, and 1, 2, 2, 1 where f = μ*.
#[test]
fn a_page_has_the_coverage_by_its_own_rows() {
    let place = Place::new();
    place.write("p.json", tabular("[[0, 1], [0, 1]]").as_bytes());
    place.write("d.csv", b"x0,x,a,r,x_next\n0,0,1,0.5,0\n0,0,1,0.5,0\n0,0,1,0.5,0\n0,1,1,1,0\n");
    for call in ["run", "certify"] {
        said(&place, &format!("{call} --mdp p.json --data d.csv --inner 2 --outer 2 --html r.html"));
        let page = fs::read_to_string(place.path("r.html")).unwrap();
        let table = page.split("by the rows that were read</th>").nth(1).unwrap().split("</table>").next().unwrap();
        let cells: Vec<&str> = table
            .split("<td")
            .filter_map(|cell| cell.split_once('>')?.1.split_once('<').map(|(text, _)| text))
            .collect();
        let numbers: Vec<f64> = cells.iter().filter_map(|cell| cell.parse().ok()).collect();
        let expected = [1.0, 76.0 / 49.0, 2.0, 272.0 / 49.0, 2.0, 20.0 / 7.0, 1.0, 16.0 / 7.0];
        assert_eq!(numbers.len(), 8, "{call} {table}");
        assert!(numbers.iter().zip(expected).all(|(x, y)| (x - y).abs() < 1e-8), "{call} {numbers:?}");
    }
}

/// What `restrict` says it did is what it did.
#[test]
fn restriction_says_whether_states_have_new_numbers() {
    let place = Place::new();
    // From state 0 both actions stay; action 1 of state 0 leads to state 1 where it may be reached.
    let with = |reached: bool, behavior: &str| {
        let psi = if reached { "[[1, 0, 1, 1], [0, 1, 0, 0]]" } else { "[[1, 1, 1, 1], [0, 0, 0, 0]]" };
        let text = tabular(behavior).replace(r#"["1/2", "1/2"]"#, "[1, 0]");
        text.replace(r#"[[1, "1/2", "1/2", "1/4"], [0, "1/2", "1/2", "3/4"]]"#, psi)
    };
    let (never, always) = ("[[1, 0], [0.5, 0.5]]", "[[0.5, 0.5], [0.5, 0.5]]");
    let (cut, kept, absorbed) = ("cut: 1 state", "kept: 1 state", "absorbed: 1 state");
    for (reached, behavior, flags, said_of_it, anew) in [
        (false, always, "", cut, true),
        (true, never, "", kept, false),
        (true, never, "--absorb", absorbed, true),
        (true, always, "", "cut: no state", false),
        (true, always, "--absorb", "cut: no state", false),
    ] {
        place.write("p.json", with(reached, behavior).as_bytes());
        let told = said(&place, &format!("restrict --mdp p.json --out q.json {flags}"));
        assert_eq!(
            (told.contains(said_of_it), told.contains("states are numbered anew")),
            (true, anew),
            "{flags} {told}"
        );
    }
}

/// Of most models floating point adds at most 1 % as far as its proof goes: up to T = 2²⁸.
#[test]
fn rounding_is_proved_up_to_two_to_the_28() {
    let place = Place::new();
    for setting in ["--instance chain", "--instance ergodic --setting average"] {
        let tuned = |outer: u32| json(&place, &format!("tune {setting} --outer {outer} --json"));
        let last = tuned(1 << 28);
        assert!(last["rounding_term"].as_f64().unwrap() <= last["bound"].as_f64().unwrap() / 100.0);
        assert_eq!(
            (&tuned(50)["rows_within_one_percent"], &last["rows_within_one_percent"]),
            (&last["rows"], &last["rows"])
        );
    }
}
