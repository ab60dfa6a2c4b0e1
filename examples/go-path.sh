# shellcheck shell=sh
#
# go-path.sh: sets GOPATH to Debian's packages and clients/go, and turns the module
# proxy off.  Sourced, not run.
mkdir -p gopath/src
ln -sfn "$(cd ../../clients/go && pwd)" gopath/src/gid
export GO111MODULE=off GOPROXY=off GOPATH="$PWD/gopath:/usr/share/gocode" GOCACHE="$HOME/.cache/go-build"
