#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# test_ordinary_user.sh SOURCE BIN: the README's first task is measured by a user without any privilege. As root it
# becomes the user 65534, from copies that this user can read; as an ordinary user it runs as that user.
set -eu
source=$1
bin=$2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/bin" "$folder/home"
cp "$bin/tilewright-cli" "$bin/tilewright-node" "$bin/tilewright-worker" "$folder/bin/"
cp -R "$source/kernels" "$source/resources" "$folder/"
as=
if [ "$(id -u)" = 0 ]; then
    command -v setpriv >/dev/null || { echo "setpriv is missing (Debian: util-linux)" >&2; exit 1; }
    chown -R 65534:65534 "$folder"
    chmod -R go+rX "$folder"
    as="setpriv --reuid=65534 --regid=65534 --clear-groups"
fi
evaluate() {
    $as env -i PATH="$PATH" HOME="$folder/home" "$@" "$folder/bin/tilewright-cli" evaluate --task gemm-fp32-cpu \
        --source "$folder/kernels/gemm-fp32-cpu/seed.cpp" --quick --json
}
for where in "" "taskset -c 0"; do
    result=$(evaluate $where) || { echo "evaluate failed with $? ($where)" >&2; exit 1; }
    case "$result" in
    *'"outcome":"ranked"'* | *'"outcome": "ranked"'*) ;;
    *) echo "the seed did not rank ($where): $result" >&2; exit 1 ;;
    esac
done
