# shellcheck shell=sh
#
# cargo-path.sh: has cargo build in the folder $work, and take its crates from
# Debian's packages where they are installed.  Sourced, not run.
export PATH="/usr/bin:$PATH" CARGO_HOME="${work:?}/cargo" CARGO_TARGET_DIR="$work/target"
mkdir -p "$CARGO_HOME"
[ ! -d /usr/share/cargo/registry ] || cat >"$CARGO_HOME/config.toml" <<'END'
[net]
offline = true
[source.crates-io]
replace-with = "debian"
[source.debian]
directory = "/usr/share/cargo/registry"
END
