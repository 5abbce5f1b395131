#!/usr/bin/env python3
"""Holds every JSON file of a directory of golden vectors against its schema.json (needs jsonschema, from PyPI).

    python3 vectors/check_schema.py [DIRECTORY]
"""

import json
import pathlib
import sys

from jsonschema import Draft202012Validator


def main():
    directory = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent)
    schema = json.loads((directory / "schema.json").read_text())
    Draft202012Validator.check_schema(schema)
    validator = Draft202012Validator(schema)
    files = sorted(path for path in directory.glob("*.json") if path.name != "schema.json")
    wrong = 0
    for path in files:
        for error in validator.iter_errors(json.loads(path.read_text())):
            print(f"{path}: {error.json_path}: {error.message[:200]}")
            wrong += 1
    print(f"{len(files)} files, {wrong} violations of the schema")
    sys.exit(1 if wrong or not files else 0)


if __name__ == "__main__":
    main()
