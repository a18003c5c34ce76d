#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""packaging/check-links: the documents of this checkout have no broken link, and each kind of broken link is reported."""
import pathlib, subprocess, sys, tempfile, unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


def check(folder):
    done = subprocess.run([sys.executable, str(ROOT / "packaging/check-links"), str(folder)], capture_output=True,
                          encoding="utf-8")
    return done.returncode, done.stdout.splitlines()


class Links(unittest.TestCase):
    def setUp(self):
        self.scratch = tempfile.TemporaryDirectory()
        self.addCleanup(self.scratch.cleanup)
        self.folder = pathlib.Path(self.scratch.name).resolve()
        (self.folder / "docs").mkdir()
        self.write("docs/guide.md", "# Guide\n\n## Two words: `code` & more\n\n## Twice\n\n## Twice\n\n"
                   "```\n## In a fence\n```\n\n<a id=\"own\"></a>\n")

    def write(self, name, text):
        (self.folder / name).write_text(text, encoding="utf-8")

    def found_in(self, readme):
        self.write("README.md", readme)
        return check(self.folder)

    def test_the_documents_of_this_checkout_have_no_broken_link(self):
        self.assertEqual(check(ROOT), (0, []))

    def test_links_that_hold_pass(self):
        self.assertEqual(self.found_in(
            "# Top\n[a](docs/guide.md) [b](docs) [c](#top) ![d](docs/guide.md \"title\") [e](<docs/guide.md>)\n"
            "[f](docs/guide.md#two-words-code--more) [g](docs/guide.md#twice-1) [h](docs/guide.md#own)\n"
            "[i](https://example.org/none) [j](mailto:a@example.org)\n\n[k]: docs/guide.md#guide\n"), (0, []))

    def test_a_missing_file_fails_with_its_line(self):
        self.assertEqual(self.found_in("# Top\n\nSee [this](docs/none.md).\n"),
                         (1, ["README.md:3: docs/none.md: there is no such file"]))

    def test_a_missing_heading_fails(self):
        self.assertEqual(self.found_in("[a](docs/guide.md#none)\n[b](#none)\n[c](docs/guide.md#twice-2)\n"),
                         (1, ["README.md:1: docs/guide.md#none: there is no such heading",
                              "README.md:2: #none: there is no such heading",
                              "README.md:3: docs/guide.md#twice-2: there is no such heading"]))

    def test_a_heading_in_a_code_fence_is_none(self):
        self.assertEqual(self.found_in("[a](docs/guide.md#in-a-fence)\n")[0], 1)

    def test_links_in_code_are_none(self):
        self.assertEqual(self.found_in("`[a](none.md)`\n\n```\n[b](none.md)\n```\n"), (0, []))

    def test_every_kind_of_link_is_checked(self):
        self.assertEqual(self.found_in("![a](none.png)\n<img src=\"none.svg\">\n[b]: none.md\n[c](DOCS/guide.md)\n[d](../x)\n"),
                         (1, ["README.md:1: none.png: there is no such file",
                              "README.md:2: none.svg: there is no such file",
                              "README.md:3: none.md: there is no such file",
                              "README.md:4: DOCS/guide.md: there is no such file",
                              "README.md:5: ../x: leads out of the checkout"]))

    def test_pages_in_docs_are_checked_from_their_own_folder(self):
        self.write("docs/other.md", "[a](guide.md) [b](docs/guide.md) [c](../README.md)\n")
        self.assertEqual(self.found_in("# Top\n"), (1, ["docs/other.md:1: docs/guide.md: there is no such file"]))

    def test_a_folder_without_documents_fails(self):
        (self.folder / "docs/guide.md").unlink()
        self.assertEqual(check(self.folder)[0], 1)


if __name__ == "__main__":
    unittest.main()
