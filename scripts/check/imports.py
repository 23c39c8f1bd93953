#!/usr/bin/env python3
"""What scripts in Python import is there: python3 scripts/check/imports.py [ROOT]. TAP.

A module that is not Python's own is a file of the script's folder, or of one that the script puts on its path. For a file
without a #! line, which is never run alone, what another of its folder that imports it puts there counts, too. Long tests
start scripts that the quick ones do not; a file that moved is found here first.
"""
import ast
import os
import sys


def imported(tree):
    """Line and first name of each module."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name.split(".")[0]) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.lineno, node.module.split(".")[0]


def path_of(folder, tree):
    """The folders that a script puts on its path: the texts of each sys.path.append, from the script's own folder."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "sys.path.append":
            texts = [n.value for n in ast.walk(node) if isinstance(n, ast.Constant) and isinstance(n.value, str)]
            yield os.path.join(folder, *texts)


def main():
    root = sys.argv[1] if len(sys.argv) > 1 else os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
    os.chdir(root)
    files = sorted(os.path.join(folder, f) for folder, _, names in os.walk("scripts") for f in names if f.endswith(".py"))
    texts = {path: open(path).read() for path in files}
    trees = {path: ast.parse(text, path) for path, text in texts.items()}
    whose = {path: [path] for path in files}  # the scripts whose path counts
    for path, tree in trees.items():
        for _, name in imported(tree):
            other = os.path.join(os.path.dirname(path), name + ".py")
            if other in whose and not texts[other].startswith("#!"):
                whose[other].append(path)
    count, bad = 0, []
    for path, tree in trees.items():
        folder = os.path.dirname(path)
        folders = [folder] + [f for by in whose[path] for f in path_of(folder, trees[by])]
        for line, name in imported(tree):
            count += 1
            if name not in sys.stdlib_module_names and not any(os.path.exists(f"{f}/{name}.py") for f in folders):
                bad.append(f"{path}:{line}: no module {name}")
    print("TAP version 13")
    for text in bad:
        print("#", text)
    print(f"{'not ' if bad or not count else ''}ok 1 - {count} imports of {len(files)} scripts are found")
    print("1..1")
    sys.exit(bool(bad) or not count)


if __name__ == "__main__":
    main()
