// SPDX-License-Identifier: GPL-3.0-or-later
// How long until the diff of two long programs is on screen, and until it has its colours: bench-diff [lines]. Where
// the limit is missed the exit code is 1.
#include "core/base/random.h"
#include "tests/bench/limits.h"
#include "ui/code/colouring.h"
#include "ui/diff/split_diff.h"
#include "ui/theme/theme.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QEventLoop>
#include <QTextBlock>
#include <QTextLayout>
#include <algorithm>
#include <cstdio>

using namespace tilewright;
using namespace tilewright::ui;
using namespace Qt::StringLiterals;

namespace {

constexpr double limitMs = 150;
constexpr int rounds = 9;

QString programOf(int lines, std::uint64_t version)
{
    QString text;
    for (int i = 0; i < lines; ++i) {
        CounterRandom random(7, static_cast<std::uint64_t>(i), 1);
        const double kind = random.uniform();
        CounterRandom edit(version, static_cast<std::uint64_t>(i), 2);
        const int number = static_cast<int>(random.uniform() * 100) + (edit.uniform() < 0.02 * double(version) ? 1 : 0);
        text += kind < 0.2 ? u"    // step %1 of the loop over the panels\n"_s.arg(number)
            : kind < 0.5   ? u"    float c%1 = load(a.A, %2 * BM + threadIdx.x);\n"_s.arg(i).arg(number)
            : kind < 0.8   ? u"    for (int k = 0; k < %1; ++k) acc[k] += tile[k + %1] * 0.5f;\n"_s.arg(number)
                           : u"    if (k < %1) return;\n"_s.arg(number);
    }
    return text;
}

bool isColoured(const CodeView& view)
{
    for (QTextBlock block = view.document()->begin(); block.isValid(); block = block.next())
        if (!block.layout()->formats().isEmpty())
            return true;
    return false;
}

void print(const char* what, std::vector<double> ms)
{
    std::ranges::sort(ms);
    std::printf("%-24s median %6.1f ms, worst %6.1f ms\n", what, ms[ms.size() / 2], ms.back());
}

} // namespace

int main(int argc, char** argv)
{
    QApplication app(argc, argv);
    Theme::instance().apply(ThemeKind::Dark);
    Colouring::instance().use(QStringLiteral(TILEWRIGHT_BIN_DIR) + u"/tilewright-highlight"_s, std::chrono::minutes(1));
    const int lines = argc > 1 ? std::atoi(argv[1]) : 5000;
    SplitDiff diff;
    diff.setUnchanged(SplitDiff::Unchanged::Shown);
    diff.setLongLines(SplitDiff::LongLines::Wrapped); // as in Review
    diff.resize(1400, 800);
    diff.setVisible(true);
    std::vector<double> shown, painted, coloured;
    for (int round = 0; round < rounds; ++round) {
        const QString before = programOf(lines, 0), after = programOf(lines, static_cast<std::uint64_t>(round) + 1);
        QElapsedTimer timer;
        QEventLoop loop;
        const auto moved = QObject::connect(&diff, &SplitDiff::moved, &loop, &QEventLoop::quit);
        timer.start();
        diff.show(before, after);
        loop.exec();
        QObject::disconnect(moved);
        shown.push_back(static_cast<double>(timer.nsecsElapsed()) / 1e6);
        diff.grab();
        painted.push_back(static_cast<double>(timer.nsecsElapsed()) / 1e6);
        const auto* right = diff.findChild<CodeView*>(u"diffAfter"_s);
        while (!isColoured(*right))
            QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
        coloured.push_back(static_cast<double>(timer.nsecsElapsed()) / 1e6);
    }
    std::printf("diff of two programs of %d lines, %d rounds, colours by %s\n", lines, rounds,
        Colouring::instance().isByProcess() ? "tilewright-highlight" : "our own reader");
    print("texts in the views", shown);
    print("painted", painted);
    std::printf(
        "%-24s %6.0f ms  %s\n", "limit for the worst", limitMs, bench::limits.hold(std::ranges::max(painted), limitMs));
    print("coloured", coloured);
    return bench::limits.exitCode();
}
