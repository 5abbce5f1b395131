//! What LaTeX would number in the paper's source, and how.

/// A numbered display, theorem-like statement, algorithm or table.
#[derive(Debug)]
pub struct Thing {
    /// As the register names it: "(7)", "Lemma B.1", "Alg 2", "Tab 1".
    pub id: String,
    pub label: Option<String>,
    /// "3" or "B".
    pub section: String,
    pub line: usize,
}

/// The body without comments, one line for each of the source's.
fn body(source: &str) -> Vec<(usize, String)> {
    let uncommented = |line: &str| {
        let cut =
            line.char_indices().find(|&(i, c)| c == '%' && !line[..i].ends_with('\\')).map_or(line.len(), |(i, _)| i);
        line[..cut].to_string()
    };
    let lines = source.lines().enumerate().map(|(i, line)| (i + 1, uncommented(line)));
    lines.skip_while(|(_, line)| !line.contains("\\begin{document}")).collect()
}

/// What stands in the braces after every `command` of a line.
fn arguments(line: &str, command: &str) -> Vec<String> {
    let open = format!("{command}{{");
    line.split(&open).skip(1).filter_map(|rest| rest.split('}').next()).map(str::to_string).collect()
}

/// Every \label with its line.
pub fn labels(source: &str) -> Vec<(String, usize)> {
    let of = |(line, text): (usize, String)| {
        arguments(&text, "\\label").into_iter().map(move |label| (label, line)).collect::<Vec<_>>()
    };
    body(source).into_iter().flat_map(of).collect()
}

const KINDS: [(&str, &str); 7] = [
    ("theorem", "Thm"),
    ("proposition", "Prop"),
    ("lemma", "Lemma"),
    ("corollary", "Cor"),
    ("definition", "Def"),
    ("assumption", "Asm"),
    ("remark", "Rem"),
];

const DISPLAYS: [&str; 5] = ["equation", "align", "alignat", "gather", "multline"];

/// The counters of LaTeX as the source is read.
#[derive(Default)]
struct Reader {
    section: u32,
    appendix: bool,
    theorem: u32,
    equation: u32,
    algorithm: u32,
    table: u32,
    things: Vec<Thing>,
    /// The display being read: its environment, whether rows are numbered one by one, and its text so far.
    display: Option<(String, usize, String)>,
}

impl Reader {
    fn section_name(&self) -> String {
        match (self.appendix, self.section) {
            (false, n) => n.to_string(),
            (true, n) => char::from(b'A' + (n as u8) - 1).to_string(),
        }
    }

    fn push(&mut self, id: String, label: Option<String>, line: usize) {
        let section = self.section_name();
        self.things.push(Thing { id, label, section, line });
    }

    fn read(&mut self, line: usize, text: &str) {
        if text.contains("\\appendix") {
            (self.appendix, self.section) = (true, 0);
        }
        if text.trim_start().starts_with("\\section{") {
            (self.section, self.theorem) = (self.section + 1, 0);
        }
        for environment in arguments(text, "\\begin") {
            if let Some((_, kind)) = KINDS.iter().find(|(name, _)| *name == environment) {
                self.theorem += 1;
                let label = arguments(text, "\\label").into_iter().next();
                self.push(format!("{kind} {}.{}", self.section_name(), self.theorem), label, line);
            } else if environment == "algorithm" {
                self.algorithm += 1;
                self.push(format!("Alg {}", self.algorithm), None, line);
            } else if environment == "table" {
                self.table += 1;
                self.push(format!("Tab {}", self.table), None, line);
            } else if DISPLAYS.contains(&environment.as_str()) && self.display.is_none() {
                self.display = Some((environment, line, String::new()));
            }
        }
        self.label_of_float(text);
        let Some((environment, start, mut rows)) = self.display.take() else { return };
        rows += text;
        rows.push('\n');
        if text.contains(&format!("\\end{{{environment}}}")) {
            self.numbers(&environment, start, &rows);
        } else {
            self.display = Some((environment, start, rows));
        }
    }

    /// A float's label stands on a line of its own, or with the caption.
    fn label_of_float(&mut self, text: &str) {
        let float = |thing: &&mut Thing| thing.id.starts_with("Alg") || thing.id.starts_with("Tab");
        if let Some(last) = self.things.last_mut().filter(float).filter(|thing| thing.label.is_none()) {
            last.label = arguments(text, "\\label").into_iter().next();
        }
    }

    /// An equation has one number, an align one for each row that does not say \nonumber.
    fn numbers(&mut self, environment: &str, line: usize, text: &str) {
        let inside = text.split_once(&format!("\\begin{{{environment}}}")).map_or("", |(_, rest)| rest);
        let inside = inside.split(&format!("\\end{{{environment}}}")).next().unwrap_or("");
        let rows = if environment == "equation" { vec![inside.to_string()] } else { rows(inside) };
        for row in rows.iter().filter(|row| !row.contains("\\nonumber") && !row.contains("\\notag")) {
            self.equation += 1;
            let label = arguments(row, "\\label").into_iter().next();
            self.push(format!("({})", self.equation), label, line);
        }
    }
}

/// The rows of an align: what `\\` parts, outside of inner environments and braces.
fn rows(text: &str) -> Vec<String> {
    let (mut rows, mut depth, mut inner, mut rest) = (vec![String::new()], 0_i32, 0_i32, text);
    while let Some(c) = rest.chars().next() {
        if rest.starts_with("\\begin{") {
            inner += 1;
        } else if rest.starts_with("\\end{") {
            inner -= 1;
        }
        let step = if rest.starts_with("\\\\") || rest.starts_with("\\{") || rest.starts_with("\\}") {
            2
        } else {
            c.len_utf8()
        };
        if rest.starts_with("\\\\") && depth == 0 && inner == 0 {
            rows.push(String::new());
        } else {
            depth += i32::from(c == '{') - i32::from(c == '}');
            rows.last_mut().unwrap().push_str(&rest[..step]);
        }
        rest = &rest[step..];
    }
    rows
}

/// Everything that is numbered, with its printed number.
pub fn numbered(source: &str) -> Vec<Thing> {
    let mut reader = Reader::default();
    for (line, text) in body(source) {
        reader.read(line, &text);
    }
    reader.things
}
