#!/usr/bin/env python3
"""Writes 20 honest certificates and 200 damaged ones (docs/certificates.md) into DIR/honest, DIR/damaged and DIR/malformed.

Independent of the library and of the checker: Python's own integers and fractions, from fixed seeds. Before it is written, each
certificate is judged by `model.judge`, a second reading of the conditions: what is honest holds, what is damaged does not.

    generate.py DIR
"""

import sys
from pathlib import Path
from random import Random

import damage
from honest import honest
from model import judge, text


def main():
    out = Path(sys.argv[1])
    for folder in ("honest", "damaged", "malformed"):
        (out / folder).mkdir(parents=True, exist_ok=True)
        for old in (out / folder).glob("*.cert"):
            old.unlink()
    certificates = list(honest(Random(20)))
    for c in certificates:
        assert judge(c) is None, (c.name, judge(c))
        (out / "honest" / f"{c.name}.cert").write_text(text(c))
    for name, content, broken in damage.damaged(certificates, Random(200)):
        (out / ("malformed" if broken else "damaged") / f"{name}.cert").write_text(content)


main()
