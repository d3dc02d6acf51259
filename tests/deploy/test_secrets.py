import shutil
import stat
import subprocess
from pathlib import Path

OURS = {
    "client-secret",
    "dashboard-token",
    "minter-secret",
    "model.env",
    "pgpass",
    "postgres-password",
}


def test_makes_what_is_ours_to_choose_for_its_reader_only(secret_files: Path) -> None:
    assert {path.name for path in secret_files.iterdir()} == OURS | {
        "private-key.pem",
        "webhook-secret",
    }
    assert {stat.S_IMODE(path.stat().st_mode) for path in secret_files.iterdir()} == {0o400}
    assert len((secret_files / "minter-secret").read_text()) == 64
    password = (secret_files / "postgres-password").read_text()
    assert (secret_files / "pgpass").read_text() == f"postgres:5432:fixgate:fixgate:{password}\n"


def test_keeps_what_is_there_and_names_what_is_missing(deploy: Path, tmp_path: Path) -> None:
    shutil.copy(deploy / "make-secrets", tmp_path)
    first = subprocess.run([tmp_path / "make-secrets"], capture_output=True, text=True, check=True)
    made = {path.name: path.read_bytes() for path in (tmp_path / "secrets").iterdir()}
    assert set(made) == OURS
    assert "webhook-secret is missing" in first.stderr
    assert "private-key.pem is missing" in first.stderr

    subprocess.run([tmp_path / "make-secrets"], capture_output=True, check=True)

    assert {path.name: path.read_bytes() for path in (tmp_path / "secrets").iterdir()} == made
    assert made["minter-secret"] != made["dashboard-token"]
