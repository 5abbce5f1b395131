//! Decimals as data files have them, `0.25` and `0.8474337369372327`, without the standard library's general reader, which takes longer than a
//! step of the algorithm. What is not one of them is left to it.

/// The decimal that `text` begins with, as the double nearest to it, and its length: digits, perhaps a point and digits, together at most 19
/// from the first that is not 0. Nothing where that is not so, or where a double is hard to choose.
pub(super) fn decimal(text: &[u8]) -> Option<(f64, usize)> {
    let (whole, length) = digits(text, 0)?;
    if text.get(length) != Some(&b'.') {
        return (length > 0).then(|| quotient(whole, 0)).flatten().map(|value| (value, length));
    }
    let (all, places) = many_digits(&text[length + 1..], whole)?;
    let value = if length + places == 0 { None } else { quotient(all, places) };
    value.map(|value| (value, length + 1 + places))
}

/// The digits that `text` begins with, written behind those of `before`; how many there are. Nothing where the number is above 2⁶⁴.
#[inline]
pub(super) fn digits(text: &[u8], before: u64) -> Option<(u64, usize)> {
    let (mut number, mut length) = (before, 0);
    while let Some(byte) = text.get(length)
        && byte.is_ascii_digit()
    {
        number = number.checked_mul(10)?.checked_add(u64::from(byte - b'0'))?;
        length += 1;
    }
    Some((number, length))
}

/// [`digits`], eight at a time.
#[inline]
fn many_digits(text: &[u8], before: u64) -> Option<(u64, usize)> {
    let (mut number, mut rest) = (before, text);
    while let Some((eight, after)) = rest.split_first_chunk::<8>()
        && let Some(eight) = eight_digits(*eight)
    {
        number = number.checked_mul(100_000_000)?.checked_add(eight)?;
        rest = after;
    }
    let (number, length) = digits(rest, number)?;
    Some((number, text.len() - rest.len() + length))
}

/// Eight digits as a number, pairs first, then fours, then all: no loop.
#[inline]
fn eight_digits(text: [u8; 8]) -> Option<u64> {
    let bytes = u64::from_le_bytes(text);
    let values = bytes ^ 0x3030_3030_3030_3030;
    // A digit is at most 9: adding 118 sets no high bit.
    let is_digits = (values | values.wrapping_add(0x7676_7676_7676_7676)) & 0x8080_8080_8080_8080 == 0;
    let pairs = values.wrapping_mul(10).wrapping_add(values >> 8) & 0x00FF_00FF_00FF_00FF;
    let fours = pairs.wrapping_mul(100).wrapping_add(pairs >> 16) & 0x0000_FFFF_0000_FFFF;
    let all = fours.wrapping_mul(10_000).wrapping_add(fours >> 32) & 0xFFFF_FFFF;
    is_digits.then_some(all)
}

/// 5^p for p ≤ 27, the largest below 2⁶³.
const fn five_to(p: u32) -> u64 {
    5_u64.pow(p)
}

/// By p ≥ 1: 2^{63+b}/5^p without its fraction, b being the bits of 5^p, so that it has 64 bits; and b.
const INVERSES: [(u64, i32); 28] = {
    let (mut inverses, mut p) = ([(0, 0); 28], 1);
    while p < 28 {
        let bits = 64 - five_to(p as u32).leading_zeros();
        inverses[p] = (((1_u128 << (63 + bits)) / five_to(p as u32) as u128) as u64, bits as i32);
        p += 1;
    }
    inverses
};

/// The double nearest to w/10^p.
///
/// Where w and 10^p are doubles, that is their quotient. Else w·2^z, of 64 bits, times the inverse has V = w·2^{z+b−1}/5^p in its upper word, up
/// to less than 2 below. That decides which of two doubles is nearer unless V is beside the middle between them.
fn quotient(w: u64, p: usize) -> Option<f64> {
    if w == 0 {
        return Some(0.0);
    }
    if w <= 1 << 53 && p <= 22 {
        return Some(w as f64 / POWERS[p]);
    }
    let (inverse, bits) = *INVERSES.get(p).filter(|_| p > 0)?;
    let zeros = w.leading_zeros();
    let upper = ((u128::from(w << zeros) * u128::from(inverse)) >> 64) as u64;
    let drop = 11 - upper.leading_zeros();
    let (low, half) = (upper & ((1 << drop) - 1), 1 << (drop - 1));
    let mantissa = match low {
        _ if low + 2 <= half => upper >> drop,
        _ if low > half => (upper >> drop) + 1,
        _ => return None,
    };
    let exponent = drop as i32 + 1 - zeros as i32 - bits - p as i32;
    Some(mantissa as f64 * f64::from_bits(((1023 + exponent) as u64) << 52))
}

/// 10^p, exactly.
const POWERS: [f64; 23] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20,
    1e21, 1e22,
];

#[cfg(test)]
mod tests {
    use super::{decimal, digits, many_digits};

    fn read(text: &str) -> Option<u64> {
        decimal(text.as_bytes()).filter(|(_, length)| *length == text.len()).map(|(value, _)| value.to_bits())
    }

    /// Whatever is read is what the standard library reads, to the bit, and nearly everything is read: shortest decimals of random doubles, the
    /// same cut short, and the middle between two doubles, whose nearest is a matter of one digit.
    #[test]
    fn decimals_are_the_nearest_doubles() {
        let (mut state, mut asked, mut found) = (1_u64, 0, 0);
        for i in 0..200_000 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let unit = (state >> 11) as f64 / 9_007_199_254_740_992.0;
            let small = unit * 10_f64.powi(-(i % 9));
            let shortest = format!("{small}");
            let middle =
                format!("{:.25}", (small as f32) as f64 + f64::from(f32::EPSILON) * (small as f32) as f64 / 2.0);
            let cut = &shortest[..shortest.len().min(3 + (i % 17) as usize)];
            for text in [&shortest[..], cut, &middle[..middle.len().min(21)], &format!("{}", state >> (11 + i % 53))] {
                asked += 1;
                if let Some(bits) = read(text) {
                    found += 1;
                    assert_eq!(bits, text.parse::<f64>().unwrap().to_bits(), "{text}");
                }
            }
        }
        assert!(found * 100 > asked * 97, "{found} of {asked}");
    }

    /// Ties and their neighbours: (2m + 1)/2^k for 53-bit m, written out, and the same one unit of the last digit away.
    #[test]
    fn ties_are_not_decided_here() {
        for k in 1..=8_u32 {
            let odd = (1_u64 << 54) - 1 - 2 * u64::from(k);
            let exact = u128::from(odd) * 5_u128.pow(k);
            for digits in [exact - 1, exact, exact + 1] {
                let text =
                    format!("{}.{:0width$}", digits / 10_u128.pow(k), digits % 10_u128.pow(k), width = k as usize);
                if let Some(bits) = read(&text) {
                    assert_eq!(bits, text.parse::<f64>().unwrap().to_bits(), "{text}");
                }
            }
        }
    }

    #[test]
    fn other_things_are_left_alone() {
        for text in ["", ".", "-1", "+1", "x", "1e5", "nan", "0.1e2", "99999999999999999999", "0.99999999999999999999"]
        {
            assert_eq!(read(text), None, "{text}");
        }
        assert_eq!(
            [read("5."), read(".5"), read("007")],
            [Some(5_f64.to_bits()), Some(0.5_f64.to_bits()), Some(7_f64.to_bits())]
        );
        assert_eq!(read(&format!("0.{}", "0".repeat(40))), Some(0));
        assert_eq!(decimal(b"0.25,1"), Some((0.25, 4)));
        assert_eq!(digits(b"1234567890,", 0), Some((1_234_567_890, 10)));
        assert_eq!([digits(b"1234/678", 9), many_digits(b"1234/678", 9)], [Some((91_234, 4)); 2]);
        assert_eq!(many_digits(b"12345678:0", 9), Some((912_345_678, 8)));
    }
}
