#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What packaging/texts lists, and that its samples depend on the seed and the texts alone."""
import importlib.machinery, importlib.util, pathlib, subprocess, sys, unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.dont_write_bytecode = True
loader = importlib.machinery.SourceFileLoader("texts", str(ROOT / "packaging/texts"))
texts = importlib.util.module_from_spec(importlib.util.spec_from_loader("texts", loader))
loader.exec_module(texts)


def window(source):
    return [token.text for token in texts.window_texts(texts.tokens_of(source))]


def sentences(source):
    return [text for _, text in texts.sentences(texts.tokens_of(source))]


class Texts(unittest.TestCase):
    def test_window(self):
        self.assertEqual(window('show(tr("A \\"b\\" "  // "no"\n  "c.\\n"), u"id"_s);'), ['A "b" c.\n'])
        self.assertEqual(window('{"x/y", QT_TRANSLATE_NOOP("Rules", "one"), QT_TRANSLATE_NOOP("Rules", "two")}'), ["one", "two"])
        self.assertEqual(window('/* tr("no") */ attr("no"); R"(tr("no"))";'), [])

    def test_sums(self):
        self.assertEqual(sentences('fail("file/missing", "the file " + path.string() + " is missing", "name another");'),
                         ["file/missing", "the file … is missing", "name another"])
        self.assertEqual(sentences('text = name + " has " + counted(n, "a", "b") + "."s;'), ["… has ….", "a", "b"])

    def test_which_are_texts(self):
        for text in ("the file … is missing", "Run FILE again", "… needs a value"):
            self.assertTrue(texts.reads_as_text(text), text)
        for text in ("file/missing", "SELECT name FROM run", "#include <cmath>", "int a = 0;", "tune", "<p>one two</p>"):
            self.assertFalse(texts.reads_as_text(text), text)

    def test_samples(self):
        found = [("a.cpp", line, f"text {line}") for line in range(50)]
        some = texts.sample(found, 10, "seed")
        self.assertEqual([place[2] for place in some], [place[2] for place in texts.sample(found[::-1], 10, "seed")])
        self.assertNotEqual(some, texts.sample(found, 10, "another seed"))
        self.assertEqual(len({place[2] for place in some}), 10)

    def test_the_sources(self):
        for what in ("window", "cli"):
            listed = subprocess.run([ROOT / "packaging/texts", what, "--longer", "30", "--sample", "100", "--seed", "x"],
                                    capture_output=True, encoding="utf-8", check=True).stdout.splitlines()
            self.assertEqual(len(listed), 100)
            self.assertTrue(all(len(line.split("\t", 1)[1]) > 30 for line in listed))
        refused = subprocess.run([ROOT / "packaging/texts", "--sample", "3"], capture_output=True, encoding="utf-8")
        self.assertNotEqual(refused.returncode, 0)
        self.assertIn("--seed", refused.stderr)


unittest.main()
