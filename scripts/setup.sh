#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# Installs the Debian packages that linx-rt builds and tests with. Does nothing when all are there.
set -euo pipefail
packages=(
  make gcc g++ ccache python3 xz-utils patch pkg-config
  llvm-19 llvm-19-dev clang-19 libclang-19-dev zlib1g-dev libzstd-dev
  newlib-source
  binutils-source bison flex texinfo
  libelf-dev libfdt-dev libslirp-dev libglib2.0-dev
)
missing=()
for p in "${packages[@]}"; do
  dpkg-query -W -f='${Status}' "$p" 2>/dev/null | grep -q 'install ok installed' || missing+=("$p")
done
[ ${#missing[@]} -eq 0 ] && exit 0
as_root=()
if [ "$(id -u)" -ne 0 ]; then
  command -v sudo >/dev/null || { echo "setup.sh: needs root or sudo to install: ${missing[*]}" >&2; exit 1; }
  as_root=(sudo)
fi
echo "==> installing ${#missing[@]} packages: ${missing[*]}"
"${as_root[@]}" apt-get update -qq
DEBIAN_FRONTEND=noninteractive "${as_root[@]}" apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
echo "==> packages installed"
