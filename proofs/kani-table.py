#!/usr/bin/env python3
"""Writes the table of harnesses in docs/proofs.md from what `cargo kani` printed.

    proofs/kani-table.py             runs `cargo kani` and reads it
    proofs/kani-table.py LOG...      reads outputs of earlier runs (terse or regular format); the last word on a harness counts
    proofs/kani-table.py --check …   writes nothing

Exit code 1 if a harness failed, was not run, or has an unsatisfied `cover!`, which Kani itself lets pass. Claims, solvers,
bounds, stubs and assumptions are read from the harnesses' source: a claim is a doc comment, an assumption a comment that
starts with "Precondition" or "Budget" in a harness or in a function that it calls, of the same file or of one that it `use`s.
"""
import datetime
import pathlib
import re
import subprocess
import sys
import textwrap

ROOT = pathlib.Path(__file__).resolve().parent.parent
DOCUMENT = ROOT / "docs" / "proofs.md"
BEGIN, END = "<!-- table: proofs/kani-table.py -->\n", "<!-- end of table -->\n"
FUNCTION = re.compile(r"((?:^ *///[^\n]*\n|^ *#\[[^\n]*\]\n)*)^(?:pub(?:\(super\))? )?fn (\w+)(.*?)^}\n", re.M | re.S)
STUB = re.compile(r"kani::stub\((.*?), (\w+)\)")
ASSUMPTION = re.compile(r"// ((?:Precondition|Budget).*?)\n(?! *//)", re.S)


def macro():
    """The attributes of `lengths!`."""
    text = (ROOT / "proofs" / "contracts.rs").read_text().split("macro_rules! lengths")[1].split("fn $name")[1]
    return "".join(line.strip() + "\n" for line in text.splitlines() if line.strip().startswith("#[kani::"))


def expanded(text):
    """Source with every `lengths! { … }` written out as a function with the attributes of that macro."""

    def function(match):
        return re.sub(r"^fn ", macro() + "fn ", textwrap.dedent(match[1]), flags=re.M)

    return re.sub(r"^lengths! \{\n(.*?)^}\n", function, text, flags=re.M | re.S)


def listed(stubs, more=""):
    return ", ".join([*(f"`{old}`" for old, _ in stubs), *filter(None, [more])]) or "none"


def comment(text):
    """The words of consecutive comment lines."""
    return " ".join(re.sub(r"^\s*//[/!]?\s?", "", line).strip() for line in text.strip().splitlines())


def assumptions(name, bodies, seen):
    """What a function and those it calls assume, in order of appearance."""
    seen.add(name)
    found = [comment(text) for text in ASSUMPTION.findall(bodies[name])]
    for called in re.findall(r"\b(\w+)(?:::<[^>]*>)?\(", bodies[name]):
        if called in bodies and called not in seen:
            found += assumptions(called, bodies, seen)
    return found


def harnesses():
    """Every `#[kani::proof]` of proofs/*.rs, by the name Kani prints."""
    found = {}
    for path in sorted((ROOT / "proofs").glob("*.rs")):
        text = expanded(path.read_text())
        functions = FUNCTION.findall(text)
        used = [path.with_name(f"{module}.rs") for module in re.findall(r"^use super::(\w+)::", text, re.M)]
        bodies = {n: body for other in used if other.exists() for _, n, body in FUNCTION.findall(other.read_text())}
        bodies |= {name: body for _, name, body in functions}
        for head, name, _ in functions:
            if "#[kani::proof]" not in head:
                continue
            stubs, common = STUB.findall(head), []
            names = {name, *(stub for _, stub in stubs)}
            assumed = [a for n in bodies if n in names for a in assumptions(n, bodies, set())]
            if macro() in head:
                common = STUB.findall(macro())
                shared = [a for _, n in common if n in bodies for a in assumptions(n, bodies, set())]
                assumed = ["Those of `lengths!`.", *(a for a in assumed if a not in shared)]
            found[f"proofs::{path.stem}::{name}"] = {
                "claim": comment("\n".join(line for line in head.splitlines() if "///" in line)),
                "solver": "".join(re.findall(r"kani::solver\((\w+)\)", head)),
                "bound": "".join(re.findall(r"kani::unwind\((\d+)\)", head)) or "none needed",
                "stubs": listed([s for s in stubs if s not in common], "those of `lengths!`" if common else ""),
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
    columns = [f"`{name.removeprefix('proofs::')}`", source["claim"], source["assumptions"], source["stubs"]]
    cells = [*columns, source["bound"], source["solver"], *verdict]
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |\n"


def summary(found):
    """What `lengths!` stands for; how many harnesses there are, how long they took."""
    seconds = {name: result[1] for name, result in found.items() if result[1] is not None}
    dearest = max(seconds, key=seconds.get, default="")
    total = sum(seconds.values())
    source = (ROOT / "proofs" / "contracts.rs").read_text()
    bodies = {name: body for _, name, body in FUNCTION.findall(source)}
    shared = dict.fromkeys(a for _, n in STUB.findall(macro()) if n in bodies for a in assumptions(n, bodies, set()))
    note = f"`lengths!` has these stubs: {listed(STUB.findall(macro()))}; and these assumptions: {' '.join(shared)}"
    return f"\n{note}\n\n{len(found)} harnesses; {total:.0f} s together, the dearest {seconds.get(dearest, 0):.0f} s (`{dearest.removeprefix('proofs::')}`).\n"


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
        title = "| harness | claim and domain | assumptions | stubs | unwinding | solver | result | seconds | date |\n"
        table = title + "|" + "---|" * 9 + "\n" + "".join(row(n, s, found.get(n)) for n, s in known.items())
        table += summary({name: found[name] for name in known if name in found})
        before, rest = DOCUMENT.read_text().split(BEGIN)
        DOCUMENT.write_text(before + BEGIN + table + END + rest.split(END)[1])
    print("\n".join(bad) or f"{len(known)} harnesses verified, every cover satisfied")
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
