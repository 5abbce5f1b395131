//! The choice of a vector unit. Everything called inside has to be inlined into the caller that chose it.

/// Calls `f` compiled for the vector unit of the machine it runs on, if that has registers of four doubles.
#[inline(always)]
pub(super) fn dispatch<V>(f: impl FnOnce() -> V) -> V {
    #[cfg(target_arch = "x86_64")]
    if let Some(unit) = pulp::x86::V3::try_new() {
        return unit.vectorize(f);
    }
    f()
}

/// Calls `f`, a pass over vectors of R^d, compiled for registers of eight doubles where there are such and d makes up for
/// the call: from 64 on it does.
#[inline(always)]
pub(super) fn dispatch_wide<V>(dim: usize, f: impl FnOnce() -> V) -> V {
    #[cfg(target_arch = "x86_64")]
    if dim >= 64
        && let Some(unit) = pulp::x86::V4::try_new()
    {
        return unit.vectorize(f);
    }
    let _ = dim;
    f()
}
