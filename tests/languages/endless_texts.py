"""What is repeated in files that are made to keep a reader of quotation marks and comments busy."""

REPEATED = [
    *(b'"', b"'", b"\\", b'\\"""\n', b'"a\\', b"'\\", b"/*", b"/* *", b"#", b": \n", b"'''\n"),
    b":\n" + b" " * 1_000,
]
