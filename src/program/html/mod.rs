//! Reports, each one self-contained HTML file: the frame, the figures, and the pages of runs. A command's own page is beside the command.

mod bands;
pub mod drawn;
pub mod figure;
pub mod mathml;
pub mod page;
mod run;
mod scale;

pub use page::{escape, formula, number};
pub use run::{RunPage, certificate_page};
