"""Writes pages as PDF: each is a picture, with its words over it, unseen, to be found, marked and read out."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from dataclasses import dataclass

WIDE = 297 / 25.4 * 72  # points that a page is wide: A4 across
FONT = b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>"
LETTERS = "cp1252"  # what PDF calls WinAnsiEncoding
MEAN = 0.5  # of its size a letter of Helvetica is wide


@dataclass(frozen=True)
class PlacedWords:
    """A line of words: where its left end stands on the page and how long and high it is, in parts of its width."""

    text: str
    x: float
    y: float
    wide: float
    size: float


@dataclass(frozen=True)
class Page:
    """A picture in rows of red, green and blue, and the words that are in it."""

    wide: int
    high: int
    pixels: bytes
    words: Sequence[PlacedWords]


def write(pages: Sequence[Page], title: str) -> bytes:
    """The pages as a file, each as wide as A4 is across."""
    parts = [b"<< /Type /Catalog /Pages 2 0 R >>", b"", FONT, b"<< /Title %s >>" % string(title, "utf-16")]
    kids = []
    for page in pages:
        high = WIDE * page.high / page.wide
        image, content, kid = len(parts) + 1, len(parts) + 2, len(parts) + 3
        kids.append(b"%d 0 R" % kid)
        parts += [
            stream(
                page.pixels,
                b"/Type /XObject /Subtype /Image /Width %d /Height %d /ColorSpace /DeviceRGB /BitsPerComponent 8 "
                % (page.wide, page.high),
            ),
            stream(b"\n".join([b"q %.2f 0 0 %.2f 0 0 cm /Im Do Q BT 3 Tr" % (WIDE, high), *laid(page, high), b"ET"])),
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 %.2f %.2f] /Contents %d 0 R /Resources"
            b" << /XObject << /Im %d 0 R >> /Font << /F 3 0 R >> >> >>" % (WIDE, high, content, image),
        ]
    parts[1] = b"<< /Type /Pages /Count %d /Kids [%s] >>" % (len(kids), b" ".join(kids))
    return whole(parts)


def laid(page: Page, high: float) -> list[bytes]:
    """The words of a page as a reader of PDF wants them, each as wide as it is in the picture."""
    return [
        b"/F %.2f Tf %.1f Tz 1 0 0 1 %.2f %.2f Tm %s Tj"
        % (
            WIDE * each.size, 100 * each.wide / (MEAN * each.size * len(each.text)),
            WIDE * each.x, high - WIDE * each.y, string(each.text, LETTERS),
        )
        for each in page.words
    ]  # fmt: skip


def string(text: str, letters: str) -> bytes:
    """Words as a string of PDF."""
    return b"<%s>" % text.encode(letters, "replace").hex().encode()


def stream(content: bytes, said: bytes = b"") -> bytes:
    """Something long, packed."""
    packed = zlib.compress(content, 9)
    return b"<< %s/Filter /FlateDecode /Length %d >>\nstream\n%s\nendstream" % (said, len(packed), packed)


def whole(parts: Sequence[bytes]) -> bytes:
    """The objects of a file with a table of where each of them begins."""
    out, places = bytearray(b"%PDF-1.4\n"), []
    for number, part in enumerate(parts, 1):
        places.append(b"%010d 00000 n \n" % len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, part)
    count = len(parts) + 1
    table = b"xref\n0 %d\n0000000000 65535 f \n%s" % (count, b"".join(places))
    end = b"trailer\n<< /Size %d /Root 1 0 R /Info 4 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (count, len(out))
    return bytes(out) + table + end
