"""`python -m bot` is `fixgate`."""

from bot.cli import main

main(prog_name="fixgate")
