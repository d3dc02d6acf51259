"""Makes the documentation's pictures from the pages that `fixgate demo` wrote, with Chromium.

make demo && .venv/bin/python docs/screenshots.py
"""

from __future__ import annotations

import re
import shutil
import subprocess
import tempfile
from pathlib import Path

import click

PICTURES = {
    "comment": "github-*-issues-1.html",
    "refused": "github-*-pull-2.html",
    "accepted": "github-*-pull-3.html",
    "dashboard": "dashboard.html",
}
WIDTH = 1000
LARGEST = 180_000
_POLICY = re.compile(r'<meta http-equiv="Content-Security-Policy"[^>]*>')
_MEASURE = "<script>document.title = document.body.offsetHeight</script></body>"
_TITLE = re.compile(r"<title>(\d+)</title>")


@click.command()
@click.argument("output", default=Path("demo-output"), type=click.Path(path_type=Path, exists=True))
def main(output: Path) -> None:
    """Write docs/*.png from the pages in OUTPUT, the directory of an earlier demo."""
    browser = shutil.which("chromium") or shutil.which("chromium-browser")
    if browser is None:
        raise click.ClickException("chromium is not installed: apt-get install chromium")
    for name, pattern in PICTURES.items():
        (page,) = (output / "pages").glob(pattern)
        target = Path(__file__).parent.resolve() / f"{name}.png"
        _take(browser, page.resolve(), target)
        size = target.stat().st_size
        click.echo(f"{target.name}: {size} bytes")
        if size > LARGEST:
            raise click.ClickException(f"{target.name} is larger than {LARGEST} bytes")


def _take(browser: str, page: Path, target: Path) -> None:
    height = _height(browser, page)
    _run(browser, page, f"--window-size={WIDTH},{height}", f"--screenshot={target}")


def _height(browser: str, page: Path) -> int:
    """How high the page is at that width: asked of a copy that may run a script."""
    copy = page.with_name(f"measured-{page.name}")
    copy.write_text(_POLICY.sub("", page.read_text("utf-8")).replace("</body>", _MEASURE), "utf-8")
    try:
        title = _TITLE.search(_run(browser, copy, f"--window-size={WIDTH},800", "--dump-dom"))
    finally:
        copy.unlink()
    if title is None:
        raise click.ClickException(f"{page} cannot be measured")
    return int(title[1])


def _run(browser: str, page: Path, *options: str) -> str:
    with tempfile.TemporaryDirectory() as profile:
        flags = ["--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"]
        command = [browser, *flags, f"--user-data-dir={profile}", *options, page.as_uri()]
        done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True)
    return done.stdout


if __name__ == "__main__":
    main()
