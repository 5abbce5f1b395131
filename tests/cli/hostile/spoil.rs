//! Dice, and what they do to bytes and to JSON.

use serde_json::Value;

/// SplitMix64.
pub struct Dice(u64);

impl Dice {
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x0bad_cafe)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Below `n`, which is at least 1.
    pub fn below(&mut self, n: usize) -> usize {
        usize::try_from(self.next() % n as u64).unwrap()
    }

    pub fn pick<'a, T: ?Sized>(&mut self, from: &[&'a T]) -> &'a T {
        from[self.below(from.len())]
    }

    pub fn chance(&mut self, one_in: usize) -> bool {
        self.below(one_in) == 0
    }
}

/// A piece of JSON, right or wrong, that a reader may not expect.
pub fn surprise(dice: &mut Dice) -> String {
    const TEXTS: &[&str] = &[
        "0",
        "1",
        "-1",
        "0.5",
        "-0",
        "-0.0",
        "1e400",
        "-1e400",
        "1e-400",
        "4.9e-324",
        "1e308",
        "1e20",
        "1e-20",
        "1E+5",
        "01",
        "+1",
        ".5",
        "5.",
        "\"1/0\"",
        "\"0/0\"",
        "\"1/3\"",
        "\"-1/3\"",
        "\"1/-3\"",
        "\"1e5\"",
        "\" 1 \"",
        "\"9/10\"",
        "\"1e-99999\"",
        "1e99999",
        "1e999999999999",
        "NaN",
        "Infinity",
        "null",
        "true",
        "\"\"",
        "\"x\"",
        "[]",
        "{}",
        "[[]]",
        "[[[[[]]]]]",
        "{\"\":{}}",
        "9007199254740993",
        "18446744073709551615",
        "18446744073709551616",
        "-9223372036854775809",
        "0.30000000000000000000000000000000000001",
        "\"\\u0000\"",
        "\"\\ud800\"",
        "\"\\u001b[31m\"",
        "\"\u{202e}\"",
        "\"a\\nb\"",
        "\"discounted\"",
        "\"average\"",
        "\"1/2\"",
        "2",
        "3",
    ];
    match dice.below(12) {
        0 => "7".repeat(1 + dice.below(5000)),
        1 => format!("\"1/{}\"", "3".repeat(1 + dice.below(3000))),
        2 => format!("\"{}\"", "a".repeat(dice.below(200_000))),
        3 => "[".repeat(1 + dice.below(2000)),
        4 => format!("[{}1]", "1,".repeat(dice.below(30_000))),
        5 => format!("{}1{}", "[".repeat(100), "]".repeat(100)),
        _ => dice.pick(TEXTS).to_owned(),
    }
}

/// A few changes of bytes.
pub fn bytes(dice: &mut Dice, mut text: Vec<u8>) -> Vec<u8> {
    for _ in 0..=dice.below(3) {
        let at = dice.below(text.len() + 1);
        let length = dice.below(20).min(text.len() - at);
        match dice.below(10) {
            0 => text.truncate(at),
            1 => drop(text.drain(at..at + length)),
            2 => {
                let piece = text[at..at + length].to_vec();
                let times = 1 + dice.below(50);
                drop(text.splice(at..at, piece.repeat(times)));
            }
            3 => drop(text.splice(at..at, surprise(dice).into_bytes())),
            4 => drop(
                text.splice(
                    at..at,
                    dice.pick(&[
                        &b"\0"[..],
                        b"\xff\xfe",
                        b"\r\n",
                        b"\n\n",
                        b"\"",
                        b",",
                        b"\\",
                        b"\xef\xbb\xbf",
                        b"\x1b[2J",
                    ])
                    .to_vec(),
                ),
            ),
            5 => text.extend(surprise(dice).bytes()),
            6 => {
                let other = dice.below(text.len() + 1);
                let other_length = length.min(text.len() - other);
                let piece = text[other..other + other_length].to_vec();
                drop(text.splice(at..at + length, piece));
            }
            _ if at < text.len() => text[at] ^= 1 << dice.below(8),
            _ => {}
        }
    }
    text
}

/// A tree with one to three places replaced, removed or doubled.
pub fn json(dice: &mut Dice, text: &str) -> Vec<u8> {
    let mut value: Value = serde_json::from_str(text).unwrap();
    let mut pieces = Vec::new();
    for _ in 0..=dice.below(3) {
        let mark = format!("@{}@", pieces.len());
        pieces.push(surprise(dice));
        change(dice, &mut value, &mark);
    }
    let mut text = value.to_string();
    for (index, piece) in pieces.iter().enumerate() {
        text = text.replace(&format!("\"@{index}@\""), piece).replace(&format!("@{index}@"), "key");
    }
    text.into_bytes()
}

/// Walks down, and does something to where it stops.
fn change(dice: &mut Dice, value: &mut Value, mark: &str) {
    let stop = dice.chance(4);
    match value {
        Value::Array(list) if !stop && !list.is_empty() => {
            let at = dice.below(list.len());
            match dice.below(8) {
                0 => drop(list.remove(at)),
                1 => list.insert(at, list[at].clone()),
                2 => list.truncate(at),
                _ => change(dice, &mut list[at], mark),
            }
        }
        Value::Object(members) if !stop && !members.is_empty() => {
            let key = members.keys().nth(dice.below(members.len())).unwrap().clone();
            match dice.below(8) {
                0 => drop(members.remove(&key)),
                1 => {
                    let inside = members[&key].clone();
                    members.insert(mark.to_owned(), inside);
                }
                _ => change(dice, &mut members[&key], mark),
            }
        }
        _ => *value = Value::String(mark.to_owned()),
    }
}
