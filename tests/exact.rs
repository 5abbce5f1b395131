//! The big rational: conversions, invalid values, exact solves.
#![cfg(feature = "exact")]

use offline_primal_dual::Error;
use offline_primal_dual::linear::solve::{inverse, rank, solve};
use offline_primal_dual::number::Field;
use offline_primal_dual::number::elimination::Eliminate as _;
use offline_primal_dual::number::exact::BigRational;
use offline_primal_dual::number::rational::Rational64;

fn q(n: i64, d: i64) -> BigRational {
    BigRational::ratio(n, d)
}

/// splitmix64, so that every run sees the same numbers.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    fn below(&mut self, n: u64) -> i64 {
        i64::try_from(self.next() % n).unwrap()
    }
}

fn exactly(x: f64) -> BigRational {
    BigRational::from_f64(x).unwrap()
}

/// Neither neighbour of the result is nearer, and in a tie the result is the even one.
fn assert_nearest(x: &BigRational) {
    let rounded = x.to_f64();
    let distance = |y: f64| (x.clone() - exactly(y)).abs();
    for neighbour in [rounded.next_up(), rounded.next_down()] {
        if neighbour.is_finite() {
            let (here, there) = (distance(rounded), distance(neighbour));
            assert!(here < there || (here == there && rounded.to_bits() & 1 == 0), "{x} became {rounded:e}");
        }
    }
}

#[test]
fn doubles_convert_exactly_and_back_to_the_nearest() {
    let mut numbers = Numbers(1);
    for case in 0..20_000 {
        let bits = numbers.next();
        let x = f64::from_bits(if case % 4 == 0 { bits & !(0x7ff << 52) } else { bits });
        if x.is_finite() {
            assert_eq!(exactly(x).to_f64().to_bits(), x.to_bits() & if x == 0.0 { 0 } else { u64::MAX });
            // Between x and its neighbour: at the middle, a tie, and just beside it.
            let up = x.next_up();
            if up.is_finite() {
                let middle = (exactly(x) + exactly(up)) / q(2, 1);
                let nudge = (exactly(up) - exactly(x)) / q(1 << 40, 1);
                for y in [middle.clone(), middle.clone() - &nudge, middle + &nudge] {
                    assert_nearest(&y);
                }
            }
        }
        assert_nearest(&q(numbers.below(1 << 62) - (1 << 61), numbers.below(1 << 62) + 1));
    }
    let tiny = exactly(f64::from_bits(1));
    assert_eq!((tiny.clone() / q(2, 1)).to_f64().to_bits(), 0, "half the least double: the tie goes to zero");
    assert_eq!((tiny * q(2, 3)).to_f64().to_bits(), 1);
    let max = exactly(f64::MAX);
    let half_step = (max.clone() - exactly(f64::MAX.next_down())) / q(2, 1);
    assert!((max.clone() + &half_step).to_f64().is_infinite());
    assert_eq!((max + half_step * q(999, 1000)).to_f64().to_bits(), f64::MAX.to_bits());
    for x in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        assert!(BigRational::from_f64(x).is_err());
    }
    assert!(BigRational::INVALID.to_f64().is_nan());
}

#[test]
fn numbers_are_read_and_written_exactly() {
    let cases = [
        ("1/3", q(1, 3), "1/3"),
        ("-6/4", q(-3, 2), "-3/2"),
        ("+7", q(7, 1), "7"),
        ("0.1", q(1, 10), "1/10"),
        ("-12.50", q(-25, 2), "-25/2"),
        ("1e-3", q(1, 1000), "1/1000"),
        ("2.5E+2", q(250, 1), "250"),
        ("0/5", q(0, 1), "0"),
    ];
    for (text, value, printed) in cases {
        let read: BigRational = text.parse().unwrap();
        assert_eq!(read, value, "{text}");
        assert_eq!(read.to_string(), printed);
    }
    for text in [
        "",
        "-",
        "/",
        "1/",
        "/2",
        "1/0",
        "1/-2",
        "--1",
        "1/2/3",
        "0x10",
        "1_000",
        " 1",
        ".",
        "-.",
        "1e",
        "1e+",
        "1e--2",
        "1e99999999999",
        "nan",
        "inf",
        "1.5/2",
        "٣",
    ] {
        assert!(matches!(text.parse::<BigRational>(), Err(Error::Syntax { .. })), "{text:?} was read");
    }
}

#[test]
fn nothing_panics_and_invalid_is_absorbing() {
    let bad = q(1, 0);
    assert!(!bad.is_valid() && !bad.is_zero());
    assert!(bad != BigRational::INVALID && bad.partial_cmp(&q(0, 1)).is_none());
    for x in [
        bad.clone() + q(1, 1),
        q(1, 1) - &bad,
        bad.clone() * q(0, 1),
        q(0, 1) / &bad,
        q(1, 1) / q(0, 1),
        -bad.clone(),
        bad.abs(),
    ] {
        assert!(!x.is_valid());
    }
    let mut x = q(1, 2);
    x.divide_exactly(&q(0, 1));
    assert!(!x.is_valid());
    let mut x = q(1, 2);
    x.eliminate(&q(1, 1), &q(1, 1), &q(1, 1), &q(0, 1));
    assert!(!x.is_valid());
    let mut a = [q(1, 1), bad.clone(), q(0, 1), q(1, 1)];
    assert_eq!(solve(2, &mut a, &mut [q(1, 1), q(1, 1)]), Err(Error::NotFinite { what: "matrix", index: 1 }));
    let mut a = [q(1, 1), q(2, 1), q(2, 1), q(4, 1)];
    assert_eq!(solve(2, &mut a, &mut [q(1, 1), q(1, 1)]), Err(Error::Singular { what: "matrix", rank: 1 }));
}

/// Entries and right sides of every size from 1 to 25: A·X − B is zero, in the matrix as it was given.
#[test]
fn solves_leave_no_residual() {
    let mut numbers = Numbers(2);
    for n in 1..=25 {
        let m = 1 + n % 3;
        let mut entries =
            |count| -> Vec<_> { (0..count).map(|_| q(numbers.below(2047) - 1023, numbers.below(1023) + 1)).collect() };
        let (a, b) = (entries(n * n), entries(n * m));
        let mut x = b.clone();
        solve(n, &mut a.clone(), &mut x).unwrap();
        for (i, row) in a.chunks_exact(n).enumerate() {
            for k in 0..m {
                let product = (0..n).fold(q(0, 1), |sum, j| sum + row[j].clone() * &x[j * m + k]);
                assert_eq!(product, b[i * m + k], "n = {n}, row {i}");
            }
        }
    }
}

/// Small systems, many of them singular: the three scalars agree, and the rank says the same as the solve.
#[test]
fn scalars_agree_on_small_systems() {
    let mut numbers = Numbers(3);
    let (mut regular, mut singular) = (0, 0);
    for case in 0..4000 {
        let n = 1 + case % 4;
        let parts: Vec<_> = (0..n * n + n).map(|_| (numbers.below(5) - 2, numbers.below(3) + 1)).collect();
        let big: Vec<_> = parts.iter().map(|&(p, d)| q(p, d)).collect();
        let fixed: Vec<_> = parts.iter().map(|&(p, d)| Rational64::ratio(p, d)).collect();
        let (mut big_x, mut fixed_x) = (big[n * n..].to_vec(), fixed[n * n..].to_vec());
        let solved = solve(n, &mut big[..n * n].to_vec(), &mut big_x);
        assert_eq!(solve(n, &mut fixed[..n * n].to_vec(), &mut fixed_x), solved);
        let found = rank(n, &mut big[..n * n].to_vec()).unwrap();
        if solved.is_ok() {
            assert!(big_x.iter().zip(&fixed_x).all(|(x, y)| x.to_string() == y.to_string()), "{big_x:?} {fixed_x:?}");
            assert_eq!(found, n);
            regular += 1;
        } else {
            assert_eq!(solved, Err(Error::Singular { what: "matrix", rank: found }));
            singular += 1;
        }
    }
    assert!(regular > 3000 && singular > 300, "{regular} regular, {singular} singular");
}

/// A diagonal is counted; with its rows turned around it is eliminated.
#[test]
fn the_rank_of_a_diagonal_is_that_of_its_rows_in_another_order() {
    let mut numbers = Numbers(9);
    for _ in 0..200 {
        let n = 2 + numbers.next() as usize % 5;
        let mut rows = vec![vec![q(0, 1); n]; n];
        for (i, row) in rows.iter_mut().enumerate() {
            row[i] = q(numbers.below(3) - 1, 1 + numbers.below(4));
        }
        let diagonal = rank(n, &mut rows.concat()).unwrap();
        rows.reverse();
        assert_eq!(diagonal, rank(n, &mut rows.concat()).unwrap(), "{rows:?}");
    }
}

#[test]
fn inverse_of_hilbert_matrix_is_integral() {
    let n = 12;
    let hilbert: Vec<_> = (0..n * n).map(|i| q(1, i64::try_from(i / n + i % n + 1).unwrap())).collect();
    let mut out = vec![q(0, 1); n * n];
    inverse(n, &mut hilbert.clone(), &mut out).unwrap();
    assert!(out.iter().all(|x| x.denominator().unwrap().is_one()));
    assert_eq!(out[0], q(144, 1));
    let mut again = vec![q(0, 1); n * n];
    inverse(n, &mut out, &mut again).unwrap();
    assert_eq!(again, hilbert);
}

/// From 16 unknowns on a solve goes by lifting modulo 2⁶¹ − 1 first. What lifting declines, elimination must do.
#[test]
fn lifting_declines_what_it_cannot_do() {
    let n = 20;
    let prime = (1i64 << 61) - 1;
    let mut numbers = Numbers(4);
    let diagonal = |i: usize| if i == 7 { prime } else { i64::try_from(i).unwrap() + 1 };
    let mut a: Vec<_> = (0..n * n).map(|k| if k / n == k % n { q(diagonal(k / n), 1) } else { q(0, 1) }).collect();
    let mut b = vec![q(1, 1); n];
    solve(n, &mut a, &mut b).unwrap();
    assert!(
        b.iter().enumerate().all(|(i, x)| *x == q(1, diagonal(i))),
        "singular modulo the prime, regular all the same"
    );
    let mut a: Vec<_> = (0..n * n).map(|_| q(numbers.below(9) - 4, numbers.below(9) + 1)).collect();
    let mut zero = vec![q(0, 1); n];
    solve(n, &mut a.clone(), &mut zero).unwrap();
    assert!(zero.iter().all(Field::is_zero));
    for j in 0..n {
        a[5 * n + j] = a[3 * n + j].clone() - &a[11 * n + j];
    }
    assert_eq!(solve(n, &mut a, &mut vec![q(1, 1); n]), Err(Error::Singular { what: "matrix", rank: n - 1 }));
}

/// Solutions from one digit to thousands, of both signs: x is chosen, b = A x is computed, x must come back.
#[test]
fn lifting_returns_the_solution_that_was_put_in() {
    let mut numbers = Numbers(5);
    let n = 18;
    for power in [0, 1, 5, 40, 200] {
        let a: Vec<_> = (0..n * n).map(|_| q(numbers.below(2047) - 1023, 1)).collect();
        let long = (0..power).fold(q(1, 1), |x, _| x * q(1_000_003, 999_983));
        let x: Vec<_> = (0..n).map(|_| q(numbers.below(201) - 100, numbers.below(7) + 1) * &long).collect();
        let mut b: Vec<_> =
            a.chunks_exact(n).map(|row| row.iter().zip(&x).fold(q(0, 1), |sum, (a, x)| sum + a.clone() * x)).collect();
        solve(n, &mut a.clone(), &mut b).unwrap();
        assert_eq!(b, x, "x multiplied by a power {power}");
    }
}

#[cfg(feature = "std")]
mod stopped {
    use super::{BigRational, Field, Numbers, q, solve};
    use offline_primal_dual::number::interrupt::unless;

    /// A sum without end, which nothing but a question ends.
    fn endless() -> BigRational {
        let (mut total, mut n) = (BigRational::zero(), 1);
        while total.is_valid() {
            total += BigRational::one() / BigRational::from_int(n);
            n = n % 50 + 1;
        }
        total
    }

    #[test]
    fn exact_work_is_stopped_from_outside() {
        assert!(unless(|| true, endless).is_none());
        // Nothing of it is left behind, and who is not stopped has every digit.
        let third = BigRational::one() / BigRational::from_int(3);
        assert!(third.is_valid());
        assert_eq!(unless(|| false, || third.clone() + &third), Some("2/3".parse().unwrap()));
        // Whoever answers may compute, and ask a question of its own.
        let mut asked = 0;
        let question = move || {
            asked += 1;
            assert!(unless(|| true, endless).is_none());
            assert!((BigRational::one() + BigRational::one()).is_valid());
            asked > 1
        };
        let inner = || {
            assert!(unless(|| true, endless).is_none());
            endless()
        };
        assert!(unless(question, inner).is_none());
    }

    /// A system by lifting gives up too, and so does the elimination that would take its place.
    #[test]
    fn a_system_is_stopped_from_outside() {
        let n = 40;
        let solves = || {
            let mut numbers = Numbers(1);
            let mut entries = |count| {
                (0..count)
                    .map(|_| q((numbers.next() % 2001) as i64 - 1000, (numbers.next() % 100) as i64 + 1))
                    .collect::<Vec<_>>()
            };
            solve(n, &mut entries(n * n), &mut entries(n)).is_ok()
        };
        // Over and over, so that the question is asked whatever the machine; an error at last, not an answer.
        assert!(unless(|| true, || while solves() {}).is_none());
    }
}
