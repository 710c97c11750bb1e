#!/usr/bin/env python3
"""Typeset regulation.txt and companion.txt to PDF: `tools/sample/typeset.py [OUT [TEXT]]`. Python's standard library only.

Without arguments both are made. With OUT, only one PDF is made and written there: of TEXT, or of regulation.txt if TEXT is not
given.

The same text gives the same bytes on every machine: standard fonts, no dates, no compression. The markup: `# Part`,
`## Article`, `(1) paragraph`, ` (a) item`, and `table:` with the columns' widths in per cent, followed by its rows.
"""
import pathlib
import re
import sys

WIDTH, HEIGHT = 595.0, 842.0  # A4 in points
LEFT, RIGHT, TOP, BOTTOM = 80.0, 515.0, 764.0, 76.0
SIZE, LEADING = 11.0, 14.3

# Adobe's font metrics in 1/1000 em for the characters of WinAnsi that a regulation needs.
ASCII = [chr(c) for c in range(32, 127)]
EXTRA = "‘’“”–—§"
ROMAN = dict(zip(ASCII + list(EXTRA), [
    250, 333, 408, 500, 500, 833, 778, 180, 333, 333, 500, 564, 250, 333, 250, 278, 500, 500, 500, 500, 500, 500, 500,
    500, 500, 500, 278, 278, 564, 564, 564, 444, 921, 722, 667, 667, 722, 611, 556, 722, 722, 333, 389, 722, 611, 889,
    722, 722, 556, 722, 667, 556, 611, 722, 722, 944, 722, 722, 611, 333, 278, 333, 469, 500, 333, 444, 500, 444, 500,
    444, 333, 500, 500, 278, 278, 500, 278, 778, 500, 500, 500, 500, 333, 389, 278, 500, 500, 722, 500, 500, 444, 480,
    200, 480, 541, 333, 333, 444, 444, 500, 1000, 500]))
BOLD = dict(zip(ASCII + list(EXTRA), [
    250, 333, 555, 500, 500, 1000, 833, 278, 333, 333, 500, 570, 250, 333, 250, 278, 500, 500, 500, 500, 500, 500, 500,
    500, 500, 500, 333, 333, 570, 570, 570, 500, 930, 722, 667, 722, 722, 667, 611, 778, 778, 389, 500, 778, 667, 944,
    722, 778, 611, 778, 722, 556, 667, 722, 722, 1000, 722, 722, 667, 333, 278, 333, 581, 500, 333, 500, 556, 444, 556,
    444, 333, 500, 556, 278, 333, 556, 278, 833, 556, 500, 556, 556, 444, 389, 333, 556, 500, 722, 500, 500, 444, 394,
    220, 394, 520, 333, 333, 500, 500, 500, 1000, 500]))
TIE = "\N{NO-BREAK SPACE}"
ROMAN[TIE] = BOLD[TIE] = 250
FONTS = {"F1": ROMAN, "F2": BOLD}


def measure(text, font, size):
    return sum(FONTS[font][c] for c in text) * size / 1000


def escape(text):
    return re.sub(rb"([()\\])", rb"\\\1", text.encode("cp1252")).decode("latin-1")


def wrap(text, font, size, width):
    """Break `text` into lines no wider than `width`, greedily, at spaces, but not between a number and its unit."""
    lines, line = [], ""
    text = re.sub(r"(AST|Article|Part|Annex) (?=[\dIVX])|(?<=\d) (?=%|billion|million)", lambda m: m[0][:-1] + TIE, text)
    for word in re.split(" +", text.strip()):
        longer = f"{line} {word}".strip()
        if line and measure(longer, font, size) > width:
            lines.append(line)
            line = word
        else:
            line = longer
    return [line.replace(TIE, " ") for line in lines + [line]]


class Sheets:
    """The pages so far and the place of the next line on the last of them."""

    def __init__(self):
        self.pages = [[]]
        self.y = TOP

    def put(self, x, y, text, font="F1", size=SIZE, word_space=0.0):
        space = f"{word_space:.4f} Tw " if word_space else ""
        reset = " 0 Tw" if word_space else ""
        self.pages[-1].append(f"BT /{font} {size:g} Tf {space}{x:.2f} {y:.2f} Td ({escape(text)}) Tj{reset} ET")

    def rule(self, x0, x1, y, thickness=0.5):
        self.pages[-1].append(f"{thickness:g} w {x0:.2f} {y:.2f} m {x1:.2f} {y:.2f} l S")

    def turn(self):
        self.pages.append([])
        self.y = TOP

    def room(self, height):
        """Begin a new page unless `height` points are left on this one."""
        if self.y - height < BOTTOM:
            self.turn()
            return True
        return False

    def paragraph(self, text, indent=0.0, label="", font="F1", size=SIZE, leading=LEADING, after=4.0, justify=True):
        left = LEFT + indent
        lines = wrap(text, font, size, RIGHT - left)
        for number, line in enumerate(lines):
            # No single first line at the foot of a page.
            self.room(leading * (2 if number == 0 and len(lines) > 1 else 1))
            if number == 0 and label:
                self.put(left - 24.0, self.y, label, font, size)
            gaps = line.count(" ")
            slack = RIGHT - left - measure(line, font, size)
            last = number == len(lines) - 1
            self.put(left, self.y, line, font, size, slack / gaps if justify and gaps and not last else 0.0)
            self.y -= leading
        self.y -= after

    def centred(self, text, font, size, leading):
        for line in wrap(text, font, size, RIGHT - LEFT):
            self.put((LEFT + RIGHT - measure(line, font, size)) / 2, self.y, line, font, size)
            self.y -= leading

    def table(self, shares, rows):
        edges = [LEFT]
        for share in shares:
            edges.append(edges[-1] + (RIGHT - LEFT) * share / sum(shares))
        size, leading, pad = 9.5, 12.0, 4.0

        def draw(cells, font):
            wrapped = [wrap(c, font, size, edges[i + 1] - edges[i] - 2 * pad) for i, c in enumerate(cells)]
            height = max(map(len, wrapped)) * leading + 5.0
            for i, lines in enumerate(wrapped):
                for n, line in enumerate(lines):
                    self.put(edges[i] + pad, self.y - 11.0 - n * leading, line, font, size)
            self.y -= height
            self.rule(LEFT, RIGHT, self.y)

        def head():
            self.rule(LEFT, RIGHT, self.y, 1.0)
            draw(rows[0], "F2")

        head()
        for row in rows[1:]:
            if self.room(30.0):
                head()
            draw(row, "F1")
        self.y -= 12.0


def compose(source):
    meta, sheets, table = {}, Sheets(), None
    lines = source.splitlines() + [""]
    for key in ("title", "authority", "number", "note"):
        meta[key] = next(line.split(": ", 1)[1] for line in lines if line.startswith(f"{key}: "))
    sheets.y -= 24.0
    sheets.centred(meta["authority"], "F2", 13.0, 26.0)
    sheets.centred(meta["title"], "F2", 19.0, 28.0)
    sheets.centred(meta["number"], "F1", 12.0, 30.0)
    for line in lines:
        if table is not None:
            if " | " in line:
                table[1].append([cell.strip() for cell in line.split("|")])
                continue
            sheets.table(*table)
            table = None
        if line.startswith("# "):
            number, title = line[2:].split("  ")
            if number.startswith("Annex"):
                sheets.turn()
            sheets.room(110.0)
            sheets.y -= 12.0
            sheets.centred(number, "F2", 13.0, 17.0)
            sheets.centred(title, "F2", 13.0, 22.0)
        elif line.startswith("## "):
            sheets.room(64.0)
            sheets.y -= 6.0
            sheets.paragraph(line[3:].replace("  ", "  –  ", 1), font="F2", size=11.5, after=3.0, justify=False)
        elif line.startswith("table: "):
            table = ([float(n) for n in line[7:].split()], [])
        elif found := re.match(r"(\s*)(\(\w+\)) (.*)", line):
            sheets.paragraph(found[3], indent=48.0 if found[1] else 24.0, label=found[2])
        elif line and not re.match(r"(title|authority|number|note): ", line):
            sheets.paragraph(line)
    return meta, sheets.pages


def write_pdf(meta, pages):
    head = f"{meta['number']}  –  {meta['title']}"
    objects = []  # object n of the file is objects[n - 1]
    kids = " ".join(f"{6 + 2 * i} 0 R" for i in range(len(pages)))
    objects.append("<< /Type /Catalog /Pages 2 0 R /Lang (en) >>")
    objects.append(f"<< /Type /Pages /Kids [{kids}] /Count {len(pages)} >>")
    for name, font in (("Times-Roman", ROMAN), ("Times-Bold", BOLD)):
        widths = " ".join(str(font.get(bytes([c]).decode("cp1252", "replace"), 0)) for c in range(32, 256))
        objects.append(
            f"<< /Type /Font /Subtype /Type1 /BaseFont /{name} /Encoding /WinAnsiEncoding "
            f"/FirstChar 32 /LastChar 255 /Widths [{widths}] >>"
        )
    objects.append(f"<< /Title ({escape(meta['title'])}) /Author ({escape(meta['authority'])}) >>")
    for number, page in enumerate(pages, 1):
        rest = Sheets()
        if number > 1:
            rest.put(LEFT, HEIGHT - 48.0, head, size=9.0)
            rest.rule(LEFT, RIGHT, HEIGHT - 53.0)
        # That the regulation is fictional stands on each page but is no part of its text: a reader drops running feet.
        for y, foot in ((44.0, f"Page {number} of {len(pages)}"), (31.0, meta["note"])):
            rest.put((WIDTH - measure(foot, "F1", 9.0)) / 2, y, foot, size=9.0)
        stream = "\n".join(rest.pages[0] + page)
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {WIDTH:g} {HEIGHT:g}] /Contents {len(objects) + 2} 0 R "
            "/Resources << /Font << /F1 3 0 R /F2 4 0 R >> >> >>"
        )
        objects.append(f"<< /Length {len(stream)} >>\nstream\n{stream}\nendstream")
    out = bytearray(b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n")
    places = []
    for number, body in enumerate(objects, 1):
        places.append(len(out))
        out += f"{number} 0 obj\n{body}\nendobj\n".encode("latin-1")
    start = len(out)
    out += f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n".encode()
    out += "".join(f"{place:010} 00000 n \n" for place in places).encode()
    out += f"trailer\n<< /Size {len(objects) + 1} /Root 1 0 R /Info 5 0 R >>\nstartxref\n{start}\n%%EOF\n".encode()
    return bytes(out)


def main():
    here = pathlib.Path(__file__).parent
    texts = [here / "regulation.txt", here / "companion.txt"]
    wanted = {text.with_suffix(".pdf"): text for text in texts}
    if len(sys.argv) > 1:
        wanted = {pathlib.Path(sys.argv[1]): pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 else texts[0]}
    for out, text in wanted.items():
        out.write_bytes(write_pdf(*compose(text.read_text(encoding="utf-8"))))


if __name__ == "__main__":
    main()
