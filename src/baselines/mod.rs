//! The other rows of Table 1, and the estimator that judges policies by data alone (feature `std`, doubles).
//!
//! Nothing here is from the paper that the rest of the library is about: each file names the paper that it is from. Every method is
//! given the same [`Batch`] (rows, features, γ) and answers with a policy, a table of |X| rows of |A| probabilities.

mod actor_critic;
mod batch;
mod features;
mod fogas;
mod fqi;
mod last_round;
mod lstdq;
mod normal;
mod policy;
mod primal_dual;
mod search;
mod side_by_side;
mod system;
mod vi_lcb;

pub use actor_critic::{Critic, Weights, actor_critic, critic};
pub use batch::{Batch, Cell};
pub use features::Features;
pub use fogas::{Occupancy, Steps, fogas};
pub use fqi::{fqi, fqi_theta, lspi};
pub use last_round::{STOPS, last_round};
pub use lstdq::{Estimate, Evaluator};
pub use policy::{greedy, softmax, uniform};
pub use primal_dual::{Candidate, Learnt, run};
pub use search::{Found, Plan, Scored, Split, credit, search};
pub use side_by_side::run_all;
pub use vi_lcb::{Pessimistic, vi_lcb};

#[cfg(test)]
mod tests;
