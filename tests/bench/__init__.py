"""What gitmem costs and how well it finds, measured: `python -m tests.bench`. No test runs it."""
