#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# Runs all tests on a machine that may lack even make: installs the packages first.
set -euo pipefail
cd "$(dirname "$0")"
scripts/setup.sh
exec make test
