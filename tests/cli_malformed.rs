//! Wrong input: exit code 2, one line on standard error that says what, where and what was expected, nothing on
//! standard output, no file left behind.
#![cfg(feature = "cli")]

mod opd;

use opd::{Place, floats, integers, npy, npz, opd};

const PROBLEM: &str = r#"{
  "name": "small", "discount": "9/10", "initial": ["1/2", 0.5],
  "features": [[[1, 0], [0, 1]], [[1, 0], [0, 1]]],
  "omega": ["1/2", 1], "psi": [["1/2", 0.25], ["1/2", 0.75]], "behavior": [[0.5, 0.5], ["1/4", "3/4"]]
}"#;

const DATA: &str = "x0,x,a,r,x_next\n0,0,0,0.5,1\n1,1,1,1,0\n0,1,0,0.5,1\n1,0,1,1,1\n";
const DRAWS: &str =
    "x,a,r,x_next,u\n0,0,0.5,1,0.25\n1,1,1,0,0.5\n0,1,0.5,1,0\n1,0,1,1,0.75\n0,1,0.5,1,0\n1,0,1,1,0.75\n";

/// The problem with one piece replaced.
fn spoilt(piece: &str, by: &str) -> Vec<u8> {
    assert!(PROBLEM.contains(piece), "{piece}");
    PROBLEM.replacen(piece, by, 1).into_bytes()
}

/// Runs `opd` with the files in place; it must refuse with `message`.
fn refused(files: &[(&str, &[u8])], arguments: &str, message: &str) {
    let place = Place::new();
    for (name, contents) in files {
        place.write(name, contents);
    }
    let before = place.names();
    let output = opd(&place, arguments);
    let complaint = &output.stderr;
    assert_eq!(output.code, Some(2), "{arguments}: {complaint}{}", output.stdout);
    assert!(complaint.contains(message), "{arguments}\n expected: {message}\n    found: {complaint}");
    assert_eq!(complaint.lines().count(), 1, "{arguments}: {complaint}");
    assert!(complaint.starts_with("opd: "), "{complaint}");
    assert_eq!(output.stdout, "", "{arguments}");
    assert_eq!(place.names(), before, "{arguments}: files left behind");
}

#[test]
fn what_the_others_spoil_is_accepted() {
    let place = Place::new();
    place.write("ok.json", PROBLEM.as_bytes());
    place.write("ok.csv", DATA.as_bytes());
    place.write("ok_average.csv", DRAWS.as_bytes());
    for arguments in [
        "audit --mdp ok.json",
        "coverage --mdp ok.json",
        "run --mdp ok.json --data ok.csv --inner 2 --outer 2",
        "run --mdp ok.json --data ok.csv --inner 2 --outer 2 --c 1/2",
        "run --mdp ok.json --data ok_average.csv --setting average --inner 2 --outer 2",
        "certify --mdp ok.json --data ok.csv --inner 2 --outer 2",
    ] {
        let output = opd(&place, arguments);
        assert_eq!(output.code, Some(0), "{arguments}: {}", output.stderr);
    }
}

#[test]
fn problem_files() {
    let long = format!("\"features\": [[[{}", "1".repeat(5000));
    let deep = "[".repeat(100_000);
    let cases: Vec<(Vec<u8>, &str)> = vec![
        (Vec::new(), "p.json:1:0: not JSON: EOF while parsing a value"),
        (spoilt("\"3/4\"]]\n}", "\"3/4\"]]"), "not JSON: EOF while parsing an object"),
        (spoilt("\"9/10\",", "\"9/10\""), "p.json:2:39: not JSON: expected `,` or `}`"),
        (b"[1, 2]".to_vec(), "p.json: top level: found `[1, 2]`, expected an object {…}"),
        (deep.into_bytes(), "not JSON"),
        (b"\xff\xfe{}".to_vec(), "p.json: found UTF-16 text, expected UTF-8 text: save it as UTF-8"),
        (spoilt("\"name\": \"small\"", "\"name\": 7"), "p.json: name: found `7`, expected text in quotation marks"),
        (spoilt("\"features\"", "\"featurs\""), "unknown key `featurs`, expected one of"),
        (spoilt("\"features\"", "\"featurs\""), "(did you mean `features`?)"),
        (spoilt("\"omega\"", "\"discount\""), "p.json: top level: key `discount` given twice, expected once"),
        (b"{\"discount\": 0.5}".to_vec(), "no key `features`, expected it to hold [state][action][component]"),
        (b"{\"features\": 3}".to_vec(), "p.json: features: found `3`, expected a list […]"),
        (b"{\"features\": []}".to_vec(), "p.json: features: found no states, expected at least 1"),
        (b"{\"features\": [[]]}".to_vec(), "p.json: features[0]: found no actions, expected at least 1"),
        (b"{\"features\": [[[]]]}".to_vec(), "p.json: features[0][0]: found no components, expected at least 1"),
        (
            spoilt("[[1, 0], [0, 1]]]", "[[1, 0], [0, 1, 2]]]"),
            "p.json: features[1][1]: found 3 elements, expected 2 (as many components as `features[0][0]`)",
        ),
        (
            spoilt("[[1, 0], [0, 1]]]", "[[1, 0]]]"),
            "p.json: features[1]: found 1 elements, expected 2 (as many actions",
        ),
        (spoilt("[0, 1]]]", "[0, \"1/0\"]]]"), "p.json: features[1][1][1]: found `\"1/0\"`, expected a number"),
        (spoilt("[0, 1]]]", "[0, null]]]"), "p.json: features[1][1][1]: found `null`, expected a number"),
        (spoilt("[0, 1]]]", "[0, \"one\"]]]"), "found `\"one\"`, expected a number: an integer, a decimal or \"p/q\""),
        (spoilt("[0, 1]]]", "[0, \"NaN\"]]]"), "found `\"NaN\"`, expected a number"),
        (spoilt("[0, 1]]]", "[0, Infinity]]]"), "not JSON: expected value"),
        (spoilt("[0, 1]]]", "[0, 1e999999]]]"), "features[1][1][1]: found `1e999999`, expected a number"),
        (spoilt("\"features\": [[[1", &long), "features[0][0][0]: found `1111111111111111111111111111111111111111…`"),
        (spoilt("\"9/10\"", "1"), "p.json: discount: found 1, expected 0 <= discount < 1"),
        (spoilt("\"9/10\"", "\"-1/10\""), "p.json: discount: found -1/10, expected 0 <= discount < 1"),
        (spoilt("\"discount\": \"9/10\", ", ""), "no key `discount`, expected it for an audit"),
        (
            spoilt("[\"1/2\", 0.5],", "[\"1/2\", 0.4],"),
            "p.json: initial: found sum 9/10, expected probabilities that sum to 1",
        ),
        (spoilt("[\"1/2\", 0.5],", "[\"3/2\", -0.5],"), "p.json: initial[1]: found -1/2, expected a probability >= 0"),
        (
            spoilt("[\"1/2\", 0.5],", "[1],"),
            "p.json: initial: found 1 elements, expected 2 (one per state of `features`)",
        ),
        (
            spoilt("[\"1/2\", 1]", "[1]"),
            "p.json: omega: found 1 elements, expected 2 (one per component of `features`)",
        ),
        (spoilt("[\"1/2\", 0.25], ", ""), "p.json: psi: found 1 elements, expected 2 (one per state of `features`)"),
        (spoilt("[\"1/2\", 0.25]", "[\"1/2\"]"), "p.json: psi[0]: found 1 elements, expected 2 (one per component"),
        (spoilt("[0.5, 0.5]", "[0.5, 0.6]"), "p.json: behavior[0]: found sum 11/10, expected probabilities"),
        (
            spoilt("[\"1/4\", \"3/4\"]", "[\"5/4\", \"-1/4\"]"),
            "p.json: behavior[1][1]: found -1/4, expected a probability",
        ),
        (
            spoilt("[\"1/2\", 1]", "[\"1/2\", \"7/5\"]"),
            "p.json: features[0][1]: reward ⟨φ, omega⟩ is 7/5, expected 0 <= r <= 1",
        ),
        (
            spoilt("[\"1/2\", 0.75]", "[\"1/2\", 0.7]"),
            "p.json: features[0][1]: transition probabilities ⟨φ, psi[x]⟩ do not sum to 1",
        ),
        (
            spoilt("[\"1/2\", 0.25], [\"1/2\", 0.75]", "[\"1/2\", -1], [\"1/2\", 2]"),
            "p.json: features[0][1]: transition probability ⟨φ, psi[0]⟩ is negative, expected a probability >= 0",
        ),
        (
            spoilt("[[[1, 0], [0, 1]], [[1, 0], [0, 1]]]", "[[[1, 0], [1, 0]], [[1, 0], [1, 0]]]"),
            "p.json: model: features: rank 1, expected full column rank 2",
        ),
    ];
    for (contents, message) in cases {
        refused(&[("p.json", &contents)], "audit --mdp p.json", message);
    }
}

/// A model of 10²⁰ and 10⁻²⁰: exponentials whose digits would fill the memory are enclosed, not written out.
#[test]
fn huge_exponents_do_not_fill_the_memory() {
    let place = Place::new();
    let problem = r#"{"discount":0.5,"initial":[1],"features":[[[1e20,0],[0,1]]],"omega":[0,1],"psi":[[1e-20,1]],"behavior":[[0.5,0.5]]}"#;
    place.write("p.json", problem.as_bytes());
    let output = opd(&place, "audit --mdp p.json");
    assert!(matches!(output.code, Some(0 | 1)), "{:?}: {}", output.code, output.stderr);
}

#[test]
fn problem_files_as_doubles() {
    let large = spoilt("[0, 1]]]", "[0, 1e400]]]");
    let message = "features[1][1][1]: found `1e400`, expected a number within the range of a double";
    refused(
        &[("p.json", &large), ("d.csv", DATA.as_bytes())],
        "run --mdp p.json --data d.csv --inner 2 --outer 2",
        message,
    );
}

#[test]
fn data_files() {
    let row = |line: &str| format!("x0,x,a,r,x_next\n{line}\n").into_bytes();
    let cases: Vec<(Vec<u8>, &str)> = vec![
        (Vec::new(), "d.csv: found nothing, expected a header and rows"),
        (
            b"x0,x,a,r\n0,0,0,0\n".to_vec(),
            "d.csv:1: no column `x_next`, expected it in the discounted setting, or a column that ends episodes",
        ),
        (b"x0;x;a;r;x_next\n0;0;0;0,5;1\n".to_vec(), "d.csv:1: found cells separated by semicolons, expected commas"),
        (b"x0\tx\ta\tr\tx_next\n".to_vec(), "d.csv:1: found cells separated by tabs, expected commas"),
        (b"x0|x|a|r|x_next\n".to_vec(), "d.csv:1: found cells separated by bars, expected commas"),
        (b"x0 x a r x_next\n".to_vec(), "d.csv:1: found cells separated by spaces, expected commas"),
        (b"x0,x,a,r,x_next,x\n".to_vec(), "d.csv:1: column `x` given twice, expected once"),
        (b"x0,x,a,r,xnext\n".to_vec(), "; --column x_next=NAME says what it is called (did you mean `xnext`?)"),
        (b"x0,extra,State,a,r,x_next\n".to_vec(), "; --column x=NAME says what it is called (did you mean `State`?)"),
        (b"0,0,0,0.5,1\n".to_vec(), "d.csv:1: no column `x`, expected it in the discounted setting"),
        (
            b"x0,x,a,r,x_next,terminal\n0,0,0,0.5,1,maybe\n".to_vec(),
            "d.csv:2: column `terminal`: found `maybe`, expected 0 or 1",
        ),
        (b"PAR1\x15\x04".to_vec(), "d.csv: found Parquet, expected CSV or NPZ: pandas.read_parquet"),
        (b"\xff\xfex\0,\0".to_vec(), "d.csv: found UTF-16 text, expected CSV or NPZ: save it as UTF-8"),
        (b"\x1f\x8bbroken".to_vec(), "d.csv:1: cannot read: "),
        (row("0,0,0,0.5"), "d.csv:2: found 4 fields, expected 5 as in the header"),
        (row("0,0,0,0.5,1,1"), "d.csv:2: found 6 fields, expected 5 as in the header"),
        (row("0,2,0,0.5,1"), "d.csv:2: column `x`: found `2`, expected an integer from 0 to 1"),
        (row("0,0,2,0.5,1"), "d.csv:2: column `a`: found `2`, expected an integer from 0 to 1"),
        (row("-1,0,0,0.5,1"), "d.csv:2: column `x0`: found `-1`, expected an integer from 0 to 1"),
        (row("0,0,0,0.5,1.5"), "d.csv:2: column `x_next`: found `1.5`, expected an integer from 0 to 1"),
        (row("99999999999999999999999,0,0,0.5,1"), "column `x0`: found `99999999999999999999999`, expected"),
        (row("0,,0,0.5,1"), "d.csv:2: column `x`: found ``, expected an integer from 0 to 1"),
        (row("0,0,0,1.5,1"), "d.csv:2: column `r`: found `1.5`, expected a number in [0, 1]"),
        (row("0,0,0,-0.1,1"), "d.csv:2: column `r`: found `-0.1`, expected a number in [0, 1]"),
        (row("0,0,0,NaN,1"), "d.csv:2: column `r`: found `NaN`, expected a number in [0, 1]"),
        (row("0,0,0,inf,1"), "d.csv:2: column `r`: found `inf`, expected a number in [0, 1]"),
        (row("0,0,0,half,1"), "d.csv:2: column `r`: found `half`, expected a number in [0, 1]"),
        (b"x0,x,a,r,x_next\n0,0,0,0.5,1\n0,\xff,0,0,0\n".to_vec(), "d.csv:3: column `x`: found `\u{fffd}`"),
        (b"x0,x,a,r,x_next\n0,0,0,0.5,1\n0,\x1b[31m,0,0,0\n".to_vec(), "d.csv:3: column `x`: found `\\u{1b}[31m`"),
        // Nothing of a plain line's way may pass what the other refuses.
        (row(",,,,"), "d.csv:2: column `x0`: found ``, expected an integer from 0 to 1"),
        (row(",,,0.5,"), "d.csv:2: column `x0`: found ``, expected an integer from 0 to 1"),
        (row(".,.,.,0.5,."), "d.csv:2: column `x0`: found `.`, expected an integer from 0 to 1"),
        (row("9,9,9,0.5,9"), "d.csv:2: column `x0`: found `9`, expected an integer from 0 to 1"),
        (row("1,0,1,0,1,0,0.5,1,0"), "d.csv:2: found 9 fields, expected 5 as in the header"),
        (b"x0,x,a,r,x_next\n0,0,0,0.1234\xb1678,1\n".to_vec(), "d.csv:2: column `r`: found `0.1234\u{fffd}678`"),
        (row("0,0,0,0.5,1"), "d.csv: found 1 row, expected 4 = inner × outer with inner 2, outer 2"),
        (
            [b"x0,x,a,r,x_next\n\"0,0\n".as_slice(), &b"1,1\n".repeat(50_000)].concat(),
            "d.csv:2: found a quotation mark that is not closed, expected a row on one line",
        ),
        (vec![b'x'; 100_000], "d.csv:1: found a row above 65536 bytes, expected short ones"),
    ];
    for (contents, message) in cases {
        let files: [(&str, &[u8]); 2] = [("p.json", PROBLEM.as_bytes()), ("d.csv", &contents)];
        refused(&files, "run --mdp p.json --data d.csv --inner 2 --outer 2 --trace t.jsonl --html r.html", message);
    }
}

#[test]
fn data_files_of_the_average_setting() {
    let cases = [
        (DRAWS.replace("0.25", "1"), "d.csv:2: column `u`: found `1`, expected a number in [0, 1)"),
        (DRAWS.replace("0.25", "-0.25"), "d.csv:2: column `u`: found `-0.25`, expected a number in [0, 1)"),
        (DRAWS.replace("0,1,0.5,1,0\n", ""), "found 4 rows, expected 6 = (inner + 1) × outer with inner 2, outer 2"),
    ];
    for (contents, message) in cases {
        let files: [(&str, &[u8]); 2] = [("p.json", PROBLEM.as_bytes()), ("d.csv", contents.as_bytes())];
        refused(&files, "run --setting average --mdp p.json --data d.csv --inner 2 --outer 2", message);
    }
}

/// The data of [`DATA`] with one array replaced.
fn npz_with(name: &str, bytes: Vec<u8>) -> Vec<u8> {
    let mut arrays = vec![
        ("x0.npy", integers(&[0, 1, 0, 1])),
        ("x.npy", integers(&[0, 1, 1, 0])),
        ("a.npy", integers(&[0, 1, 0, 1])),
        ("r.npy", floats(&[0.5, 1.0, 0.5, 1.0])),
        ("x_next.npy", integers(&[1, 0, 1, 1])),
    ];
    for array in &mut arrays {
        if array.0 == name {
            array.1.clone_from(&bytes);
        }
    }
    npz(&arrays)
}

#[test]
fn archives() {
    let huge_header = [b"\x93NUMPY\x02\x00".as_slice(), &u32::MAX.to_le_bytes(), b"{}"].concat();
    let big_endian: Vec<u8> = [0_i32, 1, 1, 7].iter().flat_map(|n| n.to_be_bytes()).collect();
    let cases: Vec<(Vec<u8>, &str)> = vec![
        (b"not a zip".to_vec(), "d.npz: cannot read: invalid Zip archive"),
        (Vec::new(), "d.npz: cannot read: invalid Zip archive"),
        (npz(&[("x.npy", integers(&[0]))]), "d.npz: no array `a`, expected it in the discounted setting"),
        (
            npz(&[("x.npy", integers(&[0])), ("action.npy", integers(&[0]))]),
            "d.npz: no array `a`, expected it in the discounted setting; --column a=NAME says what it is called",
        ),
        (npz_with("a.npy", integers(&[0, 1, 0])), "d.npz: a: found 3 elements, expected 4 as in `x0`"),
        (npz_with("x.npy", floats(&[0.0, 0.5, 0.0, 0.0])), "d.npz: x[1]: found `0.5`, expected an integer from 0 to 1"),
        (npz_with("x.npy", floats(&[0.0, 1.0, 2.0, 0.0])), "d.npz: x[2]: found `2`, expected an integer from 0 to 1"),
        (npz_with("x.npy", floats(&[-1.0, 1.0, 0.0, 0.0])), "d.npz: x[0]: found `-1`, expected an integer from 0 to 1"),
        (npz_with("x.npy", npy("<i8", "(2, 2)", &[0; 32])), "d.npz: x: found shape (2, 2), expected one dimension"),
        (npz_with("x.npy", npy("<i8", "()", &[0; 8])), "d.npz: x: found shape (), expected one dimension"),
        (
            npz_with("x.npy", npy("|O", "(4,)", &[0; 32])),
            "d.npz: x: found element type |O, expected integers, floats or text",
        ),
        (npz_with("x.npy", b"plain text".to_vec()), "d.npz: x: no NPY signature, expected a NumPy array"),
        (npz_with("x.npy", b"\x93NUM".to_vec()), "d.npz: x: cannot read: failed to fill whole buffer"),
        (npz_with("x.npy", huge_header), "d.npz: x: found a header of 4294967295 bytes, expected at most 65536"),
        (
            npz_with("x.npy", npy("<i8", "(4,)", &[0; 8])),
            "d.npz: x[1]: cannot read: failed to fill whole buffer, expected 4 elements",
        ),
        (npz_with("x.npy", npy("<i8", "(1250000000,)", &[0; 8])), "d.npz: x: found 1250000000 elements, expected 4"),
        (npz_with("x.npy", integers(&[0, 1, 1, 2])), "d.npz: x[3]: found `2`, expected an integer from 0 to 1"),
        (npz_with("x.npy", integers(&[0, -1, 1, 0])), "d.npz: x[1]: found `-1`, expected an integer from 0 to 1"),
        (npz_with("x.npy", npy(">i4", "(4,)", &big_endian)), "d.npz: x[3]: found `7`, expected an integer from 0 to 1"),
        (npz_with("r.npy", floats(&[0.5, 2.0, 0.5, 1.0])), "d.npz: r[1]: found `2`, expected a number in [0, 1]"),
        (
            npz_with("r.npy", floats(&[f64::NAN, 1.0, 0.5, 1.0])),
            "d.npz: r[0]: found `NaN`, expected a number in [0, 1]",
        ),
        (npz_with("", Vec::new()), "d.npz: found 4 rows, expected 6 = inner × outer with inner 2, outer 3"),
    ];
    for (contents, message) in cases {
        let files: [(&str, &[u8]); 2] = [("p.json", PROBLEM.as_bytes()), ("d.npz", &contents)];
        refused(&files, "run --mdp p.json --data d.npz --inner 2 --outer 3", message);
    }
    let place = Place::new();
    place.write("p.json", PROBLEM.as_bytes());
    place.write("d.npz", &npz_with("", Vec::new()));
    assert_eq!(opd(&place, "run --mdp p.json --data d.npz --inner 2 --outer 2").code, Some(0));
}

/// The archive of [`PROBLEM`] with one array replaced or added.
fn problem_with(name: &'static str, bytes: Vec<u8>) -> Vec<u8> {
    let table = |shape: &str, numbers: &[f64]| {
        npy("<f8", shape, &numbers.iter().flat_map(|n| n.to_le_bytes()).collect::<Vec<_>>())
    };
    let mut arrays = vec![
        ("discount.npy", table("()", &[0.9])),
        ("initial.npy", floats(&[0.5, 0.5])),
        ("features.npy", table("(2, 2, 2)", &[1.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 1.0])),
        ("omega.npy", floats(&[0.5, 1.0])),
        ("psi.npy", table("(2, 2)", &[0.5, 0.25, 0.5, 0.75])),
        ("behavior.npy", table("(2, 2)", &[0.5, 0.5, 0.25, 0.75])),
    ];
    match arrays.iter_mut().find(|array| array.0 == name) {
        Some(array) => array.1 = bytes,
        None => arrays.push((name, bytes)),
    }
    npz(&arrays)
}

#[test]
fn problem_archives() {
    let one_hot =
        |indices: &[i64]| npy("<i8", "(2, 2)", &indices.iter().flat_map(|n| n.to_le_bytes()).collect::<Vec<_>>());
    let mut fortran = one_hot(&[0, 1, 0, 1]);
    let at = fortran.windows(5).position(|word| word == b"False").unwrap();
    fortran[at..at + 5].copy_from_slice(b"True ");
    let cases: Vec<(Vec<u8>, &str)> = vec![
        (b"PK\x03\x04 no archive".to_vec(), "p.npz: cannot read: invalid Zip archive"),
        (
            problem_with("featurs.npy", floats(&[1.0])),
            "p.npz: unknown array `featurs`, expected arrays among name, discount",
        ),
        (
            npz(&[("omega.npy", floats(&[1.0]))]),
            "p.npz: no array `features`, expected it with shape (states, actions, components)",
        ),
        (
            problem_with("features.npy", floats(&[1.0; 8])),
            "p.npz: features: found shape (8,), expected (states, actions, components)",
        ),
        (problem_with("features.npy", npy("<f8", "(0, 2, 2)", &[])), "p.npz: features: states"),
        (
            problem_with("features.npy", npy("<f8", "(4294967296, 4294967296, 2)", &[])),
            "p.npz: features: found shape (4294967296, 4294967296, 2), expected at most 2499",
        ),
        (
            problem_with("features.npy", npy("<f8", "(20000, 20000, 2)", &[])),
            "p.npz: features: found shape (20000, 20000, 2), expected at most 2499",
        ),
        (
            npz(&[("features.npy", one_hot(&[0, 1, 1_000_000_000, 0]))]),
            "p.npz: features: found shape (2, 2, 1000000001), expected at most 2499",
        ),
        (
            problem_with("features.npy", npy("<f8", "(2, 2, 2)", &[0; 60])),
            "p.npz: features: cannot read: failed to fill whole buffer, expected 8 elements",
        ),
        (
            problem_with("features.npy", npy("<f8", "(2, 2, 2)", &[0; 72])),
            "p.npz: features: found bytes after element 8, expected none",
        ),
        (
            problem_with("features.npy", npy("<f8", "(2, 2, 2)", &[0xff; 64])),
            "p.npz: features[0][0][0]: found `NaN`, expected a finite number",
        ),
        (
            problem_with("features.npy", one_hot(&[0, 1, 2, 0])),
            "p.npz: features[1][0]: found `2`, expected an integer from 0 to 1",
        ),
        (problem_with("features.npy", fortran), "p.npz: features: found Fortran order, expected C order"),
        (
            problem_with("omega.npy", floats(&[1.0])),
            "p.npz: omega: found shape (1,), expected (2,) as `features` has it",
        ),
        (
            problem_with("omega.npy", npy("<U3", "(2,)", &[b"1\0\0\0/\0\0\x000\0\0\0".repeat(2)].concat())),
            "p.npz: omega[0]: found `1/0`, expected a number",
        ),
        (problem_with("name.npy", floats(&[1.0])), "p.npz: name: found no text, expected one"),
        (problem_with("discount.npy", floats(&[1.0])), "p.npz: discount: found 1, expected 0 <= discount < 1"),
        (
            problem_with("initial.npy", floats(&[0.5, 0.25])),
            "p.npz: initial: found sum 0.75, expected probabilities that sum to 1",
        ),
        (
            problem_with("psi_data.npy", floats(&[1.0])),
            "p.npz: psi: found 1 of the arrays psi_data, psi_indices, psi_indptr, psi_shape",
        ),
    ];
    for (contents, message) in cases {
        refused(&[("p.npz", &contents)], "coverage --mdp p.npz", message);
    }
    let sparse = |indices: &[i64], indptr: &[i64]| {
        npz(&[
            ("features_data.npy", floats(&[1.0, 1.0])),
            ("features_indices.npy", integers(indices)),
            ("features_indptr.npy", integers(indptr)),
            ("features_shape.npy", integers(&[1, 2, 2])),
        ])
    };
    for (contents, message) in [
        (sparse(&[0, 2], &[0, 1, 2]), "p.npz: features_indices[1]: found `2`, expected an integer from 0 to 1"),
        (sparse(&[0, 1], &[0, 2]), "p.npz: features_indptr: found 2 row starts for 2 rows"),
        (sparse(&[0, 1], &[1, 1, 2]), "p.npz: features_indptr: found 3 row starts for 2 rows"),
        (sparse(&[1, 1], &[0, 2, 2]), "p.npz: features_indices[1]: found column 1 twice in row 0, expected once"),
        (sparse(&[0, 1], &[0, 1, 2]), "no key `behavior`"),
    ] {
        refused(&[("p.npz", &contents)], "coverage --mdp p.npz", message);
    }
    for (signature, name) in [(b"PAR1".as_slice(), "Parquet"), (b"\x1f\x8b\x08", "gzip"), (b"\x89HDF", "HDF5")] {
        refused(
            &[("p.json", signature)],
            "coverage --mdp p.json",
            &format!("p.json: found {name}, expected UTF-8 text"),
        );
    }
}

/// A few hundred bytes that stand for gigabytes: of doubles, and of fractions, which take more.
#[test]
fn archives_that_claim_too_much() {
    let mut starts = vec![1; 1 + 4096 * 4];
    starts[0] = 0;
    let claimed = |shape: &[i64]| {
        npz(&[
            ("features_data.npy", floats(&[1.0])),
            ("features_indices.npy", integers(&[0])),
            ("features_indptr.npy", integers(&starts)),
            ("features_shape.npy", integers(shape)),
        ])
    };
    for (shape, shown, command) in
        [([16_384, 2, 16_384], "(16384, 2, 16384)", "coverage"), ([4096, 4, 4096], "(4096, 4, 4096)", "audit")]
    {
        let message = format!("p.npz: features_shape: found shape {shown}, expected at most");
        refused(&[("p.npz", &claimed(&shape))], &format!("{command} --mdp p.npz"), &message);
    }
}

#[test]
fn policies_checkpoints_and_covariances() {
    let policy = r#"{"name":"p","setting":"discounted","alpha":1,"outer":2,"output_index":1,"output_theta_sum":[0,0],"last_theta_sum":[1,2]}"#;
    let spoil = |piece: &str, by: &str| policy.replacen(piece, by, 1);
    let evaluate = "evaluate --mdp p.json --policy f";
    let run = "run --mdp p.json --data d.csv --inner 2 --outer 2 --trace t.jsonl";
    let half = "run --mdp p.json --data d.csv --c 1/2 --inner 2 --outer 2 --lambda f";
    let cases: Vec<(String, &str, &str)> = vec![
        (policy.replace('}', ""), evaluate, "f:1:119: not JSON"),
        (spoil("alpha", "alpa"), evaluate, "f: top level: unknown key `alpa`, expected one of name, setting"),
        (spoil("\"alpha\":1,", ""), evaluate, "f: top level: no key `alpha`, expected it in a policy file"),
        (spoil("\"alpha\":1", "\"alpha\":-1"), evaluate, "f: alpha: found -1, expected a number >= 0"),
        (spoil("[1,2]", "[1]"), evaluate, "f: last_theta_sum: found 1 numbers, expected 2 as in `output_theta_sum`"),
        (
            spoil("[0,0]", "[0,0,0]").replace("[1,2]", "[1,2,3]"),
            evaluate,
            "f: found 3 components, expected 2 as `features` has",
        ),
        (spoil("discounted", "other"), evaluate, "f: found setting other, expected discounted or average"),
        (policy.to_owned(), "evaluate --mdp p.json --policy f --which mixture", "f: found no `mixture_theta_sums`"),
        (
            "{}".to_owned(),
            &*format!("{run} --resume f").leak(),
            "f: top level: no key `run`, expected it in a checkpoint",
        ),
        (
            "{\"run\": {\"seed\": 7}}".to_owned(),
            &*format!("{run} --resume f").leak(),
            "f: run: found seed `7`, expected 0 as in this call",
        ),
        (
            "{\"run\": {\"seed\": 0}}".to_owned(),
            &*format!("{run} --resume f").leak(),
            "f: run: no key `actions`, expected it in a checkpoint",
        ),
        ("[[1, 2], [3, 1]]".to_owned(), half, "f: [0][1]: found 2 and 3 at [1][0], expected a symmetric matrix"),
        ("[[1, 2]]".to_owned(), half, "f: top level: found 1 elements, expected 2 (one row per component)"),
        (
            "[[1, 0], [0, 1]]".to_owned(),
            "run --mdp p.json --data d.csv --inner 2 --outer 2 --lambda f",
            "--lambda: given, expected it only with --c 1/2",
        ),
        (String::new(), "run --mdp p.json --data d.csv --inner 9", "--inner, --outer: found 4 rows, too few"),
        (
            String::new(),
            "run --mdp p.json --data d.csv --inner 2 --outer 2 --column y=x",
            "unknown column `y`, expected one of x0, x, a",
        ),
        (
            String::new(),
            "run --mdp p.json --data d.csv --inner 2 --outer 2 --column x=state",
            "d.csv:1: no column `state`, expected it as --column x=state says",
        ),
        (
            String::new(),
            "run --mdp p.json --data d.csv --inner 2 --outer 2 --reward-range 1 0",
            "--reward-range: found 1 0, expected LO < HI",
        ),
        (
            String::new(),
            "run --mdp p.json --data d.csv --inner 2 --outer 2 --reward-range 0 0.75",
            "column `r`: found `1`, expected a number in [0, 0.75] as --reward-range says",
        ),
        (
            String::new(),
            "run --mdp p.json --data d.csv --inner 2 --outer 2 --absorbing 2",
            "--absorbing: found 2, expected a state from 0 to 1",
        ),
    ];
    for (contents, call, message) in cases {
        let files: [(&str, &[u8]); 3] =
            [("p.json", PROBLEM.as_bytes()), ("d.csv", DATA.as_bytes()), ("f", contents.as_bytes())];
        refused(&files, call, message);
    }
}

#[test]
fn traces() {
    let good = b"{\"t\":1,\"theta\":[0.5]}\n".as_slice();
    let cases: [(&[u8], &str); 8] = [
        (b"", "b.jsonl: found nothing, expected a trace"),
        (b"\n \n", "b.jsonl: found nothing, expected a trace"),
        (b"{\"t\":1,\"theta\":[0.5]\n", "b.jsonl:1:20: not JSON: EOF"),
        (b"{\"theta\":[0.5]}\n", "b.jsonl:1: no key `t`, expected a line of a trace"),
        (b"{\"t\":-1,\"theta\":[0.5]}\n", "b.jsonl:1: t: found `-1`, expected an integer >= 0"),
        (b"{\"t\":1,\"theta\":[true]}\n", "b.jsonl:1: theta[0]: found `true`, expected a number"),
        (b"{\"t\":1,\"t\":1}\n", "key `t` given twice, expected once"),
        (b"\xff\n", "b.jsonl:1: cannot read: stream did not contain valid UTF-8"),
    ];
    for (contents, message) in cases {
        refused(&[("a.jsonl", good), ("b.jsonl", contents)], "compare a.jsonl b.jsonl", message);
    }
    refused(&[("a.jsonl", b"")], "compare a.jsonl a.jsonl", "a.jsonl: found nothing, expected a trace");
}

#[test]
fn calls() {
    let bare = b"{\"discount\": 0.5, \"features\": [[[1, 0], [0, 1]], [[1, 0], [0, 1]]]}".as_slice();
    let files: [(&str, &[u8]); 3] = [("p.json", PROBLEM.as_bytes()), ("bare.json", bare), ("d.csv", DATA.as_bytes())];
    for (arguments, message) in [
        ("audti", "unrecognized subcommand 'audti'; tip: a similar subcommand exists: 'audit'"),
        (
            "run --instance chain --iner 2 --outer 2",
            "unexpected argument '--iner' found; tip: a similar argument exists: '--inner'",
        ),
        ("run --instance chain --outer 2", "--inner, --outer: not both given, expected both, or --data"),
        ("run --instance chain --inner 0 --outer 2", "invalid value '0' for '--inner <K>': expected an integer >= 1"),
        (
            "sample --instance chain --rows 99999999999999999999",
            "for '--rows <N>': expected an integer <= 18446744073709551615",
        ),
        ("tune --instance chain --search 8 --seed x", "for '--seed <N>': expected a seed, an integer from 0 to"),
        ("run --instance chain --inner 2 --outer 2 --c 2", "invalid value '2' for '--c <1|1/2>': expected 1 or 1/2"),
        (
            "run --instance chain --inner 2 --outer 2 --eta=-1",
            "invalid value '-1' for '--eta <ETA>': expected a number >= 0",
        ),
        (
            "run --instance chain --inner 2 --outer 2 --eta nan",
            "invalid value 'nan' for '--eta <ETA>': expected a number",
        ),
        ("run --instance chain --inner 2 --outer 2 --setting averaged", "expected discounted or average"),
        ("run --instance chain --inner 2 --outer 2 --xi 1", "--xi: given, expected it only with --setting average"),
        (
            "run --instance chain --inner 2 --outer 2 --trace-inner",
            "required arguments were not provided: --trace <FILE>",
        ),
        (
            "run --instance chain --inner 2 --outer 2 --trace no/such/t.jsonl",
            "no/such/t.jsonl: cannot write: No such file",
        ),
        ("run --instance chain --inner 9999999999 --outer 9999999999", "--inner and --outer: K·T overflows"),
        ("audit --instance chian", "instance: found `chian`, expected one of"),
        ("audit --instance chian", "(did you mean `chain`?)"),
        ("table1 --instance lukcy", "instance: found `lukcy`, expected one of one-way, lucky, two-state, "),
        ("table1 --instance lukcy", "(did you mean `lucky`?)"),
        ("audit --instance chain --mdp p.json", "the argument '--instance <NAME>' cannot be used with '--mdp <FILE>'"),
        ("audit --mdp none.json", "none.json: cannot read: No such file or directory"),
        ("run --mdp p.json --data none.csv --inner 2 --outer 2", "none.csv: cannot read: No such file or directory"),
        (
            "run --mdp bare.json --data d.csv --inner 2 --outer 2",
            "--radius-theta: not given, expected it because the problem has no model",
        ),
        (
            "run --mdp bare.json --data d.csv --inner 2 --outer 2 --radius-theta 1",
            "--radius-beta: not given, expected it",
        ),
        (
            "run --mdp bare.json --data d.csv --inner 2 --outer 2 --c 1/2",
            "bare.json: top level: no key `behavior`, expected it for c = 1/2",
        ),
        ("run --mdp bare.json --inner 2 --outer 2", "no key `behavior`, expected it for a run without --data"),
        (
            "certify --mdp bare.json --data d.csv --inner 2 --outer 2",
            "no key `behavior`, expected it for a certificate",
        ),
        ("sample --mdp bare.json --rows 3", "no key `behavior`, expected it for sampling"),
        (
            "run --instance chain --setting average --inner 2 --outer 2",
            "chain: policy: several recurrent classes, expected a unichain policy",
        ),
        ("tune --instance chain", "--outer, --samples or --epsilon: none given, expected one of them"),
        ("tune --samples 10 --actions 2", "--feature-bound: not given, expected it when there is no model"),
        ("compare a.jsonl b.jsonl --tolerance x", "invalid value 'x' for '--tolerance <X>'"),
        ("compare none.jsonl none.jsonl", "none.jsonl: cannot read: No such file or directory"),
        ("completions fsh", "invalid value 'fsh' for '<SHELL>'"),
    ] {
        refused(&files, arguments, message);
    }
}
