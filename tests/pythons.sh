#!/bin/sh
# Runs the quick tests on every supported Python that this machine has, each in an environment of
# its own under .tools/.
set -eu
uv=.tools/bin/uv
tested=""
for folder in "$HOME"/.pyenv/versions/*/bin; do
  [ -d "$folder" ] && PATH="$folder:$PATH"
done
for version in 3.11 3.12 3.13 3.14; do
  if ! "$uv" python find -q "$version" >/dev/null 2>&1; then
    echo "Python $version: not on this machine"
    continue
  fi
  place=".tools/python-$version"
  [ -d "$place" ] || "$uv" venv -q --python "$version" "$place"
  "$uv" pip install -q --python "$place" --require-hashes -r deploy/requirements-test.lock
  "$uv" pip install -q --python "$place" --no-deps -e .
  echo "Python $version:"
  "$place/bin/python" -m pytest -q -n auto --maxprocesses 4 --dist worksteal \
    -m "not slow and not external" -p no:cacheprovider
  tested="$tested $version"
done
echo "Green on$tested"
