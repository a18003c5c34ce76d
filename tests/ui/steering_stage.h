// SPDX-License-Identifier: GPL-3.0-or-later
// A window on a run with a measured candidate selected, and the hand that answers what its steering commands ask.
#pragma once

#include "tests/ui/theatre.h"

#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTest>

namespace tilewright::test {

struct SteeringStage : Theatre {
    CandidateId shown;

    SteeringStage()
        : Theatre(60)
    {
        open();
        for (const Candidate& candidate : run.state().candidates)
            if (candidate.isRanked() && candidate.isOver() && !candidate.parents.empty() && !candidate.migrated)
                shown = candidate.id;
        window->selection().select(shown);
    }
    QAction& action(const QString& id) { return window->actions()[id]; }
    void answer(const QString& words)
    {
        auto* field = window->findChild<QWidget*>(QStringLiteral("askField"));
        if (auto* line = qobject_cast<QLineEdit*>(field))
            line->setText(words);
        else if (auto* text = qobject_cast<QPlainTextEdit*>(field))
            text->setPlainText(words);
        QTest::mouseClick(find<QPushButton>(QStringLiteral("askAccept")), Qt::LeftButton);
        // It deletes itself; the next question is another box.
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    }
    void mark(const Marks& marks)
    {
        run.record(events::Marked{shown, marks});
        open();
    }
    template <typename T> T last() { return std::get<T>(client.candidateCommands.back()); }
};

} // namespace tilewright::test
