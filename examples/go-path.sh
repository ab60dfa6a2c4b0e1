# shellcheck shell=sh
#
# go-path.sh: a GOPATH of Debian's packages and of clients/go, without the module
# proxy.  Sourced, not run.
mkdir -p gopath/src
ln -sfn "$(cd ../../clients/go && pwd)" gopath/src/gid
export GO111MODULE=off GOPROXY=off GOPATH="$PWD/gopath:/usr/share/gocode" GOCACHE="$HOME/.cache/go-build"
