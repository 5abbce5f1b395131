#!/usr/bin/env python3
"""Rewrites docs/figure.svg: the first figure of the report that the README's worked example makes.

    docs/figure.py report.html
"""
import pathlib
import re
import sys

report = pathlib.Path(sys.argv[1]).read_text(encoding="utf-8")
figure = re.search(r"<svg.*?</svg>", report, re.S).group(0)
(pathlib.Path(__file__).parent / "figure.svg").write_text(figure + "\n", encoding="utf-8")
