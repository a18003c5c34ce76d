#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The number of tests in a build is at least the one that was written down.
#   test_number_of_tests.sh BUILD-FOLDER FILE-WITH-THE-NUMBER
set -eu
there=$(ctest --test-dir "$1" -N | awk '/^Total Tests:/ { print $3 }')
wanted=$(cat "$2")
[ "$there" -ge "$wanted" ] || { echo "there are $there tests, $2 says $wanted" >&2; exit 1; }
echo "$there tests, at least $wanted"
