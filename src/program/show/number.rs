//! Numbers, shortened for the eye.

use crate::number::exact::BigRational;

/// A fraction for the eye: whole where short, else to ten digits, with the length of what is not shown.
pub fn eye(x: &BigRational) -> String {
    const LONGEST: usize = 24;
    let text = x.to_string();
    if text.len() <= LONGEST {
        return text;
    }
    let digits = |part: &str| part.trim_start_matches('-').len();
    let (p, q) = text.split_once('/').unwrap_or((&text, "1"));
    format!("≈ {:.10} ({}/{} digits)", x.to_f64(), digits(p), digits(q))
}

/// To so many places; what rounds to zero has no sign.
pub fn fixed(x: f64, places: usize) -> String {
    let text = format!("{x:.places$}");
    if text.bytes().any(|byte| matches!(byte, b'1'..=b'9' | b'a'..=b'z')) {
        return text;
    }
    text.trim_start_matches('-').to_owned()
}

/// A fraction in at most `longest` columns: whole, or else rounded.
pub fn brief(x: &BigRational, longest: usize) -> String {
    let text = x.to_string();
    if text.len() <= longest { text } else { brief_float(x.to_f64(), longest) }
}

/// A rounded number in at most `longest` columns (8 at least): as many digits as there is room for.
pub fn brief_float(x: f64, longest: usize) -> String {
    if x == 0.0 {
        return "0".to_owned();
    }
    let plain = (1e-3..1e6).contains(&x.abs());
    let shown = |digits: usize| if plain { format!("≈ {x:.digits$}") } else { format!("≈ {x:.digits$e}") };
    let fits = (0..=10).rev().map(shown).find(|text| text.chars().count() <= longest);
    fits.unwrap_or_else(|| shown(0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::number::Field;

    #[test]
    fn numbers_fit_their_column() {
        assert_eq!(brief(&BigRational::ratio(-94, 245), 14), "-94/245");
        assert_eq!(brief(&BigRational::ratio(123_456_789, 987_654_321), 14), "≈ 0.1249999989");
        assert_eq!(brief(&BigRational::ratio(123_456_789, 987_654_321), 9), "≈ 0.12500");
        assert_eq!(brief_float(-1.5e-9, 12), "≈ -1.5000e-9");
        assert_eq!(brief_float(0.0, 8), "0");
        let all = [-4e-7, 0.0, -6e-7, -1.25, f64::NEG_INFINITY].map(|x| fixed(x, 6));
        assert_eq!(all, ["0.000000", "0.000000", "-0.000001", "-1.250000", "-inf"]);
        for x in [1e300, -1e-300, 999_999.9, 0.001_234, f64::INFINITY] {
            assert!(brief_float(x, 10).chars().count() <= 10, "{}", brief_float(x, 10));
        }
    }
}
