"""A command whose repeatable options take several values at once: `--tests a.patch b.patch`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import click


class ManyValuesCommand(click.Command):
    """Reads `--option A B` as `--option A --option B` where the option may be given repeatedly.

    A bare word is first of all one of the command's arguments, until those are complete.
    """

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Repeat the options, then parse as usual."""
        return super().parse_args(ctx, list(self._repeated(args)))

    def _repeated(self, args: list[str]) -> Iterator[str]:
        options = self._options()
        missing = sum(isinstance(parameter, click.Argument) for parameter in self.params)
        current = ""
        words = iter(args)
        for word in words:
            if word.startswith("-") and word != "-":
                name, _, value = word.partition("=")
                option = options.get(name)
                current = name if option is not None and option.multiple else ""
                yield word
                if option is not None and not option.is_flag and not value:
                    yield from _first(words)
            elif missing or not current:
                missing -= 1
                yield word
            else:
                yield from (current, word)

    def _options(self) -> Mapping[str, click.Option]:
        options = [parameter for parameter in self.params if isinstance(parameter, click.Option)]
        return {name: option for option in options for name in option.opts}


def _first(words: Iterator[str]) -> Iterator[str]:
    for word in words:
        yield word
        return
