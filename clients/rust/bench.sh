#!/bin/sh
# Packages: cargo librust-serde-dev librust-serde-json-dev librust-postgres-types-dev librust-uuid-dev
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
. ../../examples/cargo-path.sh
cat >"$work/Cargo.toml" <<END
[package]
name = "bench"
version = "1.0.0"
edition = "2021"
[[bin]]
name = "bench"
path = "$PWD/bench/main.rs"
[dependencies]
pg-gid = { path = "$PWD" }
uuid = { version = "1.10", features = ["v7"] }
END
cd "$work" || exit
cargo build --quiet --release || exit 77
target/release/bench "$(cargo pkgid uuid | sed 's/.*[@#:]//')"
