// SPDX-License-Identifier: GPL-3.0-or-later
// The page of a new session with the task packs of this tree, and a file of its own chosen.
#pragma once

#include "tests/ui/theatre.h"
#include "ui/welcome/new_session_page.h"

#include <QComboBox>
#include <QLineEdit>
#include <QTest>

namespace tilewright::test {

using namespace Qt::StringLiterals;

struct SetUp : Theatre {
    SetUp()
        : Theatre(0)
    {
        window->showScreen(u"welcome"_s);
        window->welcome().tasks().show(findTaskPacks());
        auto* file = find<QLineEdit>(u"sessionFile"_s);
        file->selectAll();
        QTest::keyClicks(file, folder.filePath(u"mine.tilewright"_s));
    }
    void chooseAim(const QString& island, const QString& words) const { choose(u"aimOf:"_s + island, words); }
    void choose(const QString& name, const QString& words) const
    {
        auto* box = find<QComboBox>(name);
        const int at = box->findText(words);
        QVERIFY2(at >= 0, qPrintable(words));
        box->setCurrentIndex(at);
        Q_EMIT box->activated(at);
    }
    const ui::SessionChoices& choices() const { return window->welcome().choices(); }
};

} // namespace tilewright::test
