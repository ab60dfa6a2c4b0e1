# shellcheck shell=sh
#
# cargo-path.sh: configures cargo to build in the folder $work, with the crates of
# Debian's packages if they are installed.  Sourced, not run.
export PATH="/usr/bin:$PATH" CARGO_HOME="${work:?}/cargo" CARGO_TARGET_DIR="$work/target"
mkdir -p "$CARGO_HOME"
# Several programs can run at the same time, so the file is renamed into place.
[ ! -d /usr/share/cargo/registry ] || [ -f "$CARGO_HOME/config.toml" ] || {
	cat >"$CARGO_HOME/config.toml.$$" <<'END'
[net]
offline = true
[source.crates-io]
replace-with = "debian"
[source.debian]
directory = "/usr/share/cargo/registry"
END
	mv "$CARGO_HOME/config.toml.$$" "$CARGO_HOME/config.toml"
}
