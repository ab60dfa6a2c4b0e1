#!/bin/sh
# Packages: default-jdk-headless libjackson2-annotations-java
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
javac -cp /usr/share/java/jackson-annotations.jar -d "$work" src/gid/*.java test/gid/Bench.java
java -cp "$work" gid.Bench
