#!/usr/bin/env python3
"""Writes docs/tables/kani-table.md from what `cargo kani` printed.

    proofs/kani-table.py             runs `cargo kani` and reads it
    proofs/kani-table.py LOG...      reads outputs of earlier runs (terse or regular format); the last word on a harness counts
    proofs/kani-table.py --check …   writes nothing

Exit code 1 if a harness failed, was not run, or has an unsatisfied `cover!`, which Kani itself lets pass. Claims, breaks, solvers,
bounds, stubs and assumptions are read from the harnesses' source: a claim is a doc comment, the breaks follow "Seen to fail" in it, and
an assumption is a comment that starts with "Precondition", "Budget" or "Contract" in a harness, in its stubs or in a function of the same file or of
proofs/support that they call.
"""
import datetime
import pathlib
import re
import subprocess
import sys
import textwrap

ROOT = pathlib.Path(__file__).resolve().parent.parent
DOCUMENT = ROOT / "docs" / "tables" / "kani-table.md"
HEAD = """# Kani's harnesses

Written by `proofs/kani-table.py` from the harnesses and from what `cargo kani` printed; [proofs.md](../proofs.md) says what it comes to. Seconds are
wall-clock, two harnesses at a time on two cores. A harness was refuted by each break of the library that it names as seen to fail.

"""
FUNCTION = re.compile(r"((?:^///[^\n]*\n|^#\[[^\n]*\]\n)*)^(?:pub )?fn (\w+)(.*?)^}\n", re.M | re.S)
STUB = re.compile(r"kani::stub\((.*?), (\w+)\)")
CONTRACT = re.compile(r"kani::stub_verified\((.*?)\)")
ASSUMPTION = re.compile(r"// ((?:Precondition|Budget|Contract).*?)\n(?! *//)", re.S)
TITLE = "| harness | claim and domain | seen to fail | assumptions | stubs | unwinding | solver | result | seconds | date |\n"


def comment(text):
    """The words of consecutive comment lines."""
    return " ".join(re.sub(r"^\s*//[/!]?\s?", "", line).strip() for line in text.strip().splitlines())


def functions(path):
    """Of a file, and of its `mod harnesses`: attributes, name and body."""
    text = path.read_text()
    inner = re.search(r"^mod harnesses \{\n(.*?)^}\n", text, re.M | re.S)
    return FUNCTION.findall(text) + (FUNCTION.findall(textwrap.dedent(inner[1])) if inner else [])


def assumptions(name, bodies, seen):
    """What a function and those it calls assume, in order of appearance."""
    seen.add(name)
    found = [comment(text) for text in ASSUMPTION.findall(bodies[name])]
    for called in re.findall(r"\b(\w+)(?:::<[^>]*>)?\(", bodies[name]):
        if called in bodies and called not in seen:
            found += assumptions(called, bodies, seen)
    return found


def harnesses():
    """Every `#[kani::proof]` and `#[kani::proof_for_contract]` of proofs/*.rs, by the name Kani prints."""
    found = {}
    shared = [f for path in sorted((ROOT / "proofs" / "support").glob("*.rs")) for f in functions(path)]
    for path in sorted((ROOT / "proofs").glob("*.rs")):
        inside = "harnesses::" if "mod harnesses" in path.read_text() else ""
        bodies = {name: body for _, name, body in shared + functions(path)}
        for head, name, _ in functions(path):
            if "#[kani::proof" not in head:
                continue
            stubs = STUB.findall(head)
            names = [name, *(stub for _, stub in stubs)]
            assumed = [a for n in names for a in assumptions(n, bodies, set())]
            words = comment("\n".join(line for line in head.splitlines() if "///" in line))
            claim, _, broken = words.partition("Seen to fail: ")
            found[f"proofs::{path.stem}::{inside}{name}"] = {
                "claim": claim.strip(),
                "broken": broken or "—",
                "solver": "".join(re.findall(r"kani::solver\((\w+)\)", head)),
                "bound": "".join(re.findall(r"kani::unwind\((\d+)\)", head)) or "none needed",
                "stubs": ", ".join([f"`{old.removeprefix('crate::')}`" for old, _ in stubs] + [f"`{f}` by its contract" for f in CONTRACT.findall(head)]) or "none",
                "assumptions": " ".join(dict.fromkeys(assumed)) or "none",
            }
    return found


def results(text, date):
    """Harness name -> (verdict, seconds, covers satisfied, covers, date)."""
    found, checking, speaking, covers, stopped = {}, {}, "", (0, 0), ""
    for line in text.splitlines():
        if match := re.match(r"(?:(Thread \d+): ?)?(.*)", line):
            if match[1]:
                speaking = match[1]
            line = match[2]
        if match := re.match(r"Checking harness (\S+?)\.\.\.", line):
            checking[speaking] = match[1]
            covers = (0, 0)
        elif match := re.search(r"(\d+) of (\d+) cover properties satisfied", line):
            covers = (int(match[1]), int(match[2]))
        elif match := re.match(r"VERIFICATION:- (\w+)", line):
            found[checking[speaking]] = [stopped or match[1], None, *covers, date]
            covers, stopped = (0, 0), ""
        elif line.startswith("CBMC failed with status"):
            stopped = "stopped before an answer"
        elif line.startswith("CBMC timed out"):
            found[checking[speaking]][0] = "timed out"
        elif match := re.match(r"Verification Time: ([\d.]+)s", line):
            found[checking[speaking]][1] = float(match[1])
    return found


def row(name, source, result):
    if result is None:
        verdict = ["written, not yet run", "", ""]
    else:
        word, seconds, satisfied, covers, date = result
        word = "verified" if word == "SUCCESSFUL" else word.lower()
        word = f"{word}, {satisfied} of {covers} covers" if covers else word
        verdict = [word, "" if seconds is None else f"{seconds:.1f}", date]
    short = name.removeprefix("proofs::").replace("harnesses::", "")
    columns = [f"`{short}`", *(source[key] for key in ["claim", "broken", "assumptions", "stubs", "bound", "solver"]), *verdict]
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in columns) + " |\n"


def summary(found):
    """How many harnesses there are, how long they took."""
    seconds = {name: result[1] for name, result in found.items() if result[1] is not None}
    dearest = max(seconds, key=seconds.get, default="")
    words = f"{len(found)} harnesses; {sum(seconds.values()):.0f} s together, the dearest {seconds.get(dearest, 0):.0f} s"
    return f"\n{words} (`{dearest.rpartition('::')[2]}`).\n"


def main():
    arguments = [a for a in sys.argv[1:] if a != "--check"]
    if arguments:
        logs = [pathlib.Path(a) for a in arguments]
        outputs = [(p.read_text(), datetime.date.fromtimestamp(p.stat().st_mtime).isoformat()) for p in logs]
    else:
        run = subprocess.run(["cargo", "kani"], cwd=ROOT, stdout=subprocess.PIPE, text=True, check=False)
        print(run.stdout)
        outputs = [(run.stdout, datetime.date.today().isoformat())]
    known, found = harnesses(), {}
    for text, date in outputs:
        found.update(results(text, date))
    bad = []
    for name in known:
        result = found.get(name)
        if result is None or result[0] != "SUCCESSFUL" or result[2] < max(result[3], 1):
            bad.append(f"{name}: {'not run' if result is None else result}")
    if "--check" not in sys.argv:
        table = TITLE + "|" + "---|" * 10 + "\n" + "".join(row(n, s, found.get(n)) for n, s in known.items())
        DOCUMENT.write_text(HEAD + table + summary({name: found[name] for name in known if name in found}))
    print("\n".join(bad) or f"{len(known)} harnesses verified, every cover satisfied")
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
