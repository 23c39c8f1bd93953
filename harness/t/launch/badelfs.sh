#!/bin/sh
# Hand-made bad code objects, bundles and launch files (scripts/parsers/bad-elfs.py): dis, lint and launch answer each with the right
# exit code and one line that names what is wrong. TAP.
cd "$(dirname "$0")/../../.." || exit 2
exec python3 scripts/parsers/bad-elfs.py --test "${GCNCHECK:-build/gcncheck}"
