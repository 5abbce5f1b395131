//! Problem files: formats that say the same.

use crate::opd::{Place, floats, integers, npy, npz};
use crate::{PROBLEM, json, said};

/// JSON to NPZ and back is the same bytes, and the archive is the same model.
#[test]
fn archives_keep_every_number() {
    let place = Place::new();
    for instance in json(&place, "instances --json").as_array().unwrap() {
        let name = instance["name"].as_str().unwrap();
        let printed = said(&place, &format!("instances {name}"));
        said(&place, &format!("convert --instance {name} --out i.npz"));
        said(&place, "convert --mdp i.npz --out back.json");
        assert_eq!(std::fs::read_to_string(place.path("back.json")).unwrap(), printed, "{name}");
        let call = "run --inner 3 --outer 4 --trace t.jsonl --trace-inner";
        said(&place, &format!("{call} --instance {name}"));
        let trace = std::fs::read(place.path("t.jsonl")).unwrap();
        said(&place, &format!("{call} --mdp i.npz"));
        assert_eq!(std::fs::read(place.path("t.jsonl")).unwrap(), trace, "{name}");
    }
}

/// Dense, one-hot and sparse features of one problem, as NumPy would write them.
#[test]
fn features_come_in_three_forms() {
    let place = Place::new();
    place.write("p.json", PROBLEM.as_bytes());
    let expected = said(&place, "coverage --mdp p.json --json");
    let bytes = |numbers: &[f64]| numbers.iter().flat_map(|n| n.to_le_bytes()).collect::<Vec<_>>();
    let rest = [
        ("discount.npy", npy("<f8", "()", &bytes(&[0.9]))),
        ("initial.npy", floats(&[0.5, 0.5])),
        ("omega.npy", floats(&[0.5, 1.0])),
        ("behavior.npy", npy("<f8", "(2, 2)", &bytes(&[0.5, 0.5, 0.25, 0.75]))),
    ];
    let psi = ("psi.npy", npy(">f8", "(2, 2)", &[0.5_f64, 0.25, 0.5, 0.75].map(f64::to_be_bytes).concat()));
    let dense = ("features.npy", npy("|u1", "(2, 2, 2)", &[1, 0, 0, 1, 1, 0, 0, 1]));
    let one_hot = ("features.npy", npy("|u1", "(2, 2)", &[0, 1, 0, 1]));
    let sparse = [
        ("features_data.npy", npy("<f4", "(4,)", &[1.0_f32; 4].map(f32::to_le_bytes).concat())),
        ("features_indices.npy", integers(&[0, 1, 0, 1])),
        ("features_indptr.npy", integers(&[0, 1, 2, 3, 4])),
        ("features_shape.npy", integers(&[2, 2, 2])),
    ];
    for features in [vec![dense], vec![one_hot], sparse.to_vec()] {
        let arrays = [&rest[..], std::slice::from_ref(&psi), &features].concat();
        place.write("p.npz", &npz(&arrays));
        assert_eq!(said(&place, "coverage --mdp p.npz --json"), expected, "{}", features[0].0);
    }
}
