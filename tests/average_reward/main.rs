//! Section 5 and Appendix C: identities of rationals on small models, and what the functions refuse.

#[cfg(feature = "exact")]
mod gap;
#[cfg(feature = "exact")]
mod lagrangian;
#[cfg(feature = "exact")]
mod lp;
#[cfg(feature = "exact")]
mod model;
#[cfg(feature = "exact")]
mod unichain;
#[cfg(feature = "exact")]
mod values;
