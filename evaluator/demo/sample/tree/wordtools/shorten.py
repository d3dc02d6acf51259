"""Shortening of texts."""


def shorten(text, width, mark="..."):
    """Cut a text to at most `width` characters, with a mark where something was cut off."""
    if len(text) < width:
        return text
    return text[: width - len(mark)] + mark
