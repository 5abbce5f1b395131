//! Labels of the paper that are no statements, each with what it is.

/// Every \label without a row of its own, with the reason.
pub const LABELS: &[(&str, &str)] = &[
    ("sec:prelim", "a section"),
    ("sec:main", "a section"),
    ("sec:analysis", "a section"),
    ("sec:AMDP", "a section"),
    ("sec:discussion", "a section"),
    ("supp_material", "a section"),
    ("Gen_disc", "a section"),
    ("app:discounted", "a section"),
    ("app:suboptimality-duality", "a section: the proof of Lemma 4.1"),
    ("app:duality-regret´", "a section: the proof of Lemma 4.2"),
    ("app:SGD", "a section: Lemmas B.1 to B.3"),
    ("app:AMDP", "a section"),
    ("sec:AMDP_analysis", "a section"),
    ("app:prelim", "a section: Lemmas C.5 to C.7"),
    ("app:ratios", "a section"),
];
