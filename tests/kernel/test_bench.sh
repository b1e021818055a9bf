#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# bench/switch.py with a small count: the goals for the cost of a switch are met.
if out=$(bench/switch.py --count 100); then
    echo "ok cost of a switch"
else
    echo "not ok cost of a switch: a goal is missed"
fi
echo "$out" | sed 's/^/# /'
