#!/bin/sh
# Compiles the rules and the search into build/compiled. Without a C compiler and the headers of
# Python, or where that fails, plain Python runs instead, until a source changes.
set -eu

python=.venv/bin/python log=build/compile.log
compiler=$($python -c 'import sysconfig; print((sysconfig.get_config_var("CC") or "cc").split()[0])')
headers=$($python -c 'import sysconfig; print(sysconfig.get_path("include"))')

mkdir -p build/compiled
if command -v "$compiler" >/dev/null 2>&1 && [ -f "$headers/Python.h" ]; then
  echo "Compiling the rules and the search, once; it takes less than a minute ..."
  if .tools/bin/uv pip install -q --target .tools/build --require-hashes \
       -r deploy/requirements-build.lock >"$log" 2>&1 &&
     PYTHONPATH=.tools/build $python deploy/build_hook.py >>"$log" 2>&1; then
    exit
  fi
  echo "They could not be compiled, see $log; plain Python runs instead."
fi
: >build/compiled/sources
