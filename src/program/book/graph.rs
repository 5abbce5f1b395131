//! Which theorem rests on which, read off the Coq proofs, as a picture.

use super::excerpt::word;
use super::sources::Sources;
use crate::program::html::escape;
use std::collections::{BTreeMap, BTreeSet};

/// A theorem of the register: its name, the statement it belongs to, and whether print errs there.
pub struct Node {
    pub theorem: &'static str,
    pub statement: &'static str,
    pub erratum: bool,
}

/// A lemma: the number of its file, and its name.
type Lemma = (usize, String);

/// For every lemma of the Coq files, the lemmas that its proof names: of its own file, or of one that it imports.
fn uses(sources: &Sources) -> BTreeMap<Lemma, BTreeSet<Lemma>> {
    let texts: Vec<String> = sources.coq.iter().map(|(_, text)| without_comments(text)).collect();
    let proofs: Vec<BTreeMap<&str, &str>> = texts.iter().map(|text| proofs(text)).collect();
    let seen_from: Vec<BTreeSet<usize>> = (0..texts.len()).map(|file| imported(sources, &texts, file)).collect();
    let mut uses = BTreeMap::new();
    for (file, of_file) in proofs.iter().enumerate() {
        for (name, proof) in of_file {
            let words = proof.split(|c: char| !c.is_alphanumeric() && c != '_' && c != '\'');
            let place = |w: &str| {
                let mut files = std::iter::once(file).chain(seen_from[file].iter().copied());
                files.find(|&f| proofs[f].contains_key(w) && (f, w) != (file, name)).map(|f| (f, w.to_owned()))
            };
            uses.insert((file, (*name).to_owned()), words.filter_map(place).collect());
        }
    }
    uses
}

/// The text of every lemma, its proof included.
fn proofs(text: &str) -> BTreeMap<&str, &str> {
    let starts: Vec<(usize, &str)> = text
        .match_indices('\n')
        .filter_map(|(at, _)| {
            let rest = text[at + 1..].trim_start_matches(' ');
            let rest = ["Theorem ", "Lemma ", "Corollary "].iter().find_map(|keyword| rest.strip_prefix(keyword))?;
            Some((at, word(rest)))
        })
        .collect();
    let end = |at: usize| text[at..].find("Qed.").map_or(text.len(), |end| at + end);
    starts.into_iter().map(|(at, name)| (name, &text[at..end(at)])).collect()
}

/// The files that a file imports, and those that these import.
fn imported(sources: &Sources, texts: &[String], file: usize) -> BTreeSet<usize> {
    let stem = |file: usize| sources.coq[file].0.rsplit('/').next().unwrap_or("").trim_end_matches(".v");
    let (mut found, mut open) = (BTreeSet::new(), vec![file]);
    while let Some(file) = open.pop() {
        for line in texts[file].split("From OPD Require Import").skip(1) {
            let names: BTreeSet<&str> = line.split(". ").next().unwrap_or("").split_whitespace().collect();
            let names: BTreeSet<&str> = names.iter().map(|name| name.trim_end_matches('.')).collect();
            let new = (0..texts.len()).filter(|&other| names.contains(stem(other)));
            open.extend(new.filter(|&other| found.insert(other)).collect::<Vec<_>>());
        }
    }
    found
}

/// Coq's comments nest.
fn without_comments(text: &str) -> String {
    let (mut out, mut depth, mut rest) = (String::new(), 0_usize, text);
    while let Some(c) = rest.chars().next() {
        if rest.starts_with("(*") {
            depth += 1;
            rest = &rest[2..];
        } else if depth > 0 && rest.starts_with("*)") {
            depth -= 1;
            rest = &rest[2..];
        } else {
            if depth == 0 {
                out.push(c);
            }
            rest = &rest[c.len_utf8()..];
        }
    }
    out
}

/// Which of the nodes each node uses, directly or through lemmas that are no nodes.
fn edges(nodes: &[Node], uses: &BTreeMap<Lemma, BTreeSet<Lemma>>) -> Vec<BTreeSet<usize>> {
    let place: BTreeMap<&str, usize> = nodes.iter().enumerate().map(|(i, node)| (node.theorem, i)).collect();
    let reached = |node: &Node| {
        let (mut found, mut seen) = (BTreeSet::new(), BTreeSet::new());
        let own = uses.iter().filter(|((_, name), _)| name == node.theorem);
        let mut open: Vec<&Lemma> = own.flat_map(|(_, used)| used).collect();
        while let Some(lemma) = open.pop() {
            if !seen.insert(lemma) {
                continue;
            }
            match place.get(lemma.1.as_str()) {
                Some(&i) => {
                    found.insert(i);
                }
                None => open.extend(uses.get(lemma).into_iter().flatten()),
            }
        }
        found
    };
    nodes.iter().map(reached).collect()
}

/// How many theorems deep each node stands.
fn depths(edges: &[BTreeSet<usize>]) -> Vec<usize> {
    let mut depth = vec![0; edges.len()];
    // A proof uses only what was proved before it: as many passes as there are nodes settle every depth.
    for _ in 0..edges.len() {
        for (i, used) in edges.iter().enumerate() {
            depth[i] = used.iter().filter(|&&j| j != i).map(|&j| depth[j] + 1).max().unwrap_or(0).min(edges.len());
        }
    }
    depth
}

const ROW: usize = 30;
/// A box, which the longest name fits into, and the room between two.
const BOX: usize = 190;
const GAP: usize = 36;
const COLUMN: usize = BOX + GAP;
/// How far a box is from the frame.
const MARGIN: usize = 4;

const ARROW: &str = "<defs><marker id=\"arrow\" viewBox=\"0 0 8 8\" refX=\"8\" refY=\"4\" markerWidth=\"7\" markerHeight=\"7\" orient=\"auto\"><path class=\"head\" d=\"M0 0 L8 4 L0 8 z\"/></marker></defs>\n";

/// The picture: columns from what rests on nothing to the theorems; a node leads to its statement. Under it, the theorems that stand alone.
pub fn picture(sources: &Sources, nodes: &[Node]) -> String {
    let edges = edges(nodes, &uses(sources));
    let joined = |i: usize| {
        edges[i].iter().any(|&j| j != i) || edges.iter().enumerate().any(|(j, used)| j != i && used.contains(&i))
    };
    let alone = |i: &usize| !joined(*i);
    let link =
        |i: usize| format!("<a href=\"#{}\">{}</a>", super::anchor(nodes[i].statement), escape(nodes[i].theorem));
    let single: Vec<String> = (0..nodes.len()).filter(alone).map(link).collect();
    let drawn: Vec<usize> = (0..nodes.len()).filter(|i| !alone(i)).collect();
    let place = |used: &BTreeSet<usize>| used.iter().filter_map(|j| drawn.iter().position(|i| i == j)).collect();
    let edges: Vec<BTreeSet<usize>> = drawn.iter().map(|&i| place(&edges[i])).collect();
    let depth = depths(&edges);
    let columns = depth.iter().max().map_or(0, |most| most + 1);
    let mut height = vec![0; columns];
    let at: Vec<(usize, usize)> = depth
        .iter()
        .map(|&column| {
            height[column] += 1;
            (MARGIN + column * COLUMN, 20 + (height[column] - 1) * ROW)
        })
        .collect();
    let (width, tall) = (2 * MARGIN + columns * COLUMN - GAP, 20 + height.iter().max().copied().unwrap_or(0) * ROW);
    let mut svg = format!(
        "<div class=\"scroll\" tabindex=\"0\">\n<svg class=\"graph\" role=\"group\" aria-label=\"which theorem uses which\" viewBox=\"0 0 {width} {tall}\">\n{ARROW}"
    );
    for (i, used) in edges.iter().enumerate() {
        for &j in used.iter().filter(|&&j| j != i) {
            let ((x0, y0), (x1, y1)) = ((at[j].0 + BOX, at[j].1), at[i]);
            let bend = usize::midpoint(x0, x1);
            svg += &format!("<path d=\"M{x0} {y0} C{bend} {y0} {bend} {y1} {x1} {y1}\"/>\n");
        }
    }
    for (node, (x, y)) in drawn.iter().map(|&i| &nodes[i]).zip(&at) {
        let class = if node.erratum { "note" } else { "good" };
        svg += &format!(
            "<a href=\"#{}\"><rect class=\"{class}\" x=\"{x}\" y=\"{}\" width=\"{}\" height=\"22\" rx=\"4\"/><text x=\"{}\" y=\"{}\">{}</text></a>\n",
            super::anchor(node.statement),
            y - 11,
            BOX,
            x + 7,
            y + 4,
            escape(node.theorem)
        );
    }
    svg + &format!(
        "</svg>\n</div>\n<p>These use no other theorem of this book, and none uses them: {}.</p>\n",
        single.join(", ")
    )
}

#[cfg(test)]
mod tests {
    use super::without_comments;

    #[test]
    fn comments_nest() {
        for (text, left) in [
            ("a (* b (* c *) d *) e", "a  e"),
            ("(**)Lemma (* ( *) x * (y) *) z", "Lemma  x * (y) *) z"),
            ("é (* é *) é (* never closed", "é  é "),
            ("(* (* (* *) *) *)a(*(**)*)b", "ab"),
        ] {
            assert_eq!(without_comments(text), left, "{text}");
        }
    }
}
