// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/gui_options.h"

#include <utility>

namespace tilewright::gui {

using namespace Qt::StringLiterals;

Result<Options> parseOptions(const QStringList& arguments)
{
    Options options;
    QString seconds, size;
    const std::pair<QString, QString*> withValue[] = {{u"--demo"_s, &options.demo},
        {u"--screenshot"_s, &options.screenshots}, {u"--session"_s, &options.session}, {u"--theme"_s, &options.theme},
        {u"--stall-log"_s, &options.stallLog}, {u"--quit-after"_s, &seconds}, {u"--size"_s, &size}};
    for (qsizetype i = 0; i < arguments.size(); ++i) {
        const QString& word = arguments[i];
        if (word == u"--help"_s || word == u"-h"_s) {
            options.help = true;
        } else if (word == u"--version"_s) {
            options.version = true;
        } else if (word.startsWith(u"-"_s)) {
            const QString name = word.section(u'=', 0, 0);
            QString* value = nullptr;
            for (const auto& [known, place] : withValue)
                if (known == name)
                    value = place;
            if (!value)
                return fail(
                    "usage/option", "Unknown option " + name.toStdString() + ".", "tilewright --help lists them");
            if (word.contains(u'='))
                *value = word.section(u'=', 1);
            else if (++i < arguments.size())
                *value = arguments[i];
            if (value->isEmpty())
                return fail("usage/value", name.toStdString() + " needs a value.", "tilewright --help");
        } else if (options.file.isEmpty()) {
            options.file = word;
        } else {
            return fail("usage/files", "Only one session file can be opened.", "start the program once for each");
        }
    }
    if (options.theme == u"high-contrast"_s) // as the menu calls it
        options.theme = u"contrast"_s;
    if (!options.theme.isEmpty() && !QStringList{u"light"_s, u"dark"_s, u"contrast"_s}.contains(options.theme))
        return fail(
            "usage/theme", "--theme takes light, dark or high-contrast, not " + options.theme.toStdString() + ".");
    if ((!options.file.isEmpty() || !options.session.isEmpty()) && !options.demo.isEmpty())
        return fail("usage/demo", "Give a session file or --demo, not both.");
    if (!options.session.isEmpty() && options.screenshots.isEmpty())
        return fail("usage/session", "--session requires --screenshot.", "to open a session, give only its file");
    if (!size.isEmpty()) {
        const QSize wanted(size.section(u'x', 0, 0).toInt(), size.section(u'x', 1).toInt());
        if (options.screenshots.isEmpty() || wanted.width() < 1024 || wanted.height() < 600 || wanted.width() > 8192
            || wanted.height() > 8192)
            return fail(
                "usage/size", "--size takes WIDTHxHEIGHT from 1024x600 to 8192x8192 and requires --screenshot.");
        options.size = wanted;
    }
    bool number = true;
    if (!seconds.isEmpty())
        options.quitAfter = seconds.toDouble(&number);
    if (!number || options.quitAfter < 0)
        return fail("usage/quit-after", "--quit-after takes a number of seconds.");
    return options;
}

QString helpText()
{
    return uR"(tilewright: a workbench in which compute kernels are evolved and an engineer steers.

Usage: tilewright [FILE] [options]

  FILE                  session to open (NAME.tilewright); of one that cannot be opened a line here tells why, and no
                        window comes up
  --demo NAME           open a copy of a recorded demo: gemm-cpu, gemm-steps (one kernel in ten steps), or gemm-h200, to look at
                        where there is no such GPU; or begin a guided demo of the lab: strassen, scheme-to-kernel, tiles, game
                        or kernel
  --theme THEME         light, dark or high-contrast
  --screenshot DIR      write one PNG a screen into DIR and leave; needs no display
  --size WxH            size of the screenshots (1680x1050)
  --session FILE        session shown on the screenshots (a copy is opened); without it that of FILE or --demo, or the
                        demo of a GPU
  --stall-log FILE      at the end, write how long inputs would have waited, as JSON
  --quit-after SECONDS  close by itself; for measurements
  --version             print the version
  --help                print this

Exit codes: 0 done, 1 internal, 2 usage or invalid input file, 6 display or file missing.
)"_s;
}

} // namespace tilewright::gui
