#!/usr/bin/env python3
"""Breaks the library in small ways, each of which a harness has to refute.

    proofs/kani-breaks.py              all breaks below, one after the other (about half an hour on idle cores)
    proofs/kani-breaks.py NAME...      some of them
    proofs/kani-breaks.py --part 1/3   every third of them, from the first
    proofs/kani-breaks.py --list       what they are, and whether the text of each still stands in its file

Each is an edit of one file of a copy of this tree, and the harnesses that have to refute it: fail, or leave a `cover!` unsatisfied. The breaks that no
harness of Kani sees name the check that does, a test or clippy. Exit code 1 if one survives, or if its text is no longer in the file.
"""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
FIRST, SECOND, LINES = "paper/discounted/algorithm.rs", "paper/average_reward/algorithm.rs", "paper/lines.rs"
BALL, SOFTMAX, VECTOR = "linear/projection.rs", "linear/softmax.rs", "linear/vector.rs"
RATIONAL, ROW, ERROR = "number/rational.rs", "data/row.rs", "error.rs"
GAP, REGRET = "paper/discounted/duality_gap.rs", "paper/discounted/regret.rs"
AVERAGE_GAP, AVERAGE_REGRET = "paper/average_reward/duality_gap.rs", "paper/average_reward/regret.rs"
SCALE = "scale(&(radius.clone() / norm), y);"

# name, file of src, what stands there, what is put there, who refutes it: harnesses, or a command.
BREAKS = [
    # Π.
    ("projection-dropped", BALL, "if norm > *radius {", "if norm > *radius && norm < *radius {",
     "fixed_ball_projection_lands fixed_ball_projection_of_radius_2_lands fixed_ball_projection_in_space_lands"),
    ("theta-not-projected", LINES, "        project_ball(theta, radius)\n", "        crate::linear::projection::validate_radius(\"radius\", radius)\n",
     "discounted_iteration_stays_in_balls average_reward_iteration_stays_in_balls"),
    ("comparison-reversed", BALL, "if norm > *radius {", "if norm < *radius {", "single_projection_shrinks"),
    ("norm-less-one", BALL, SCALE, "scale(&(radius.clone() / (norm - T::one())), y);", "projections_take_the_norm_of_what_they_project"),
    ("factor-6-percent-too-large", BALL, SCALE, "scale(&(radius.clone() / norm * T::ratio(17, 16)), y);",
     "projections_take_the_norm_of_what_they_project single_ball_projection_lands"),
    ("factor-inverted", BALL, SCALE, "scale(&(norm / radius), y);", "fixed_ball_projection_is_idempotent"),
    ("sign-lost", BALL, SCALE, "scale(&-(radius.clone() / norm), y);",
     "fixed_ball_projection_is_non_expansive fixed_ball_projection_in_space_is_non_expansive single_ball_projection_is_non_expansive"),
    ("radius-squared", BALL, SCALE, "scale(&(radius.clone() * radius / norm), y);", "fixed_ball_projection_follows_the_radius"),
    ("norm-of-the-old-iterate", LINES, "        beta.clone_from_slice(unprojected);\n        project_ball(beta, radius)",
     "        let norm = crate::linear::vector::norm(beta)?;\n        beta.clone_from_slice(unprojected);\n"
     "        crate::linear::projection::project_ball_of_norm(beta, norm, radius);\n        Ok(())",
     "projections_take_the_norm_of_what_they_project"),
    ("above-1-sent-to-0", BALL, "    } else if y > T::one() {\n        T::one()", "    } else if y > T::one() {\n        T::zero()",
     "unit_interval_is_non_expansive unit_interval_distances_do_not_grow"),
    ("below-0-kept", BALL, "    if y < T::zero() {\n        T::zero()", "    if y < T::zero() {\n        y", "unit_interval_is_idempotent"),
    ("mean-over-K-minus-1", LINES, "let share = reciprocal::<T>(count);", "let share = reciprocal::<T>(count - 1);",
     "average_is_the_sum_over_count mean_of_three_stays_in_ball"),
    # The boxes.
    ("inner-step-reverses-beta", FIRST, "        accumulate(state.theta, state.iterate_sum);\n\n",
     "        accumulate(state.theta, state.iterate_sum);\n        state.beta.reverse();\n\n", "discounted_inner_step_is_the_box"),
    ("theta-in-the-ball-of-beta", FIRST, "lines.project_theta(unprojected, radius_theta,", "lines.project_theta(unprojected, &self.parameters.radius_beta,",
     "discounted_inner_step_is_the_box"),
    ("inner-sum-without-theta", FIRST, "        accumulate(state.theta, state.iterate_sum);\n\n", "\n", "discounted_inner_step_is_the_box"),
    ("feature-off-by-one", "paper/samples.rs", "Ok(&features[a * dim..(a + 1) * dim])", "Ok(&features[a..a + dim])", "discounted_inner_step_is_the_box"),
    ("beta-in-the-ball-of-theta", FIRST, "lines.project_beta(unprojected, radius_beta,", "lines.project_beta(unprojected, &self.parameters.radius_theta,",
     "discounted_outer_iteration_is_the_box"),
    ("sum-not-begun-anew", FIRST, "        state.iterate_sum.fill(T::zero());\n", "", "discounted_outer_iteration_is_the_box"),
    ("beta-descends", LINES, "*y = beta.clone() + g.clone() * zeta;", "*y = beta.clone() - g.clone() * zeta;",
     "discounted_outer_iteration_is_the_box average_reward_outer_iteration_is_the_box"),
    ("policy-not-updated", FIRST, "        lines.update_policy(state.theta, state.theta_sum)?;\n", "", "discounted_outer_iteration_is_the_box"),
    ("average-of-the-next-iterate", SECOND, "        accumulate(state.theta, state.iterate_sum);\n        let unprojected = descend(state.theta, eta, gradient, scratch)?;\n"
     "        lines.project_theta(unprojected, radius_theta, state.theta)?;\n",
     "        let unprojected = descend(state.theta, eta, gradient, scratch)?;\n        lines.project_theta(unprojected, radius_theta, state.theta)?;\n"
     "        accumulate(state.theta, state.iterate_sum);\n", "average_reward_inner_step_is_the_box"),
    ("rho-not-projected", SECOND, "state.rho = lines.project_rho(unprojected_rho)?;", "state.rho = unprojected_rho.clone();", "average_reward_inner_step_is_the_box"),
    ("rho-over-K-plus-1", SECOND, "lines.average_rho(&state.rho_sum, *count,", "lines.average_rho(&state.rho_sum, *count + 1,", "average_reward_outer_iteration_is_the_box"),
    ("start-outside-the-balls", FIRST, "if !within_ball(point, radius) {", "if false && !within_ball(point, radius) {", "discounted_starts_in_balls"),
    ("start-at-any-rho", SECOND, "if !(rho >= T::zero() && rho <= T::one()) {", "if !(rho >= T::zero()) {", "average_reward_starts_in_balls"),
    ("scratch-one-too-short", "paper/discounted/state.rs", "scratch: take(buffer, dim.saturating_mul(3).saturating_add(actions.saturating_mul(4)))?,",
     "scratch: take(buffer, dim.saturating_mul(3).saturating_add(actions.saturating_mul(4)) - 1)?,", "discounted_starts_in_balls"),
    ("result-dropped", FIRST, "        self.begin_outer(lines, state, observer)?;\n", "        let _ = self.begin_outer(lines, state, observer);\n",
     "cargo clippy --lib -- -D warnings"),
    # Checks.
    ("shorter-is-enough", ERROR, "if expected == found {", "if found <= expected {", "lengths_are_compared"),
    ("table-size-wraps", ERROR, "match rows.checked_mul(columns) {", "match Some(rows.wrapping_mul(columns)) {", "tables_are_measured"),
    ("rows-of-width-0", ERROR, "if width > 0 && found.is_multiple_of(width) {", "if found.is_multiple_of(width) {", "rows_are_whole"),
    ("scratch-not-kept", VECTOR, "            *scratch = rest;\n", "            drop(rest);\n", "scratch_is_split"),
    ("length-of-theta-unchecked", "paper/discounted/estimators.rs", "    expect_len(\"theta\", phi.len(), theta.len())?;\n    td_error_with",
     "    td_error_with", "cargo test --test properties lengths"),
    # Data.
    ("empty-text-is-0", ROW, "if text.is_empty() { None } else { Some(number) }", "Some(number)", "index_is_the_number_its_digits_say"),
    ("index-wraps", ROW, "number.checked_mul(10)?.checked_add(digit.into())?", "number.wrapping_mul(10).wrapping_add(digit.into())",
     "index_that_does_not_fit_is_refused"),
    ("index-equals-its-bound", ROW, "filter(|&index| index < below)", "filter(|&index| index <= below)", "rows_are_in_range"),
    # Rationals.
    ("gcd-always-1", RATIONAL, "                a << shift\n", "                let _ = a << shift;\n                1\n", "rational_new"),
    ("gcd-doubled", RATIONAL, "                a << shift\n", "                a << (shift + 1)\n", "narrow_quotients_are_kept"),
    ("numerator-wraps", RATIONAL, "(fits(sign * (numerator / divisor)), ", "(Some((sign * (numerator / divisor)) as $int), ", "rational_reduced"),
    ("sum-subtracts", RATIONAL, "Self::reduced(a * d + c * b, b * d)", "Self::reduced(a * d - c * b, b * d)", "rational_add"),
    ("difference-reversed", RATIONAL, "self + -other", "other + -self", "rational_sub"),
    ("denominators-added", RATIONAL, "Self::reduced(a * c, b * d)", "Self::reduced(a * c, b + d)", "rational_mul"),
    ("quotient-multiplies", RATIONAL, "Self::reduced(a * d, b * c)", "Self::reduced(a * c, b * d)", "rational_div"),
    ("order-of-own-terms", RATIONAL, "Some((a * d).cmp(&(c * b)))", "Some((a * b).cmp(&(c * d)))", "rational_order"),
    ("zero-times-invalid", RATIONAL, "if self.denominator != 0 && other.denominator != 0 && (zero(self) || zero(other)) {", "if zero(self) || zero(other) {",
     "rational_invalid"),
    ("digit-wraps", RATIONAL, "n?.checked_mul(10)?.checked_add(digit as $int)", "Some(n?.wrapping_mul(10).wrapping_add(digit as $int))", "rational_of_six_bytes"),
    ("power-of-ten-unchecked", RATIONAL, "(*scaled, power) = (scaled.checked_mul(10)?, power - 1);", "(*scaled, power) = (*scaled * 10, power - 1);",
     "long_rational_of_six_bytes"),
    # π.
    ("greater-or-equal", SOFTMAX, "        if cumulative > *u {", "        if cumulative >= *u {", "draw_is_the_first_above"),
    ("shifted-by-the-first-logit", SOFTMAX, "        if *value > greatest {", "        if false && *value > greatest {", "fixed_softmax_sums_to_one softmax_of_two_is_policy"),
    ("never-normalised", SOFTMAX, "        *value = value.clone() / &total;", "        *value = value.clone() * T::one();", "fixed_softmax_sums_to_one"),
    ("first-action-not-counted", SOFTMAX, "        total = total + &*value;\n", "        total = value.clone();\n", "softmax_of_three_is_policy"),
    # Lemmas.
    ("lanes-begin-at-1", VECTOR, "core::array::from_fn(|_| T::zero());\n    for (i,", "core::array::from_fn(|_| T::one());\n    for (i,", "kernels_are_plain_sums"),
    ("suboptimality-of-the-wrong-sign", GAP, "sum += best.clone() - return_of(mdp, policy, scratch)?;", "sum += return_of(mdp, policy, scratch)? - &best;",
     "lemma_4_1"),
    ("policy-regret-of-the-wrong-sign", REGRET, "sum += policy_advantage(shape.actions, nu, comparator, policy, q)?;",
     "sum += policy_advantage(shape.actions, nu, policy, comparator, q)?;", "lemma_4_2"),
    ("theta-regret-of-the-wrong-sign", REGRET, "        let gradient = theta_gradient(saddle, beta, policy, &mut &mut *scratch)?;\n        sum += inner(theta, gradient) - inner(theta_star, gradient);",
     "        let gradient = theta_gradient(saddle, beta, policy, &mut &mut *scratch)?;\n        sum += inner(theta_star, gradient) - inner(theta, gradient);", "lemma_4_2"),
    ("gain-of-the-wrong-sign", AVERAGE_GAP, "sum += best.clone() - gain_of(mdp, policy, scratch)?;", "sum += gain_of(mdp, policy, scratch)? - &best;",
     "lemma_c_3"),
    ("average-policy-regret-of-the-wrong-sign", AVERAGE_REGRET, "sum += policy_advantage(shape.actions, nu, comparator, policy, q)?;",
     "sum += policy_advantage(shape.actions, nu, policy, comparator, q)?;", "lemma_c_4"),
    ("rho-regret-of-the-wrong-sign", AVERAGE_REGRET, "sum += (rho.clone() - rho_star) * rho_gradient", "sum += (rho_star.clone() - rho) * rho_gradient",
     "lemma_c_4"),
]


def copy_of_the_tree(where):
    """What git tracks or would track, as it stands in this tree."""
    names = subprocess.run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True).stdout
    for name in filter(None, names.split("\0")):
        if (ROOT / name).is_file():
            (where / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / name, where / name)


def run(command, where):
    result = subprocess.run(command, cwd=where, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    return result.returncode, result.stdout


def refuted_by_harness(name, where):
    code, said = run(["cargo", "kani", "--exact", "--harness", name], where)
    if "Checking harness" not in said:
        return "did not compile:\n" + said[-800:]
    covers = re.search(r"(\d+) of (\d+) cover properties satisfied", said)
    if "VERIFICATION:- FAILED" in said and "CBMC failed" not in said and "CBMC timed out" not in said:
        return "refuted"
    if "VERIFICATION:- SUCCESSFUL" in said and covers and covers[1] != covers[2]:
        return "refuted by a cover"
    return "SURVIVED" if code == 0 else "no answer:\n" + said[-800:]


def full_names():
    """Harness -> the path that `--exact` wants."""
    names = {}
    for path in sorted((ROOT / "proofs").glob("*.rs")):
        text = path.read_text()
        inside = "harnesses::" if "mod harnesses" in text else ""
        for name in re.findall(r"kani::proof(?:_for_contract)?\b.*?\bfn (\w+)", text, re.S):
            names[name] = f"proofs::{path.stem}::{inside}{name}"
    return names


def main():
    arguments = sys.argv[1:]
    chosen, names = BREAKS, full_names()
    if arguments[:1] == ["--list"]:
        print("\n".join(f"{name:42} {who}" for name, *_, who in chosen))
        lost = [name for name, file, old, *_ in chosen if (ROOT / "src" / file).read_text().count(old) != 1]
        sys.exit(f"text not found once: {', '.join(lost)}" if lost else 0)
    if arguments[:1] == ["--part"]:
        part, parts = map(int, arguments[1].split("/"))
        chosen = chosen[part - 1 :: parts]
    elif arguments:
        chosen = [b for b in BREAKS if b[0] in arguments]
    bad = 0
    with tempfile.TemporaryDirectory() as folder:
        tree = pathlib.Path(folder)
        copy_of_the_tree(tree)
        for name, file, old, new, who in chosen:
            path = tree / "src" / file
            text = path.read_text()
            if text.count(old) != 1:
                print(f"{name}: its text stands {text.count(old)} times in src/{file}", flush=True)
                bad += 1
                continue
            path.write_text(text.replace(old, new))
            if who.startswith("cargo "):
                code, said = run(who.split(), tree)
                answers = {who: "refuted" if code != 0 else "SURVIVED"}
            else:
                answers = {harness: refuted_by_harness(names[harness], tree) for harness in who.split()}
            path.write_text(text)
            for harness, answer in answers.items():
                print(f"{name}: {answer} ({harness})", flush=True)
                bad += not answer.startswith("refuted")
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
