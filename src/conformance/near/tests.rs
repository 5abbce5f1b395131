//! The error analysis against its manual: the table of docs/oracle.md written down once more, line by line, in every arithmetic.

use super::super::iterate::{Average, Image, Iterate, draw};
use super::*;

/// A row of the manual's table of arithmetics: u of stored numbers and of sums, what a factor and an input lose, ω.
struct Row {
    u: f64,
    sums: f64,
    factor: f64,
    read: f64,
    least: f64,
}

const DOUBLE: f64 = 1.0 / 9_007_199_254_740_992.0;
const SINGLE: f64 = 1.0 / 16_777_216.0;

impl Row {
    /// "+ u|result|⁺ + ω".
    fn rounded(&self, value: f64, e: f64) -> f64 {
        e + self.u * (value.abs() + 2.0 * e) + self.least
    }

    /// γ_n.
    fn gamma(&self, n: usize) -> f64 {
        let nu = n as f64 * self.sums;
        nu / (1.0 - nu)
    }

    /// What a product loses before it is added: its factors' shares, and its own rounding where it is stored.
    fn lost(&self) -> f64 {
        2.0 * self.factor + self.factor.powi(2) + if self.u > self.sums { self.u * (1.0 + self.u) } else { 0.0 }
    }

    /// A sum is stored in the end.
    fn stored(&self, value: f64, e: f64) -> f64 {
        if self.u > self.sums { self.rounded(value, e) } else { e }
    }

    /// The bound is the manual's, up to terms of second order in u, which it may have beside and must not lack.
    fn same(&self, found: f64, manual: f64, what: &str) {
        let (least, most) = (manual * (1.0 - 1e-13), manual * (1.0 + 20.0 * self.u + 1e-13) + 2.0 * self.least);
        assert!(least <= found && found <= most, "{what}: {found:e}, by the manual {manual:e}");
    }
}

fn size<P: Format>(x: &Near<P>) -> f64 {
    x.value.abs() + 2.0 * x.error
}

/// Numbers of [−2, 2] with errors below 1/1000.
struct Numbers(u64);

impl Numbers {
    fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1_u64 << 53) as f64
    }

    fn next<P: Format>(&mut self) -> Near<P> {
        Near::new(4.0 * self.unit() - 2.0, 1e-3 * self.unit())
    }

    fn many<P: Format>(&mut self, n: usize) -> Vec<Near<P>> {
        (0..n).map(|_| self.next()).collect()
    }
}

fn norm(numbers: impl Iterator<Item = f64>) -> f64 {
    numbers.map(|x| x * x).sum::<f64>().sqrt()
}

fn operations<P: Format>(row: &Row, x: Near<P>, y: Near<P>) {
    let (product, m) = (size(&x) * y.error + size(&y) * x.error, y.value.abs() - 2.0 * y.error);
    let quotient = if m > 0.0 { (x.error + size(&x) / m * y.error) / m } else { f64::INFINITY };
    for (what, found, value, e) in [
        ("x + y", x + y, x.value + y.value, x.error + y.error),
        ("x − y", x - y, x.value - y.value, x.error + y.error),
        ("xy", x * y, x.value * y.value, product),
        ("x/y", x / y, x.value / y.value, quotient),
    ] {
        assert_eq!(found.value, value, "{what}");
        row.same(found.error, row.rounded(value, e), what);
    }
    let exp = x.exp();
    assert!((exp.value / x.value.exp() - 1.0).abs() < 4.0 * f64::EPSILON);
    let manual = (x.value + 2.0 * x.error).exp() * (8.0 * row.u + x.error.exp_m1()) + row.least;
    row.same(exp.error, manual, "eˣ");
    let (greatest, clamped) = (x.max(y), x.clamp());
    assert_eq!((greatest.value, greatest.error), (x.value.max(y.value), x.error.max(y.error)));
    assert_eq!((clamped.value, clamped.error), (x.value.clamp(0.0, 1.0), x.error));
    assert_eq!((x.negative().value, x.negative().error), (-x.value, x.error));
    let far = Near::<P>::new(x.value, 3.0);
    row.same(far.clamp().error, 1.0, "two numbers of [0, 1]");
    row.same(far.within(0.25).error, 0.5, "two numbers of [−1/4, 1/4]");
    assert_eq!(tolerance(x.error), 2.0 * x.error * (1.0 + 1.0 / 1024.0));
    row.same(Near::<P>::input(x.value).error, row.read * (x.value.abs() + row.least), "an input");
}

fn sums<P: Format>(row: &Row, a: &[Near<P>], b: &[Near<P>], matrix: &[Near<P>]) {
    let n = a.len();
    let pairs = || a.iter().zip(b);
    let inner: f64 = pairs().map(|(x, y)| x.value * y.value).sum();
    let sizes: f64 = pairs().map(|(x, y)| size(x) * size(y)).sum();
    let inherited: f64 = pairs().map(|(x, y)| size(x) * y.error + size(y) * x.error + row.least).sum();
    let e = inherited + (row.lost() + row.gamma(n)) * sizes;
    let found = dot(a, b);
    assert!((found.value - inner).abs() < 1e-12);
    row.same(found.error, row.stored(inner, e), "⟨a, b⟩");

    let (sum, all): (f64, f64) = a.iter().fold((0.0, 0.0), |(sum, all), x| (sum + x.value, all + size(x)));
    let e = a.iter().map(|x| x.error).sum::<f64>() + row.gamma(n) * all;
    let found = total(a.iter().copied());
    assert!((found.value - sum).abs() < 1e-12);
    row.same(found.error, row.stored(sum, e), "Σ");

    // Products that are rounded by themselves: of cut factors too.
    let mut rounded = Sum::new();
    pairs().for_each(|(x, y)| rounded.add_rounded_product(*x, *y));
    let products: Vec<Near<P>> = pairs().map(|(x, y)| *x * *y).collect();
    let cut = 2.0 * row.factor + row.factor.powi(2);
    let e = products.iter().map(|p| p.error).sum::<f64>()
        + cut * sizes
        + row.gamma(n) * products.iter().map(size).sum::<f64>();
    row.same(rounded.total().error, row.stored(inner, e), "Σ of rounded products");

    let image = Image::new(Some(matrix), b);
    let point: Vec<Near<P>> = matrix.chunks(n).map(|line| dot(line, b)).collect();
    let majorant = |i: usize| matrix[i * n..(i + 1) * n].iter().zip(b).map(|(m, y)| size(m) * size(y)).sum::<f64>();
    let e =
        dot(a, &point).error + (row.gamma(2 * n) + row.lost()) * (0..n).map(|i| size(&a[i]) * majorant(i)).sum::<f64>();
    let found = image.dot(a);
    assert_eq!(found.value, dot(a, &point).value);
    row.same(found.error, e, "⟨a, M b⟩");
    assert_eq!(Image::new(None, b).dot(a).error, dot(a, b).error);
}

fn iterates<P: Format>(row: &Row, point: &[Near<P>], gradient: &[Near<P>], rate: Near<P>) {
    let d = point.len();
    let at = Iterate { point: point.to_vec(), spread: 0.125 };
    for sign in [1.0, -1.0] {
        let moved = at.moved(gradient, rate, sign);
        let step: Vec<f64> = gradient.iter().map(|g| sign * g.value * rate.value).collect();
        let each = |i: usize| moved.point[i].value - (point[i].value + step[i]);
        assert!((0..d).all(|i| each(i).abs() < 1e-12), "the step");
        // A step adds the Euclidean norm of the new errors.
        let new = |i: usize| {
            let product = gradient[i] * rate;
            row.rounded(moved.point[i].value, point[i].error + product.error) - point[i].error
        };
        let added = norm((0..d).map(new));
        let found = moved.spread - at.spread;
        assert!(
            found >= added * (1.0 - 1e-9) && found <= added * (1.0 + 20.0 * row.u + 1e-9) + 1e-15,
            "{found:e} {added:e}"
        );
    }
    // Π keeps s, or shrinks it to s·D/‖y‖ where everybody is outside, and adds γ_{d+4}·D for its own roundings; nothing where nobody is.
    let length = norm(point.iter().map(|x| x.value));
    let slack = row.gamma(d + 4)
        + if row.u > row.sums || row.factor > 0.0 { 2.0 * row.factor + row.factor.powi(2) + 4.0 * row.u } else { 0.0 };
    for (share, spread) in [(4.0, 0.0), (1.01, 0.125), (0.99, 0.125), (0.5, 1e-3), (0.25, 0.02), (0.25, 100.0)] {
        let radius = Near::<P>::new(share * length, 1e-9);
        let mut found = Iterate { point: point.to_vec(), spread };
        found.project(radius);
        if length + 2.0 * spread < 0.9 * radius.value {
            assert!(found.spread == spread && found.point[0].error == point[0].error, "nobody is outside");
            continue;
        }
        let shrink = (radius.value / (length - 2.0 * spread)).min(1.0);
        let shrink = if length > 2.0 * spread { shrink } else { 1.0 };
        let kept = shrink * spread + slack * radius.value + 2e-9;
        let manual = kept.min(2.0 * radius.value);
        // Second order: slack², and the radius's own error.
        let most = manual * (1.0 + 3.0 * slack) + 1e-8;
        assert!(
            manual * (1.0 - 1e-13) <= found.spread && found.spread <= most,
            "{share} {:e} {manual:e}",
            found.spread
        );
        let factor = if share < 1.0 { share } else { 1.0 };
        for (old, new) in point.iter().zip(&found.point) {
            assert!((new.value - factor * old.value).abs() < 1e-12 && new.error == found.spread);
        }
    }
    // Where rounding may take somebody out of the ball, it adds its part.
    let radius = Near::<P>::exactly((1.0 + 0.5 * slack) * length);
    let mut found = Iterate { point: point.to_vec(), spread: 0.0 };
    found.project(radius);
    row.same(found.spread, slack * radius.value * (1.0 + slack) + row.least, "a point near the sphere");
    // Averages over K: Σe/K + (γ_{K+2} + 4u)Σ|x|⁺/K, and no component further off than the whole.
    for spread in [1e3, 1e-9] {
        let mut average = Average::new(d);
        let all = [point, gradient, point];
        for point in all {
            average.add(&Iterate { point: point.to_vec(), spread });
        }
        let mean = average.mean();
        let own = |i: usize| {
            (row.gamma(5) + 4.0 * row.u) * all.iter().map(|x| size(&x[i])).sum::<f64>() / 3.0 + 2.0 * row.least
        };
        let whole = spread + norm((0..d).map(own));
        row.same(mean.spread, whole, "the spread of an average");
        for (i, x) in mean.point.iter().enumerate() {
            let e = all.iter().map(|x| x[i].error).sum::<f64>() / 3.0 + own(i);
            assert!((x.value - all.iter().map(|x| x[i].value).sum::<f64>() / 3.0).abs() < 1e-12);
            row.same(x.error, e.min(whole), "an average");
        }
    }
}

fn in_format<P: Format>(row: &Row) {
    let mut numbers = Numbers(1);
    for n in (1..12).cycle().take(200) {
        let (x, y) = (numbers.next::<P>(), numbers.next::<P>());
        operations(row, x, y);
        operations(row, Near::exactly(x.value), y);
        let (a, b) = (numbers.many(n), numbers.many(n));
        sums(row, &a, &b, &numbers.many(n * n));
        iterates(row, &a, &b, x);
    }
    let zero = Near::<P>::exactly(0.0);
    for nothing in [zero + zero, zero * Near::exactly(3.0), zero / Near::exactly(3.0), dot(&[zero], &[zero])] {
        assert_eq!((nothing.value, nothing.error), (0.0, 0.0), "nothing rounds to nothing");
    }
    let near_zero = Near::<P>::new(0.125, 0.0625);
    for over in [0.0, 1.0] {
        assert_eq!((Near::exactly(over) / near_zero).error, f64::INFINITY, "{over}/0");
    }
    // Numbers with at most eight significant bits are the same in every format, unless they are too small or too large for one.
    for short in [0.0, 1.0, -0.5, 255.0, 1.0 / 256.0, 129.0 / 128.0, 1e-29_f64.to_bits() as f64 * 0.0] {
        assert_eq!(Near::<P>::input(short).error, 0.0, "{short}");
    }
    for long in [257.0 / 256.0, 1.0 / 3.0, f64::exp2(-100.0), f64::exp2(100.0)] {
        row.same(Near::<P>::input(long).error, row.read * long + if row.read > 0.0 { row.least } else { 0.0 }, "long");
    }
    assert_eq!(gamma(usize::MAX, 1.0), f64::INFINITY);
    assert_eq!(gamma(4, 0.25), f64::INFINITY);
    assert_eq!(gamma(3, 0.25), 3.0);
    // The last of the actions takes what is left; between two of them either may be right, and between three, all.
    let policy = [0.25, 0.25, 0.5].map(|p| Near::<P>::new(p, 0.125 / 4.0));
    assert_eq!(draw(&policy, Near::exactly(0.999), false).1, 2);
    assert_eq!(draw(&policy, Near::new(0.4, 0.2), false), (0, 2));
}

#[test]
fn bounds_are_the_manuals() {
    let least = f64::from(f32::MIN_POSITIVE);
    in_format::<F64>(&Row { u: DOUBLE, sums: DOUBLE, factor: 0.0, read: 0.0, least: f64::MIN_POSITIVE });
    in_format::<F32>(&Row { u: SINGLE, sums: SINGLE, factor: 0.0, read: SINGLE, least });
    in_format::<Tf32>(&Row { u: SINGLE, sums: SINGLE, factor: 1.0 / 1024.0, read: SINGLE, least });
    in_format::<Bf16>(&Row { u: 1.0 / 256.0, sums: SINGLE, factor: 0.0, read: 1.0 / 256.0, least });
}
