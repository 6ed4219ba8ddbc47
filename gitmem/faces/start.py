"""The start of a process: a coding agent's hook is answered before the commands are loaded, which takes longer than it may."""

import os
import sys


def main() -> int:
    """Returns the exit status of the process's command line; that of a hook ends it, with 0 whatever happens."""
    if sys.argv[1:2] == ["agent-hook"]:
        import gc

        from gitmem.faces import agent_hooks

        gc.disable()
        os._exit(agent_hooks.main(sys.argv[2:]))
    from gitmem.faces import cli

    return cli.main()
