#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""lupdate finds the texts of the window, each in the context in which the program looks it up.

  test_lupdate.py LUPDATE ROOT

A text in another context would stay English in every translation: in a class without Q_OBJECT or
Q_DECLARE_TR_FUNCTIONS, or where lupdate does not know the class whose tr() is called. In particular it takes a constant
such as `constexpr std::size_t most = 2;` for the beginning of the next function, which is then one of std.
"""
import pathlib
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as xml

lupdate, root = sys.argv[1], pathlib.Path(sys.argv[2])
SPOKEN = {"QObject", "Report", "RuleWords", "tilewright::ui", "tilewright::gui"}  # of free functions, and named in translate()
FEWEST = 2500

with tempfile.TemporaryDirectory() as folder:
    found = pathlib.Path(folder) / "texts.ts"
    subprocess.run([lupdate, "-silent", "-extensions", "cpp,h", "-no-obsolete", "-I", str(root), "-recursive",
                    str(root / "ui"), str(root / "app/gui"), "-ts", str(found)],
                   check=True, stderr=subprocess.DEVNULL)
    contexts = {each.findtext("name"): each for each in xml.parse(found).getroot().iter("context")}

translatable = set()
for path in [*root.glob("ui/**/*.h"), *root.glob("ui/**/*.cpp"), *root.glob("app/gui/*.h"), *root.glob("app/gui/*.cpp")]:
    text = path.read_text(encoding="utf-8")
    translatable.update(re.findall(r"\b(?:class|struct) (\w+)[^;{]*\{\s*Q_OBJECT", text))
    translatable.update(re.findall(r"Q_DECLARE_TR_FUNCTIONS\((?:tilewright::ui::)?(\w+)\)", text))

wrong = []
for name, context in contexts.items():
    if name in SPOKEN or (name.startswith("tilewright::") and name.rsplit("::", 1)[1] in translatable):
        continue
    place = context.find("message/location")
    wrong.append(f"{name}: {context.findtext('message/source')!r} ({place.get('filename') if place is not None else '?'})")
texts = sum(len(each.findall("message")) for each in contexts.values())
if wrong:
    sys.exit("in a context that the program does not look in:\n  " + "\n  ".join(wrong))
if texts < FEWEST:
    sys.exit(f"lupdate found {texts} texts; at least {FEWEST} are there")
print(f"{texts} texts in {len(contexts)} contexts")
