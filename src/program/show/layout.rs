//! Text in columns.

/// Columns padded to a common width, two spaces between them, nothing after the last.
pub fn columns(rows: &[Vec<String>]) -> String {
    let count = rows.iter().map(Vec::len).max().unwrap_or(0);
    let widths: Vec<usize> = (0..count)
        .map(|j| rows.iter().filter_map(|row| row.get(j)).map(|cell| width(cell)).max().unwrap_or(0))
        .collect();
    let mut text = String::new();
    for row in rows {
        let mut line = String::new();
        for (cell, wide) in row.iter().zip(&widths) {
            line.push_str(cell);
            line.extend(std::iter::repeat_n(' ', wide + 2 - width(cell)));
        }
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

/// Columns of which the first are broken into lines: the one at `j` to at most `limits[j]`.
pub fn fitted(rows: &[Vec<String>], limits: &[usize]) -> String {
    let mut lines = Vec::new();
    for row in rows {
        let broken: Vec<Vec<String>> = row.iter().zip(limits).map(|(cell, limit)| wrap(cell, *limit)).collect();
        let height = broken.iter().map(Vec::len).max().unwrap_or(1);
        for i in 0..height {
            let piece = |lines: &Vec<String>| lines.get(i).cloned().unwrap_or_default();
            let rest = row[broken.len()..].iter().map(|cell| if i == 0 { cell.clone() } else { String::new() });
            lines.push(broken.iter().map(piece).chain(rest).collect());
        }
    }
    columns(&lines)
}

/// Lines of at most `limit` columns, broken at spaces outside brackets; a longer word stays whole.
pub fn wrap(text: &str, limit: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    let mut in_brackets = false;
    let breaks = |c: char| {
        in_brackets = c == '[' || (in_brackets && c != ']');
        c == ' ' && !in_brackets
    };
    for word in text.split(breaks) {
        let last = lines.len() - 1;
        if lines[last].is_empty() {
            lines[last].push_str(word);
        } else if width(&lines[last]) + 1 + width(word) <= limit {
            lines[last].push(' ');
            lines[last].push_str(word);
        } else {
            lines.push(word.to_owned());
        }
    }
    lines
}

/// Printed width: combining marks (as in g̃) and colour codes take none.
pub fn width(cell: &str) -> usize {
    let mut in_code = false;
    let printed = |c: &char| {
        let combining = ('\u{300}'..'\u{370}').contains(c);
        let starts = *c == '\x1b';
        let hidden = in_code || starts || combining;
        in_code = (in_code || starts) && *c != 'm';
        !hidden
    };
    cell.chars().filter(printed).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_keep_within_their_limit() {
        assert_eq!(wrap("E g̃_β = ∇_β f [c = 1/2]", 9), ["E g̃_β =", "∇_β f", "[c = 1/2]"]);
        assert_eq!(wrap("unbreakable x", 4), ["unbreakable", "x"]);
        let row = |cells: [&str; 3]| cells.map(str::to_owned).to_vec();
        let text = fitted(&[row(["a b", "c d e", "1"]), row(["a", "c", "\x1b[1m22\x1b[0m"])], &[1, 3]);
        assert_eq!(text, "a  c d  1\nb  e\na  c    \x1b[1m22\x1b[0m\n");
    }
}
