"""Makes the pictures of the README: pages of the program, as Chromium shows them.

    cargo build && python3 docs/pictures/make.py [mean] [groups] [statement]

Needs Chromium and Pillow. Each picture is a real page with some of its sections left out. Noise
differs in each run, so write the printed answer of the mean into the README, too.
"""

import subprocess
import sys
import tempfile
from pathlib import Path

from PIL import Image, ImageChops

ROOT = Path(__file__).parents[2]
TIERS = "--privacy privacy --levels strict=0.01,standard=0.1,relaxed=1,public=inf"
MEAN = f"mean examples/randhie.csv --value visits --bounds 0,77 {TIERS}"
OF_ANSWERS = "examples/answers.csv --person id --privacy privacy --ledger LEDGER --spend 10%"

#: The most bytes of a picture, and the columns of a page.
MOST, WIDTH = 60_000, 760

#: What to run for each page, and the sections that its picture shows.
PAGES = {
    "mean": ([f"{MEAN} --report PAGE"], ["tiers"]),
    "groups": (
        [
            f"{MEAN} --group-by health --groups excellent,good --other-group fair-or-poor "
            "--report PAGE"
        ],
        [],
    ),
    "statement": (
        [
            "ledger init LEDGER --dataset survey --persons "
            "--levels strict=0.1,standard=0.5,relaxed=1,public=inf",
            f"mean --value visits --bounds 0,20 {OF_ANSWERS}",
            "frequency --value health --categories excellent,good,fair,poor --missing good "
            f"{OF_ANSWERS}",
            "ledger statement LEDGER --id r1 --report PAGE",
        ],
        ["summary", "uses", "left"],
    ),
}


def run(command: str, folder: Path, page: Path) -> None:
    """Runs a command of the program in the folder of the project."""
    words = [ROOT / "target" / "debug" / "suum", *command.split()]
    names = {"LEDGER": folder / "ledger", "PAGE": page}
    subprocess.run([names.get(word, word) for word in words], cwd=ROOT, check=True)


def picture(page: Path, shown: list[str], folder: Path) -> Image.Image:
    """The page with these sections, one table each, and without others, cut where it ends."""
    others = "".join(f":not(#{name})" for name in shown)
    style = f"section{others}, footer, details, .scroll ~ .scroll {{ display: none }}"
    text = page.read_text(encoding="utf-8")
    page.write_text(text.replace("</head>", f"<style>{style}</style></head>"), encoding="utf-8")
    shot = folder / "shot.png"
    browser = "chromium --headless --no-sandbox --disable-gpu --hide-scrollbars".split()
    options = [f"--user-data-dir={folder / 'profile'}", f"--window-size={WIDTH},3000"]
    options += ["--force-device-scale-factor=1.25", f"--screenshot={shot}", page.as_uri()]
    subprocess.run([*browser, *options], check=True, stderr=subprocess.DEVNULL)
    image = Image.open(shot).convert("RGB")
    white = Image.new("RGB", image.size, "white")
    _, top, _, bottom = ImageChops.difference(image, white).getbbox()
    return image.crop((0, max(0, top - 24), image.width, bottom + 24))


for name in sys.argv[1:] or PAGES:
    commands, shown = PAGES[name]
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        page = folder / f"{name}.html"
        for command in commands:
            run(command, folder, page)
        file = Path(__file__).with_name(f"{name}.png")
        few = picture(page, shown, folder).quantize(24, dither=Image.Dither.NONE)
        few.save(file, optimize=True)
        assert file.stat().st_size < MOST, f"{file}: {file.stat().st_size} bytes"
