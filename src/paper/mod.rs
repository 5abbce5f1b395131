//! The paper, in its order and with its names, and nothing else.

pub mod average_reward;
pub(crate) mod components;
pub mod covariance;
pub mod coverage;
pub mod discounted;
pub mod lines;
pub mod mdp;
pub mod online_learning;
pub mod output;
pub mod samples;

/// Which of the paper's two settings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Setting {
    /// Sections 3 and 4: Algorithm 1, whose rows carry `x0`.
    Discounted,
    /// Section 5: Algorithm 2, whose rows carry `u`.
    Average,
}

impl Setting {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Discounted, Self::Average];

    /// The setting of that name.
    #[must_use]
    pub fn by_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|setting| setting.name() == name)
    }

    /// The name on the command line and in files.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Discounted => "discounted",
            Self::Average => "average",
        }
    }
}
