// SPDX-License-Identifier: GPL-3.0-or-later
// Shows the window on a made-up run, to look at it: show-fixture [light|dark|contrast] [candidates] [screen] [WxH]
// [live]
#include "tests/ui/fixture.h"
#include "ui/shell/main_window.h"
#include "ui/shell/screens.h"
#include "ui/theme/theme.h"
#include "ui/welcome/new_session_page.h"

#include <QApplication>
#include <QTemporaryDir>
#include <QTimer>

using namespace tilewright;
using namespace Qt::StringLiterals;

int main(int argc, char** argv)
{
    QApplication app(argc, argv);
    const QStringList arguments = app.arguments();
    ui::Theme::instance().apply(ui::themeFromName(arguments.value(1)).value_or(ui::ThemeKind::Dark));
    QTemporaryDir folder;
    ui::Settings settings(folder.filePath(u"settings.ini"_s));
    test::FixtureRun run;
    run.grow(arguments.value(2, u"300"_s).toInt());
    test::RecordedDoor door;
    door.fixture = &run;
    ui::MainWindow window(door, settings);
    window.welcome().lookAround();
    const QStringList size = arguments.value(4, u"1680x1050"_s).split(u'x');
    window.resize(size.value(0).toInt(), size.value(1).toInt());
    window.show();
    const QString wanted = arguments.value(3, u"evolve"_s);
    QTimer::singleShot(50, &window, [&] {
        if (arguments.value(2) != u"0"_s)
            door.publish(run.snapshot());
        for (const ui::Screen& screen : ui::screens())
            if (screen.name == wanted)
                screen.show(window);
    });
    QTimer live;
    if (arguments.contains(u"live"_s)) {
        QObject::connect(&live, &QTimer::timeout, &window, [&] {
            run.grow(2);
            door.publish(run.snapshot());
        });
        live.start(100);
    }
    return app.exec();
}
