"""Which distribution of the index has a module, or a fixture of pytest, where the names differ."""

from __future__ import annotations

from collections.abc import Mapping

from packaging.utils import canonicalize_name, is_normalized_name

MODULES: Mapping[str, str] = {
    "Crypto": "pycryptodome",
    "MySQLdb": "mysqlclient",
    "OpenSSL": "pyopenssl",
    "PIL": "pillow",
    "allauth": "django-allauth",
    "attr": "attrs",
    "bs4": "beautifulsoup4",
    "corsheaders": "django-cors-headers",
    "crispy_forms": "django-crispy-forms",
    "cv2": "opencv-python-headless",
    "dateutil": "python-dateutil",
    "debug_toolbar": "django-debug-toolbar",
    "distutils": "setuptools",
    "dns": "dnspython",
    "docx": "python-docx",
    "dotenv": "python-dotenv",
    "environ": "django-environ",
    "fitz": "pymupdf",
    "gi": "pygobject",
    "git": "gitpython",
    "github": "pygithub",
    "google.auth": "google-auth",
    "google.cloud.storage": "google-cloud-storage",
    "google.protobuf": "protobuf",
    "grpc": "grpcio",
    "haystack": "django-haystack",
    "jose": "python-jose",
    "jwt": "pyjwt",
    "kafka": "kafka-python",
    "ldap": "python-ldap",
    "lzo": "python-lzo",
    "magic": "python-magic",
    "mpl_toolkits": "matplotlib",
    "mptt": "django-mptt",
    "multipart": "python-multipart",
    "nacl": "pynacl",
    "pkg_resources": "setuptools<81",
    "psycopg2": "psycopg2-binary",
    "pylab": "matplotlib",
    "pyximport": "cython",
    "rest_framework": "djangorestframework",
    "ruamel": "ruamel-yaml",
    "serial": "pyserial",
    "skimage": "scikit-image",
    "sklearn": "scikit-learn",
    "slugify": "python-slugify",
    "socks": "pysocks",
    "taggit": "django-taggit",
    "telegram": "python-telegram-bot",
    "usb": "pyusb",
    "wx": "wxpython",
    "xdist": "pytest-xdist",
    "yaml": "pyyaml",
    "zmq": "pyzmq",
}
"""Module, or the beginning of its dotted name -> requirement; others are named as their module."""

FIXTURES: Mapping[str, str] = {
    "aiohttp_client": "pytest-aiohttp",
    "aiohttp_server": "pytest-aiohttp",
    "benchmark": "pytest-benchmark",
    "client": "pytest-django",
    "data_regression": "pytest-regressions",
    "datadir": "pytest-datadir",
    "db": "pytest-django",
    "django_assert_num_queries": "pytest-django",
    "django_user_model": "pytest-django",
    "event_loop": "pytest-asyncio",
    "faker": "faker",
    "file_regression": "pytest-regressions",
    "freezer": "pytest-freezer",
    "fs": "pyfakefs",
    "httpbin": "pytest-httpbin",
    "httpbin_secure": "pytest-httpbin",
    "httpserver": "pytest-httpserver",
    "httpx_mock": "pytest-httpx",
    "image_regression": "pytest-regressions",
    "mock": "pytest-mock",
    "mocker": "pytest-mock",
    "num_regression": "pytest-regressions",
    "qtbot": "pytest-qt",
    "requests_mock": "requests-mock",
    "respx_mock": "respx",
    "settings": "pytest-django",
    "shared_datadir": "pytest-datadir",
    "snapshot": "syrupy",
    "subtests": "pytest-subtests",
    "time_machine": "time-machine",
    "xprocess": "pytest-xprocess",
}
"""Fixture -> the requirement whose plug-in of pytest has it."""


ALWAYS_THERE = frozenset({"pkg_resources", "setuptools"})
"""Modules that each virtual environment had up to Python 3.11."""

NAMESPACES = frozenset({"azure", "backports", "google", "jaraco", "sphinxcontrib", "zope"})
"""Modules that belong to no distribution: what is imported of them names one (`zope.event`)."""


def distribution_of(module: str) -> str:
    """The requirement that is likely to have a module, by its dotted name (`google.protobuf.x`).

    "" for a namespace alone, and where none can have such a name (`_private`).
    """
    parts = module.split(".")
    beginnings = (".".join(parts[:length]) for length in range(len(parts), 0, -1))
    known = (MODULES[beginning] for beginning in beginnings if beginning in MODULES)
    usual = parts[:2] if parts[0] in NAMESPACES else parts[:1]
    likely = canonicalize_name("-".join(usual))
    possible = module not in NAMESPACES and is_normalized_name(likely)
    return next(known, likely if possible else "")
