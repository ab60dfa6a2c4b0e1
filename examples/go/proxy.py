"""Writes a proxy for "go get" to a folder, with pgx and its requirements from Debian's packages."""

import re
import sys
import zipfile
from pathlib import Path

packages = Path("/usr/share/gocode/src")
pgx = "github.com/jackc/pgx/v5"
requirements = re.findall(r"^\t(\S+) (v\S+)", (packages / pgx / "go.mod").read_text(), re.M)
for module, version in [(pgx, "v5.0.0"), *requirements]:
    folder = Path(sys.argv[1], module, "@v")
    folder.mkdir(parents=True)
    (folder / "list").write_text(version + "\n")
    (folder / f"{version}.info").write_text(f'{{"Version": "{version}"}}')
    with zipfile.ZipFile(folder / f"{version}.zip", "w") as archive:
        for file in (packages / module).rglob("*.go"):
            archive.write(file, f"{module}@{version}/{file.relative_to(packages / module)}")
    # The versions that other modules require are not those of the packages.
    source = packages / module / "go.mod"
    text = source.read_text() if source.exists() else f"module {module}\n"
    if module != pgx:
        text = re.sub(r"^require.*?(\)|$)", "", text, flags=re.M | re.S)
    (folder / f"{version}.mod").write_text(text)
