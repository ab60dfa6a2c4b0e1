# shellcheck shell=sh
#
# cargo-path.sh: has cargo take its crates from Debian's packages, and build in a
# folder that is gone afterwards.  Sourced, not run.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export PATH="/usr/bin:$PATH" CARGO_HOME="$work/cargo" CARGO_TARGET_DIR="$work/target"
mkdir "$CARGO_HOME"
cat >"$CARGO_HOME/config.toml" <<'END'
[net]
offline = true
[source.crates-io]
replace-with = "debian"
[source.debian]
directory = "/usr/share/cargo/registry"
END
