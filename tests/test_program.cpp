// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/test_program.h"

#include <QFileInfo>
#include <cstdio>
#include <map>

#ifdef QT_WIDGETS_LIB
#include "ui/theme/theme.h"

#include <QApplication>
#include <QTemporaryDir>
#endif

namespace tilewright::test {
namespace {

std::map<QString, TestRun>& testsOfProgram()
{
    static std::map<QString, TestRun> tests; // filled before main() begins
    return tests;
}

} // namespace

InProgram::InProgram(const char* file, TestRun run)
{
    testsOfProgram().emplace(
        QFileInfo(QString::fromUtf8(file)).completeBaseName().replace(QLatin1Char('_'), QLatin1Char('-')), run);
}

} // namespace tilewright::test

int main(int argc, char** argv)
{
    using namespace tilewright;
#ifdef QT_WIDGETS_LIB
    const QTemporaryDir data; // the user's own sessions and packs are not looked at
    qputenv("XDG_DATA_HOME", data.path().toLocal8Bit());
    const QApplication app(argc, argv);
    ui::Theme::instance().apply(ui::ThemeKind::Dark);
#else
    const QCoreApplication app(argc, argv);
#endif
    QStringList arguments = QCoreApplication::arguments();
    const std::map<QString, test::TestRun>& tests = test::testsOfProgram();
    const auto wanted = tests.find(arguments.value(1));
    if (wanted == tests.end()) {
        std::fprintf(stderr, "usage: %s TEST [arguments of Qt Test]; the tests are:\n", argv[0]);
        for (const auto& [name, run] : tests)
            std::fprintf(stderr, "  %s\n", qPrintable(name));
        return 2;
    }
    arguments.removeAt(1);
    return wanted->second(arguments);
}
