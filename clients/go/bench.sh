#!/bin/sh
# Packages: golang-go golang-github-google-uuid-dev
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
grep -qs NewV7 /usr/share/gocode/src/github.com/google/uuid/version7.go || { echo 'google/uuid has no NewV7' >&2; exit 77; }
mkdir "$work/src"
ln -s "$PWD" "$work/src/gid"
export GO111MODULE=off GOPATH="$work:/usr/share/gocode" GOCACHE="${GOCACHE:-$HOME/.cache/go-build}"
go run internal/bench/main.go "$(dpkg-query -W -f '${Version}' golang-github-google-uuid-dev)"
