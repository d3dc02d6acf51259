"""Stand in for pytest's cache, which is kept out: nothing that a run keeps may reach another one."""

import json
import os
import shutil
import tempfile

FLAG = {"action": "store_true", "default": False}
OPTIONS = [
    (("--lf", "--last-failed"), dict(FLAG, dest="lf")),
    (("--ff", "--failed-first"), dict(FLAG, dest="failedfirst")),
    (("--nf", "--new-first"), dict(FLAG, dest="newfirst")),
    (("--sw", "--stepwise"), dict(FLAG, dest="stepwise")),
    (("--sw-skip", "--stepwise-skip"), dict(FLAG, dest="stepwise_skip")),
    (("--sw-reset", "--stepwise-reset"), dict(FLAG, dest="stepwise_reset")),
    (("--cache-clear",), dict(FLAG, dest="cacheclear")),
    (("--cache-show",), {"action": "append", "nargs": "?", "dest": "cacheshow"}),
    (("--lfnf", "--last-failed-no-failures"), {"dest": "last_failed_no_failures", "default": "all"}),
]


def know_settings(parser):
    """Know the cache's setting and options, and do nothing by them: every test is to run.

    Version 2 knows them although the cache is kept out, and version 4.0 those of `--stepwise`.
    """
    parser.addini("cache_dir", "kept out", default="")
    group = parser.getgroup("general")
    known = {name for option in group.options for name in option.names()}
    for names, settings in OPTIONS:
        if not known.intersection(names):
            group.addoption(*names, **settings)


def fixture(plugin, request):
    """What `cache` is in a test."""
    return request.config.cache


class Cache:
    """What pytest's own is to tests and plugins; it begins empty and ends with the run."""

    def __init__(self):
        self.values = {}
        self.directory = None

    def get(self, key, default):
        text = self.values.get(key)
        return default if text is None else json.loads(text)

    def set(self, key, value):
        self.values[key] = json.dumps(value)

    def mkdir(self, name):
        import pathlib

        if os.path.basename(name) != name:
            raise ValueError("name is not allowed to contain path separators")
        if self.directory is None:
            self.directory = tempfile.mkdtemp(prefix="pytest-cache-")
        place = pathlib.Path(self.directory, name)
        place.mkdir(exist_ok=True)
        return place

    def makedir(self, name):
        import py

        return py.path.local(str(self.mkdir(name)))

    def remove(self):
        if self.directory is not None:
            shutil.rmtree(self.directory, ignore_errors=True)
