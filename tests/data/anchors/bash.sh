#!/bin/sh

# Writes one.
save() {
  inner=1
}
function load { :; }
LIMIT=8
