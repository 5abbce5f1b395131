//! One call, accepted as it is without allocating, and refused with any one argument spoilt in any one way.

use allocation_counter::measure;
use offline_primal_dual::Result;
use offline_primal_dual::paper::mdp::{LinearMdp, Mdp, Shape};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

pub const SHAPE: Shape = Shape { states: 3, actions: 2, dim: 2 };
pub const PAIRS: usize = 6;

// φ is a distribution over two modes, each with its own arrivals: every P_π is positive.
pub const FEATURES: [f64; 12] = [1.0, 0.0, 0.5, 0.5, 0.0, 1.0, 0.25, 0.75, 0.75, 0.25, 0.5, 0.5];
pub const OMEGA: [f64; 2] = [1.0, 0.25];
pub const PSI: [f64; 6] = [0.5, 0.25, 0.25, 0.25, 0.25, 0.5];
pub const VARRHO: [f64; 2] = [1.0, 1.0];
pub const POWER: [f64; 4] = [2.0, 0.5, 0.5, 1.0];
pub const INITIAL: [f64; 3] = [1.0, 0.0, 0.0];
pub const POLICY: [f64; 6] = [0.5, 0.5, 1.0, 0.0, 0.25, 0.75];

/// How one argument may be spoilt.
pub enum Arg {
    /// Numbers of a fixed count.
    In(Vec<f64>),
    /// Numbers of any count.
    Any(Vec<f64>),
    /// One number.
    Scalar(f64),
    /// A buffer of that length that is written.
    Out(usize),
    Scratch,
}
pub use Arg::{Any, In, Out, Scalar, Scratch};

pub fn input(numbers: &[f64]) -> Arg {
    In(numbers.to_vec())
}

/// A vector without special values.
pub fn plain(n: u32) -> Arg {
    In((0..n).map(|i| 1.0 / f64::from(i + 3)).collect())
}

/// The call is accepted as it is, and refused with any one argument spoilt in any one way.
pub fn refuses<const N: usize>(name: &str, args: [Arg; N], call: impl Fn(&mut [Vec<f64>; N]) -> Result<()>) {
    refuses_of(name, args, false, &call);
}

/// The same of a function that may allocate.
pub fn refuses_with_room<const N: usize>(name: &str, args: [Arg; N], call: impl Fn(&mut [Vec<f64>; N]) -> Result<()>) {
    refuses_of(name, args, true, &call);
}

/// (Compiled once for each number of arguments, not for each call.)
fn refuses_of<const N: usize>(
    name: &str,
    args: [Arg; N],
    allocates: bool,
    call: &dyn Fn(&mut [Vec<f64>; N]) -> Result<()>,
) {
    let good: [Vec<f64>; N] = std::array::from_fn(|i| match &args[i] {
        In(numbers) | Any(numbers) => numbers.clone(),
        Scalar(number) => vec![*number],
        Out(length) => vec![0.0; *length],
        Scratch => vec![0.0; SHAPE.scratch()],
    });
    let mut copy = good.clone();
    let mut accepted = Ok(());
    let allocations = measure(|| accepted = call(&mut copy)).count_total;
    assert_eq!(accepted, Ok(()), "{name}");
    assert!(allocates || allocations == 0, "{name} allocates");
    hammer(name, &args, &good, call);
    let spoilt = |i: usize, how: &dyn Fn(&mut Vec<f64>)| {
        let mut bad = good.clone();
        how(&mut bad[i]);
        assert!(call(&mut bad).is_err(), "{name} accepts argument {i} as {:?}", bad[i]);
    };
    for (i, arg) in args.into_iter().enumerate() {
        if matches!(arg, In(_) | Out(_)) {
            spoilt(i, &|numbers| numbers.push(0.5));
            spoilt(i, &|numbers| numbers.truncate(numbers.len() - 1));
            spoilt(i, &|numbers| numbers.clear());
        }
        if matches!(arg, In(_) | Any(_) | Scalar(_)) {
            for j in 0..good[i].len() {
                for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
                    spoilt(i, &|numbers| numbers[j] = bad);
                }
            }
        }
        if matches!(arg, Scratch) {
            spoilt(i, &|numbers| numbers.clear());
        }
    }
}

pub fn linear() -> LinearMdp<'static, f64> {
    LinearMdp::new(SHAPE, &FEATURES, &OMEGA, &PSI, &INITIAL, &0.5).unwrap()
}

pub fn with_table(call: impl Fn(&Mdp<f64>)) {
    call(&linear().tabulate(&mut &mut [0.0; PAIRS * 4][..]).unwrap());
}

pub fn done<V>(_: V) {}

/// SplitMix64.
pub struct Dice(u64);

impl Dice {
    pub fn new(seed: u64) -> Self {
        Self(seed)
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

    /// Any double, most often one that means trouble.
    pub fn number(&mut self) -> f64 {
        const TROUBLE: [f64; 14] = [
            0.0,
            -0.0,
            1.0,
            -1.0,
            0.5,
            1e-300,
            1e300,
            -1e300,
            f64::MAX,
            f64::MIN_POSITIVE,
            5e-324,
            f64::NAN,
            f64::INFINITY,
            f64::NEG_INFINITY,
        ];
        match self.below(20) {
            roll if roll < 14 => TROUBLE[roll],
            14 => f64::from_bits(self.next()),
            _ => self.below(1 << 20) as f64 / (1 << 20) as f64,
        }
    }

    /// A count, most often small.
    pub fn count(&mut self) -> usize {
        match self.below(12) {
            0 => usize::MAX,
            1 => usize::MAX / 2 + 1,
            2 => 1 << 32,
            roll => roll - 3,
        }
    }

    /// Some numbers: up to a dozen.
    pub fn numbers(&mut self) -> Vec<f64> {
        let length = self.below(13);
        (0..length).map(|_| self.number()).collect()
    }
}

/// How many calls with random arguments each function gets beside the systematic ones, and how many there were.
pub static RANDOM_CALLS: AtomicUsize = AtomicUsize::new(25);
pub static CALLED: AtomicUsize = AtomicUsize::new(0);

/// Calls with every argument changed at random, in length and contents: whatever it answers, it does not panic.
fn hammer<const N: usize>(
    name: &str,
    args: &[Arg; N],
    good: &[Vec<f64>; N],
    call: &dyn Fn(&mut [Vec<f64>; N]) -> Result<()>,
) {
    let mut dice = Dice::new(name.bytes().fold(7, |seed: u64, byte| seed.wrapping_mul(31) + u64::from(byte)));
    let count = RANDOM_CALLS.load(Relaxed);
    for _ in 0..count {
        let mut numbers = good.clone();
        for (arg, numbers) in args.iter().zip(&mut numbers) {
            match dice.below(4) {
                _ if matches!(arg, Scalar(_)) => {}
                0 => numbers.truncate(dice.below(numbers.len() + 1)),
                1 => numbers.extend(dice.numbers()),
                _ => {}
            }
            let share = 1 + dice.below(4);
            for number in numbers.iter_mut() {
                if dice.below(share) == 0 {
                    *number = dice.number();
                }
            }
        }
        // An answer and a refusal are both fine.
        call(&mut numbers).unwrap_or_default();
    }
    CALLED.fetch_add(count, Relaxed);
}
