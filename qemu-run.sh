#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# Runs firmware for the Linx core.
#
#   qemu-run.sh                    builds what is missing and runs the main demonstration (demos/preempt)
#   qemu-run.sh IMAGE [options]    runs IMAGE; options in QEMU's spelling (-m, -smp, -initrd, -append, -serial ...)
#
# Uses $QEMU, or qemu-system-linx64 from the PATH, or the bundled simulator. The exit status is the program's.
set -euo pipefail

case "${1:-}" in -h|--help) sed -n '3,9s/^# \{0,1\}//p' "$0"; exit 0 ;; esac
here=$(cd "$(dirname "$0")" && pwd)
image=${1:-}
if [ -z "$image" ]; then
  cd "$here"
  image=build/images/preempt.elf
  echo "==> building (packages, toolchain, simulator, kernel); logs are in build/log"
  scripts/setup.sh
  make -j"$(nproc)" --no-print-directory build/bin/linx-sim "$image"
  echo "==> running the preemption demonstration"
  set -- "$image" -nographic
fi
shift
[ -r "$image" ] || { echo "qemu-run.sh: $image: no such file; without arguments this script builds and runs the demonstration" >&2; exit 2; }

if [ -n "${QEMU:-}" ]; then
  exec "$QEMU" -M virt -kernel "$image" "$@"
elif command -v qemu-system-linx64 >/dev/null; then
  exec qemu-system-linx64 -M virt -kernel "$image" "$@"
fi
sim="$here/build/bin/linx-sim"
[ -x "$sim" ] || make -C "$here" --no-print-directory build/bin/linx-sim
exec "$sim" -M virt -kernel "$image" "$@"
