#!/bin/sh
# Moves customers and orders to the type while programs use them.

move() {
    gid-move start "$1" --kind "$2"
    for command in backfill switch finish; do
        gid-move "$command" "$1"
    done
}
move customers c
move orders o
