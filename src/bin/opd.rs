//! `opd`: the paper's statements, algorithms and certificates on the command line.
//!
//! Exit codes: 0 done, 1 a check or comparison failed, 2 the input or the call is wrong.

fn main() -> std::process::ExitCode {
    offline_primal_dual::program::main()
}
