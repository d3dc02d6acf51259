"""Makes the image of the docker sandbox: the libraries that mounted interpreters link to.

The image holds nothing of a project. Interpreters and environments are mounted from the host, so
the image's C library must be at least as new as the one they were built with: the host's own
release of Debian or Ubuntu, which is the default, always is.
"""

from __future__ import annotations

import io
import os
import platform
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from evaluator.errors import SandboxError
from evaluator.sandbox.docker import LOCAL_IMAGE
from evaluator.sandbox.engine import LABEL, engine, has_image

# The distribution's own python3 pulls in whatever a CPython links to (OpenSSL, SQLite, libffi,
# readline, ...), under the name that each release gives to it.
PACKAGES = (
    "build-essential",
    "ca-certificates",
    "git",
    "libgomp1",
    "netbase",
    "procps",
    "python3",
    "python3-gdbm",
    "python3-tk",
    "tzdata",
)
LEFT_OUT = ("./dev/*", "./proc/*", "./sys/*", "./var/cache/apt/*", "./var/lib/apt/lists/*")
IMAGE_SETTINGS = ("ENV LANG=C.UTF-8", f"LABEL {LABEL}=image")
DEBOOTSTRAP = "/usr/sbin/debootstrap"
LAST_LINES = 15


def build_image(
    *,
    tag: str = LOCAL_IMAGE,
    base: str = "",
    suite: str = "",
    mirror: str = "",
    say: Callable[[str], None] = print,
) -> str:
    """Make the image and return its id; `say` gets a line for each step.

    With `base`, an image of Debian or Ubuntu (pinned by digest, or on the engine already), the
    packages are added to that. Without, debootstrap installs a new tree of `suite` (the host's
    own release if "") from `mirror` (the host's own), which needs root but no registry.
    Raises SandboxError with the last lines of the tool that failed.
    """
    if base:
        return _build_on(base, tag, say)
    with tempfile.TemporaryDirectory(prefix="fixgate-image-") as scratch:
        tree = Path(scratch, "root")
        _debootstrap(tree, suite or _host_suite(), mirror or _host_mirror(), say)
        return _import(tree, tag, say)


def _build_on(base: str, tag: str, say: Callable[[str], None]) -> str:
    install = f"apt-get install -y --no-install-recommends {' '.join(PACKAGES)}"
    cleanup = "rm -rf /var/lib/apt/lists/*"
    steps = [f"FROM {base}", f"RUN apt-get update && {install} && {cleanup}", *IMAGE_SETTINGS]
    with engine() as client:
        if "@sha256:" not in base and not has_image(client, base):
            raise SandboxError(f"{base} is not pinned: give the base image as name@sha256:...")
        say(f"building {tag} on {base}")
        dockerfile = io.BytesIO("\n".join(steps).encode())
        image, _ = client.images.build(fileobj=dockerfile, tag=tag, rm=True)
        return str(image.id)


def _debootstrap(tree: Path, suite: str, mirror: str, say: Callable[[str], None]) -> None:
    program = shutil.which("debootstrap") or DEBOOTSTRAP
    if not Path(program).exists() or os.geteuid() != 0:
        raise SandboxError(
            "making the image from packages needs root and the package `debootstrap`; "
            "or give a base image of Debian or Ubuntu: --base name@sha256:..."
        )
    say(f"installing {suite} from {mirror}")
    include = f"--include={','.join(PACKAGES)}"
    command = (program, "--variant=minbase", include, suite, str(tree), mirror)
    done = subprocess.run(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
    )
    if done.returncode != 0:
        last = "\n".join(done.stdout.splitlines()[-LAST_LINES:])
        raise SandboxError(f"debootstrap failed:\n{last}")


def _import(tree: Path, tag: str, say: Callable[[str], None]) -> str:
    say(f"importing {tag}")
    # Interpreters may be mounted below the home of root, which others must be able to pass.
    (tree / "root").chmod(0o755)
    command = ("tar", "-C", str(tree), "--numeric-owner", *_exclusions(), "-cf", "-", ".")
    with subprocess.Popen(command, stdout=subprocess.PIPE) as archive, engine() as client:
        client.api.import_image_from_stream(
            archive.stdout, repository=tag, changes=list(IMAGE_SETTINGS)
        )
        return str(client.images.get(tag).id)


def _exclusions() -> Iterator[str]:
    return (f"--exclude={pattern}" for pattern in LEFT_OUT)


def _host_suite() -> str:
    suite = platform.freedesktop_os_release().get("VERSION_CODENAME", "")
    if not suite:
        raise SandboxError("this is not a release of Debian or Ubuntu: give a base image (--base)")
    return suite


def _host_mirror() -> str:
    """Where the host's own packages come from, as apt lists it."""
    command = ("apt-get", "indextargets", "--format", "$(SITE)", "Created-By: Packages")
    try:
        found = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
    except (OSError, subprocess.CalledProcessError) as error:
        raise SandboxError(f"apt does not name its mirror ({error}): give one") from error
    if not found:
        raise SandboxError("apt has no package source: give a mirror")
    return found[0]
