#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# Fetches and unpacks the upstream tarball of a Debian source package, also one of another suite than this machine's.
# The mirror is the machine's own: a private package list is derived from it below build/ and removed again; nothing
# of the system's apt is changed. The tarball must match the SHA256 of the signed index.
set -euo pipefail
usage() {
  cat <<'U'
usage: scripts/fetch-source.sh SUITE PACKAGE VERSION DIR [FOLDER]
  SUITE    Debian suite whose source index is asked (bookworm, trixie)
  PACKAGE  source package
  VERSION  upstream version wanted (1.8.10)
  DIR      where to unpack, without the tarball's top folder; left alone when it is complete already
  FOLDER   take this folder of the tarball alone (lib/dhry); its files come to stand in DIR itself
exit status: 0 DIR is complete, 3 cannot be had here (no index, no such version, no network), 1 other errors
U
}
case "${1:-}" in -h|--help) usage; exit 0;; esac
[ $# -eq 4 ] || [ $# -eq 5 ] || { usage >&2; exit 1; }
suite=$1 package=$2 version=$3 dir=$4 folder=${5-}
stamp=$dir/.complete
[ -f "$stamp" ] && [ "$(cat "$stamp")" = "$package $version${folder:+ $folder}" ] && exit 0

give_up() { echo "fetch-source.sh: $package $version of $suite: $*" >&2; exit 3; }
command -v apt-get >/dev/null || give_up "apt-get is missing"

mkdir -p "$(dirname "$dir")"
work=$(mktemp -d "$(dirname "$(realpath -m "$dir")")/fetch-XXXXXX")
trap 'rm -rf "$work"' EXIT
chmod 755 "$work"
mkdir -p "$work"/{lists/partial,archives/partial,parts}

# The machine's own entry for its main archive, with the suite replaced: deb822 stanzas or one-line lists.
python3 - "$suite" >"$work/parts/source.list" <<'P'
import glob, re, sys
codename = dict(l.rstrip().split("=", 1) for l in open("/etc/os-release") if "=" in l).get("VERSION_CODENAME", "")
codename = codename.strip('"')
found = []
for f in glob.glob("/etc/apt/sources.list.d/*.sources"):
    for stanza in re.split(r"\n\s*\n", open(f).read()):
        fields, key = {}, None
        for line in stanza.splitlines():
            if line.startswith("#"):
                continue
            if line[:1].isspace() and key:
                fields[key] += " " + line.strip()
            elif ":" in line:
                key, value = line.split(":", 1)
                key = key.lower()
                fields[key] = value.strip()
        if codename in fields.get("suites", "").split() and fields.get("enabled", "yes") != "no":
            signed = fields.get("signed-by", "")
            for uri in fields.get("uris", "").split():
                found.append((uri, f"[signed-by={signed}] " if signed.startswith("/") else ""))
for f in ["/etc/apt/sources.list"] + glob.glob("/etc/apt/sources.list.d/*.list"):
    try:
        lines = open(f).read().splitlines()
    except OSError:
        continue
    for line in lines:
        m = re.match(r"\s*deb\s+(\[[^]]*\]\s+)?(\S+)\s+(\S+)\s", line + " ")
        if m and m.group(3) == codename:
            found.append((m.group(2), m.group(1) or ""))
if found:
    uri, options = found[0]
    print(f"deb-src {options}{uri} {sys.argv[1]} main")
P
[ -s "$work/parts/source.list" ] || give_up "the machine's package lists name no archive to derive one from"

cat >"$work/apt.conf" <<C
Dir::State "$work";
Dir::State::lists "$work/lists";
Dir::Cache "$work";
Dir::Cache::archives "$work/archives";
Dir::Etc::sourcelist "/dev/null";
Dir::Etc::sourceparts "$work/parts";
APT::Sandbox::User "";
Acquire::Languages "none";
C
export APT_CONFIG=$work/apt.conf
apt-get -qq update >"$work/log" 2>&1 || give_up "no source index: $(tail -1 "$work/log" | sed 's#[a-z]*://[^ ]*#the archive#')"

# 'URI' file bytes SHA256:hash, from the signed index; the .dsc is not needed.
read -r uri file _ hash < <(apt-get -qq --print-uris --only-source source "$package" 2>/dev/null | tr -d "'" |
  awk -v f="${package}_$version.orig.tar" 'index($2, f) == 1 && $2 !~ /\.asc$/' | head -1) || true
[ -n "${hash:-}" ] || give_up "the index has no such tarball"
case $hash in SHA256:*) ;; *) give_up "the index gives no SHA256 for $file";; esac
/usr/lib/apt/apt-helper -qq download-file "$uri" "$work/$file" "$hash" >"$work/log" 2>&1 ||
  give_up "download or checksum failed"
echo "${hash#SHA256:}  $work/$file" | sha256sum --status -c || give_up "SHA256 of $file differs from the signed index"

rm -rf "$dir"
mkdir -p "$dir"
if [ -n "$folder" ]; then
  depth=$(($(tr -dc / <<<"$folder" | wc -c) + 2))
  tar -xf "$work/$file" -C "$dir" --strip-components=$depth --no-same-owner --wildcards "*/$folder/*" 2>"$work/log" ||
    give_up "the tarball has no folder $folder"
else
  tar -xf "$work/$file" -C "$dir" --strip-components=1 --no-same-owner
fi
echo "$package $version${folder:+ $folder}" >"$stamp"
echo "==> $package $version: unpacked to $dir (SHA256 matches the signed index)"
