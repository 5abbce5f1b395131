#!/usr/bin/env python3
"""Honest certificates with a few words changed at random, judged twice: by the verified checker and by `model.judge`.

The checker has to accept what holds, refuse what does not (exit code 1) and what cannot be read (2), each in one line. The reader below is
a second one, from docs/certificates.md alone.

    fuzz.py CHECKER COUNT [SEED]
"""

import re
import subprocess
import sys
import tempfile
from collections import Counter
from fractions import Fraction
from pathlib import Path
from random import Random

from honest import honest
from model import Certificate, Witness, judge, text


class Malformed(Exception):
    pass


class Words:
    def __init__(self, content):
        self.words = re.split("[ \t\r\n]+", content.strip(" \t\r\n"))[::-1]

    def next(self):
        if not self.words:
            raise Malformed
        return self.words.pop()

    def expect(self, *words):
        word = self.next()
        if word not in words:
            raise Malformed
        return word

    def count(self, key, least):
        self.expect(key)
        word = self.next()
        if not re.fullmatch("[0-9]{1,9}", word) or int(word) < least:
            raise Malformed
        return int(word)

    def large(self, key):
        """A positive integer of any length."""
        self.expect(key)
        word = self.next()
        if not re.fullmatch("[0-9]+", word) or int(word) < 1:
            raise Malformed
        return int(word)

    def number(self):
        word = self.next()
        if not re.fullmatch("-?[0-9]+(/[0-9]+)?", word):
            raise Malformed
        numerator, _, denominator = word.partition("/")
        if denominator and int(denominator) == 0:
            raise Malformed
        return Fraction(int(numerator), int(denominator or 1))

    def row(self, n):
        return [self.number() for _ in range(n)]


def read(content):
    w = Words(content)
    w.expect("opd-certificate")
    w.expect("1")
    w.expect("name")
    name = w.next()
    if not all("!" <= z <= "~" for z in name):
        raise Malformed
    w.expect("setting")
    average = w.expect("discounted", "average") == "average"

    def claim(key):
        w.expect(key)
        return tuple(w.row(1 if w.expect("exact", "enclosure") == "exact" else 2))

    optimum, suboptimality = claim("optimum"), claim("suboptimality")
    iterations = w.large("iterations")
    n, m, d = w.count("states", 1), w.count("actions", 0), w.count("dimension", 0)
    discount = initial = None
    if not average:
        w.expect("discount")
        discount = w.number()
        w.expect("initial")
        initial = w.row(n)
    w.expect("features")
    features = [[w.row(d) for _ in range(m)] for _ in range(n)]
    w.expect("omega")
    omega = w.row(d)
    w.expect("psi")
    psi = [w.row(d) for _ in range(n)]

    def witness(times):
        w.expect("policy")
        policy = [w.row(m) for _ in range(n)]
        gain = Fraction(0)
        if average:
            w.expect("gain")
            gain = w.number()
        w.expect("value")
        value = w.row(n)
        w.expect("slack")
        return Witness(policy, value, w.number(), gain, times)

    w.expect("best")
    best = witness(1)
    played = [witness(w.large("times")) for _ in range(w.count("policies", 0))]
    w.expect("end")
    if w.words:
        raise Malformed
    return Certificate(name, features, omega, psi, discount, initial, best, played, iterations, optimum, suboptimality)


def expected(content):
    """The exit code that the document promises."""
    try:
        c = read(content)
    except Malformed:
        return 2
    # What is said of slacks, and of enclosures, beside what `judge` computes.
    if any(w.slack < 0 for w in [c.best, *c.played]) or any(pair[0] > pair[-1] for pair in (c.optimum, c.suboptimality)):
        return 1
    return 0 if judge(c) is None else 1


NUMBERS = "0 1 -1 2 1/2 -1/2 1/3 2/4 0/7 -0 00 01 1/0 1/-2 +1 0.5 1e3 1/ /1 - 999999999 1000000000 9" + "9" * 40


def spoilt(content, random):
    words = content.split()
    for _ in range(random.choice([1, 1, 1, 2, 3])):
        at = random.randrange(len(words))
        kind = random.randrange(8)
        if kind == 0:
            del words[at]
        elif kind == 1:
            words.insert(at, random.choice(words))
        elif kind == 2:
            other = random.randrange(len(words))
            words[at], words[other] = words[other], words[at]
        elif kind == 3:
            words[at] = random.choice(words)
        elif kind == 4:
            letters = list(words[at])
            letters[random.randrange(len(letters))] = random.choice("0123456789-/ .x\t\x00\x7f")
            words[at] = "".join(letters)
        elif kind == 5 and re.fullmatch("-?[0-9]+(/[0-9]+)?", words[at]):
            # The same number, or nearly, written otherwise.
            x = Fraction(words[at]) + random.choice([0, 0, 0, Fraction(1, 10**9), -Fraction(1, 10**9)])
            k = random.randint(1, 9)
            words[at] = f"{x.numerator * k}/{x.denominator * k}"
        else:
            words[at] = random.choice(NUMBERS.split())
        if not words:
            return ""
    return " ".join(words) + "\n"


def main():
    checker, count = sys.argv[1], int(sys.argv[2])
    random = Random(int(sys.argv[3]) if len(sys.argv) > 3 else 0)
    texts = [text(c) for c in honest(Random(20)) if len(c.features) <= 12]
    seen = Counter()
    with tempfile.TemporaryDirectory() as place:
        file = Path(place) / "spoilt.cert"
        for i in range(count):
            content = spoilt(random.choice(texts), random)
            file.write_text(content)
            ended = subprocess.run([checker, file], capture_output=True, timeout=60)
            said = ended.stdout + ended.stderr
            if ended.returncode != expected(content) or said.count(b"\n") != 1:
                sys.exit(f"case {i}: expected {expected(content)}, the checker says {ended.returncode}, {said!r}:\n{content}")
            seen[ended.returncode] += 1
    assert min(seen[0], seen[1], seen[2]) > 0, seen
    print(f"{count} certificates: {seen[0]} accepted, {seen[1]} refused, {seen[2]} malformed, as judged by fractions in Python")


main()
