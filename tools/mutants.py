#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The throng authors
# SPDX-License-Identifier: MIT

"""Plants single changes in src and looks which of them no fast test notices.

Usage: tools/mutants.py [--seed N] [--count N] [--first N] [--files REGEX] [--jobs N] [BUILD]

A change is a token: a comparison, a sign, a constant that is off by one, a condition that is dropped or
turned round. Changes are drawn from a seed, so a run can be repeated, and continued with --first. The
source is copied to BUILD (default build-mutants) and built there with the library as a shared one, so
that a change compiles one file and links once. Which tests reach a function is counted once, by a build
with gcov, and only those run: first those of the file's own folder, then the others from the quickest to
the slowest, until one fails. A test that takes ten times as long as it should (and five seconds more)
counts as failed. Results go to BUILD/results.txt as they come, and survivors to the standard output at
the end. Changes after which the object file is the same are left out. BUILD keeps what was counted; after
changes of the source, remove it.
"""

import argparse
import concurrent.futures
import hashlib
import json
import os
import random
import re
import shutil
import signal
import struct
import subprocess
import sys
import time

# What is no test of what src computes: the source's own rules, machines, timing.
LEFT_OUT = re.compile(r"^(check_|test_checks$|test_setup$|bench_|sanitize_)")

# Each rule: what is found in a line of code, and what takes its place.
RULES = [
    (re.compile(r" (<|<=|>|>=) "), {"<": "<=", "<=": "<", ">": ">=", ">=": ">"}),
    (re.compile(r" (==|!=) "), {"==": "!=", "!=": "=="}),
    (re.compile(r" (&&|\|\|)(?= |$)"), {"&&": "||", "||": "&&"}),
    (re.compile(r" (\+|-) (?=[\w(])"), {"+": "-", "-": "+"}),
    (re.compile(r"(TH_MIN|TH_MAX)\("), {"TH_MIN": "TH_MAX", "TH_MAX": "TH_MIN"}),
    (re.compile(r"\b(true|false)\b"), {"true": "false", "false": "true"}),
]
INTEGER = re.compile(r"(?<![\w.])(\d+)(?![\w.])")
REAL = re.compile(r"(?<![\w.])(\d+\.\d+)(?=f?\b)")
CONDITION = re.compile(r"\bif \(")
PART = re.compile(r" && ")


def code_lines(text):
    """The lines with comments, texts and directives blanked out, places kept."""
    blank = lambda match: re.sub(r"[^\n]", " ", match.group(0))
    text = re.sub(r"/\*.*?\*/|//[^\n]*|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'", blank, text, flags=re.S)
    text = re.sub(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", blank, text, flags=re.M)
    return text.split("\n")


def closing(line, start):
    """The place of the parenthesis that closes the one at start, -1 if it is on a later line."""
    depth = 0
    for at in range(start, len(line)):
        depth += (line[at] == "(") - (line[at] == ")")
        if depth == 0:
            return at
    return -1


def changes_of(path):
    """All changes of a file: (line number, column, length, new text)."""
    with open(path, encoding="utf-8") as file:
        lines = code_lines(file.read())
    found = []
    for number, line in enumerate(lines):
        if re.match(r"^(static |extern |typedef |const |struct |enum |_Static_assert)", line) and line.endswith(";"):
            continue  # declarations
        for pattern, table in RULES:
            for match in pattern.finditer(line):
                found.append((number, match.start(1), len(match.group(1)), table[match.group(1)]))
        for match in INTEGER.finditer(line):
            found.append((number, match.start(1), len(match.group(1)), str(int(match.group(1)) + 1)))
        for match in REAL.finditer(line):
            value = float(match.group(1))
            new = "0.5" if value == 0.0 else repr(value * 1.1)
            found.append((number, match.start(1), len(match.group(1)), new))
        for match in CONDITION.finditer(line):
            end = closing(line, match.end() - 1)
            if end > 0:
                for value in ("false", "true"):
                    found.append((number, match.end(), end - match.end(), value))
        for match in PART.finditer(line):
            end = re.match(r"[^&|?;,{}()]*(\([^()]*\))?[^&|?;,{}()]*", line[match.end():]).end()
            if end > 0:
                found.append((number, match.end(), end, "true"))
    return found


def run(command, directory, limit=None, **environment):
    """The exit code, None when it took too long; all that it started is ended then."""
    process = subprocess.Popen(command, cwd=directory, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                               stdin=subprocess.DEVNULL, start_new_session=True,
                               env=dict(os.environ, **environment))
    try:
        return process.wait(limit)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        return None


def functions_of(notes):
    """The functions of an object file by gcov's numbers: (source, first line, last line)."""
    text = subprocess.run(["gcov-dump", notes], stdout=subprocess.PIPE, check=True, text=True).stdout
    pattern = r"FUNCTION ident=(\d+), .*?`[^']*' (.*?):(\d+):\d+-(\d+):\d+"
    return {int(ident): (source, int(first), int(last)) for ident, source, first, last in re.findall(pattern, text)}


def functions_run(counts):
    """gcov's numbers of the functions that were run, from a file of counts of gcc 12."""
    data = open(counts, "rb").read()
    at, found, ident = 16, set(), None
    while at + 8 <= len(data):
        tag, length = struct.unpack_from("<Ii", data, at)
        at += 8
        if tag == 0x01000000 and length > 0:
            ident = struct.unpack_from("<I", data, at)[0]
        elif tag == 0x01A10000 and length > 0:  # below 0: all of them are zero, and left out
            found.add(ident)
        at += max(length, 0)
    return found


class Mutants:
    def __init__(self, options):
        self.options = options
        self.root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
        self.home = os.path.abspath(options.build)
        self.tree = os.path.join(self.home, "tree")
        self.build = os.path.join(self.home, "build")

    def copy(self):
        """The tracked files as they are now; those that are the same keep their times."""
        names = subprocess.check_output(["git", "ls-files", "-z"], cwd=self.root).decode().split("\0")
        for name in filter(None, names):
            source, target = os.path.join(self.root, name), os.path.join(self.tree, name)
            if not os.path.isfile(source):
                continue
            os.makedirs(os.path.dirname(target), exist_ok=True)
            if not os.path.exists(target) or open(source, "rb").read() != open(target, "rb").read():
                shutil.copy(source, target)

    def make(self):
        command = ["ninja", "-C", self.build, "-j", str(self.options.jobs)]
        return subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False).returncode

    def prepare(self):
        self.copy()
        subprocess.run(["cmake", "-S", self.tree, "-B", self.build, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release",
                        "-DTHRONG_RELINK=OFF", "-DTHRONG_TESTS=ON", "-DTHRONG_BENCH=OFF"], check=True,
                       stdout=subprocess.DEVNULL)
        if self.make() != 0:
            sys.exit("the source does not build as it is: see ninja -C " + self.build)
        listed = subprocess.check_output(["ctest", "--show-only=json-v1", "-L", "fast"], cwd=self.build)
        self.tests = []
        for test in json.loads(listed)["tests"]:
            properties = {item["name"]: item["value"] for item in test.get("properties", [])}
            if "command" in test and not LEFT_OUT.match(test["name"]) and "ENVIRONMENT" not in properties:
                self.tests.append({"name": test["name"], "command": test["command"],
                                   "directory": properties.get("WORKING_DIRECTORY", self.build),
                                   "skip": properties.get("SKIP_RETURN_CODE")})
        self.time_tests()
        self.digests = {}
        for folder, _, names in os.walk(os.path.join(self.tree, "src")):
            for name in names:
                path = os.path.relpath(os.path.join(folder, name), self.tree)
                if name.endswith(".c"):
                    self.digests[path] = self.objects_of(path)
        self.count_reach()

    def count_reach(self):
        """Which functions each test reaches."""
        path = os.path.join(self.home, "reach.json")
        if not os.path.exists(path):
            build = os.path.join(self.home, "counted")
            subprocess.run(["cmake", "-S", self.tree, "-B", build, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release",
                            "-DTHRONG_RELINK=OFF", "-DTHRONG_TESTS=ON", "-DTHRONG_BENCH=OFF",
                            "-DCMAKE_C_FLAGS=--coverage -fno-early-inlining"], check=True, stdout=subprocess.DEVNULL)
            subprocess.run(["ninja", "-C", build, "-j", str(self.options.jobs)], check=True, stdout=subprocess.DEVNULL)
            functions = {}
            for folder, _, names in os.walk(os.path.join(build, "src")):
                for name in names:
                    if name.endswith(".gcno"):
                        notes = os.path.join(folder, name)
                        functions[notes[:-len(".gcno")]] = functions_of(notes)

            def reach(test):
                counts = os.path.join(self.home, "counts", test["name"])
                command = [part.replace(self.build, build) for part in test["command"]]
                directory = test["directory"].replace(self.build, build)
                run(command, directory, 20 * test["time"] + 60, GCOV_PREFIX=counts)
                found = set()
                for folder, _, names in os.walk(counts + os.path.join(build, "src")):
                    for name in filter(lambda name: name.endswith(".gcda"), names):
                        full = os.path.join(folder, name)
                        known = functions.get(full[len(counts):-len(".gcda")], {})
                        found |= {known[ident] for ident in functions_run(full) if ident in known}
                shutil.rmtree(counts, ignore_errors=True)
                return sorted((os.path.relpath(source, self.tree), first, last) for source, first, last in found)

            with concurrent.futures.ThreadPoolExecutor(self.options.jobs) as pool:
                reached = list(pool.map(reach, self.tests))
            shutil.rmtree(build)
            every = sorted({(os.path.relpath(source, self.tree), first, last) for known in functions.values()
                            for source, first, last in known.values()})
            json.dump({"functions": every, "reach": {test["name"]: found for test, found in zip(self.tests, reached)}},
                      open(path, "w"))
        counted = json.load(open(path))
        self.functions = {tuple(part) for part in counted["functions"]}
        self.reach = {name: {tuple(part) for part in found} for name, found in counted["reach"].items()}

    def reaches(self, test, path, line):
        """Whether a test runs the function of a line; of lines outside of functions, anything of the file."""
        reached = self.reach[test["name"]]
        within = {part for part in self.functions if part[0] == path and part[1] <= line <= part[2]}
        return bool(within & reached) if within else any(part[0] == path for part in reached)

    def time_tests(self):
        """How long each takes, once; those that fail as it is are left out."""
        path = os.path.join(self.home, "times.json")
        times = json.load(open(path)) if os.path.exists(path) else {}
        for test in self.tests:
            if test["name"] not in times:
                begin = time.monotonic()
                code = run(test["command"], test["directory"], 600)
                times[test["name"]] = time.monotonic() - begin if code == 0 else None
                json.dump(times, open(path, "w"))
        self.tests = [dict(test, time=times[test["name"]]) for test in self.tests if times[test["name"]]]
        print("%d tests, %.0f s one after the other" % (len(self.tests), sum(t["time"] for t in self.tests)))

    def draw(self):
        """All changes in an order that the seed decides."""
        every = []
        for folder, _, names in sorted(os.walk(os.path.join(self.tree, "src"))):
            for name in sorted(names):
                path = os.path.relpath(os.path.join(folder, name), self.tree)
                if name.endswith(".c") and re.search(self.options.files, path):
                    every += [(path,) + change for change in changes_of(os.path.join(self.tree, path))]
        random.Random(self.options.seed).shuffle(every)
        return every

    def nearness(self, test, path):
        """Tests of the file's own folder come first, then by time."""
        stem = os.path.basename(path)[:-2]
        folder = os.path.dirname(path)[len("src"):]
        place = " ".join(test["command"])
        if re.search(r"\btest_" + stem + r"\b", test["name"]):
            return (0, test["time"])
        while folder:
            if "/tests" + folder + "/" in place:
                return (1, test["time"])
            folder = os.path.dirname(folder.rstrip("/")) if folder.count("/") > 1 else ""
        return (2, test["time"])

    def killer(self, path, line):
        """The first test that fails, None if none does."""
        tests = sorted(filter(lambda test: self.reaches(test, path, line), self.tests),
                       key=lambda test: self.nearness(test, path))
        found = []

        def attempt(test):
            if found:
                return
            code = run(test["command"], test["directory"], 10 * test["time"] + 5)
            if code != 0 and code != test["skip"]:
                found.append(test["name"] + (" (time)" if code is None else ""))

        with concurrent.futures.ThreadPoolExecutor(self.options.jobs) as pool:
            list(pool.map(attempt, tests))
        return found[0] if found else None

    def objects_of(self, path):
        """A sum over the object files of a source."""
        digest = hashlib.sha256()
        for folder, _, names in sorted(os.walk(os.path.join(self.build, "src"))):
            for name in sorted(names):
                full = os.path.join(folder, name)
                if full.endswith(path[len("src/"):] + ".o"):
                    digest.update(open(full, "rb").read())
        return digest.hexdigest()

    def attempt(self, change):
        """What became of a change."""
        path, number, column, length, new = change
        full = os.path.join(self.tree, path)
        original = open(full, encoding="utf-8").read()
        lines = original.split("\n")
        line = lines[number]
        lines[number] = line[:column] + new + line[column + length:]
        try:
            open(full, "w", encoding="utf-8").write("\n".join(lines))
            if self.make() != 0:
                return "does not compile"
            if self.objects_of(path) == self.digests[path]:
                return "the same code"
            killer = self.killer(path, number + 1)
            return "found by " + killer if killer else "SURVIVES"
        finally:
            open(full, "w", encoding="utf-8").write(original)

    def all(self):
        self.prepare()
        survivors, counted, drawn = [], 0, 0
        results = open(os.path.join(self.home, "results.txt"), "a", encoding="utf-8")
        for change in self.draw()[self.options.first:]:
            if counted == self.options.count:
                break
            begin = time.monotonic()
            outcome = self.attempt(change)
            path, number, column, length, new = change
            line = open(os.path.join(self.tree, path), encoding="utf-8").read().split("\n")[number]
            text = "%s:%d: %s\n    %s\n    %s" % (path, number + 1, outcome, line.strip(),
                                                (line[:column] + new + line[column + length:]).strip())
            print("%d  %.0f s  %s" % (self.options.first + drawn, time.monotonic() - begin, text), file=results,
                  flush=True)
            drawn += 1
            if outcome not in ("does not compile", "the same code"):
                counted += 1
                if outcome == "SURVIVES":
                    survivors.append(text)
        self.make()
        print("%d of %d changes survive (seed %d, %d to %d)" % (len(survivors), counted, self.options.seed,
                                                                self.options.first, self.options.first + drawn - 1))
        for text in survivors:
            print(text)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--seed", type=int, default=1, help="what is drawn [1]")
    parser.add_argument("--count", type=int, default=20, help="changes that are tried [20]")
    parser.add_argument("--first", type=int, default=0, help="draws that are passed over [0]")
    parser.add_argument("--files", default="", help="only files whose path matches")
    parser.add_argument("--jobs", type=int, default=2, help="tests at once [2]")
    parser.add_argument("build", nargs="?", default="build-mutants", help="where to work [build-mutants]")
    Mutants(parser.parse_args()).all()


if __name__ == "__main__":
    main()
