//! Reports, each one self-contained HTML file: the frame, the figures, and the pages of runs. A command's own page is beside the command.

pub mod drawn;
pub mod figure;
pub mod mathml;
pub mod page;
mod run;

pub use page::{escape, formula, number};
pub use run::{RunPage, certificate_page};
