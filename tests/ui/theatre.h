// SPDX-License-Identifier: GPL-3.0-or-later
// A window on a made-up run, with settings of its own.
#pragma once

#include "tests/ui/fixture.h"
#include "ui/shell/main_window.h"

#include <QTemporaryDir>

namespace tilewright::test {

struct Theatre {
    QTemporaryDir folder;
    ui::Settings settings{folder.filePath(QStringLiteral("settings.ini"))};
    FixtureRun run;
    RecordedClient client;
    std::unique_ptr<ui::MainWindow> window;

    explicit Theatre(int candidates = 120)
    {
        run.grow(candidates);
        client.fixture = &run;
        window = std::make_unique<ui::MainWindow>(client, settings);
        window->resize(1680, 1050);
        window->show();
    }
    void open() { client.publish(run.snapshot()); }
    template <typename T> T* find(const QString& name) const { return window->findChild<T*>(name); }
};

} // namespace tilewright::test
