// SPDX-License-Identifier: GPL-3.0-or-later
// The window at its Review screen, with candidates that wait: the first without a risk, the others with two.
#pragma once

#include "tests/patience.h"
#include "tests/ui/theatre.h"
#include "ui/diff/split_diff.h"
#include "ui/review/review_page.h"
#include "ui/widgets/code_view.h"

#include <QTest>

namespace tilewright::test {

struct ReviewStage : Theatre {
    std::vector<CandidateId> waiting;

    explicit ReviewStage(int reviews = 3)
        : Theatre(20)
    {
        for (int i = 0; i < reviews; ++i)
            waiting.push_back(run.awaitReview(
                i == 0 ? std::vector<std::string>{} : std::vector<std::string>{"57 changed lines", "touches casts"}));
        open();
        window->showMode(ui::Mode::Review);
    }
    /// Of this screen's diff; others have columns of the same names.
    ui::CodeView* column(const QString& name) const
    {
        return find<ui::SplitDiff>(QStringLiteral("reviewDiff"))->findChild<ui::CodeView*>(name);
    }
    ui::ReviewPage& page() { return window->review(); }
    QString name(std::size_t i) const { return QString::fromStdString(candidateName(waiting[i])); }
    void press(Qt::Key key, Qt::KeyboardModifiers with = Qt::NoModifier)
    {
        window->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(window.get(), patience));
        window->centralWidget()->setFocus();
        QTest::keyClick(window.get(), key, with);
    }
    /// The person's word has reached the engine.
    void decided(CandidateId candidate, Decision decision, const std::string& reason = {}, CandidateId edited = {})
    {
        run.decide(candidate, decision, reason, edited);
        open();
    }
};

} // namespace tilewright::test
