"""A module.

TODO: split the reader from the writer
"""
import os  # TODO drop this import when 3.10 goes

# FIXME(ann): a lock is lost when the process
# is killed between the two writes.
TEXT = "# TODO: inside of a string"
# see the TODO list of the release
# todo: lower case says nothing
TODO_LIST = []
# TODO
def save() -> None:
    # XXX, FIXME: sync before the rename
    url = "https://example.org//TODO"
