# SPDX-FileCopyrightText: 2026 The throng authors
# SPDX-License-Identifier: MIT

"""The schema accepts our scenes, and refuses an unknown key wherever one is put.

usage: check_schema.py ROOT
Exit code 77: this machine has no python3-jsonschema.
"""

import copy
import json
import pathlib
import re
import sys

try:
    import jsonschema
except ImportError:
    print("skipped: python3-jsonschema is needed")
    sys.exit(77)


def read(path):
    """JSON with comments; strings, which may hold what looks like one, are matched first."""
    pattern = r'"(?:\\.|[^"\\])*"|//[^\n]*|/\*.*?\*/'
    text = path.read_text(encoding="utf-8")
    keep = lambda match: match[0] if match[0][0] == '"' else " "
    return json.loads(re.sub(pattern, keep, text, flags=re.S))


def objects(value):
    """All objects in a value."""
    if isinstance(value, dict):
        yield value
    if isinstance(value, (dict, list)):
        for child in value.values() if isinstance(value, dict) else value:
            yield from objects(child)


def main(root):
    schema = read(root / "docs/scene.schema.json")
    jsonschema.Draft7Validator.check_schema(schema)
    validator = jsonschema.Draft7Validator(schema)
    full = root / "tests/scene/full.json"
    failed = False
    for path in [full, *sorted(root.glob("scenes/*.json"))]:
        for error in validator.iter_errors(read(path)):
            print(f"{path}: {'.'.join(map(str, error.absolute_path))}: {error.message}")
            failed = True
    scene = read(full)
    count = len(list(objects(scene)))
    for index in range(count):
        changed = copy.deepcopy(scene)
        changed_object = list(objects(changed))[index]
        changed_object["zzz"] = None
        if validator.is_valid(changed):
            print(f"an unknown key is accepted in {json.dumps(changed_object)}")
            failed = True
    print(f"{count} unknown keys tried")
    return failed


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1])))
