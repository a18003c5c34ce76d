// SPDX-License-Identifier: GPL-3.0-or-later
// The window at its Review screen, with candidates that wait: the first without a risk, the others with two.
#pragma once

#include "tests/patience.h"
#include "tests/ui/theatre.h"
#include "ui/diff/split_diff.h"
#include "ui/review/review_page.h"
#include "ui/review/shortcut_guard.h"
#include "ui/widgets/code_view.h"

#include <QLabel>
#include <QTest>
#include <chrono>

namespace tilewright::test {

struct ReviewStage : Theatre {
    std::vector<CandidateId> waiting;
    std::chrono::milliseconds time{}; ///< of the letters that are orders: it stands still

    explicit ReviewStage(int reviews = 3)
        : Theatre(20)
    {
        for (int i = 0; i < reviews; ++i)
            waiting.push_back(run.awaitReview(
                i == 0 ? std::vector<std::string>{} : std::vector<std::string>{"57 changed lines", "touches casts"}));
        open();
        window->showScreen(QStringLiteral("review"));
        letters().setClock([this] { return time; });
    }
    ui::ShortcutGuard& letters() const { return *window->findChild<ui::ShortcutGuard*>(); }
    void pass(std::chrono::milliseconds span)
    {
        time += span;
        letters().look();
    }
    /// Of this screen's diff; others have columns of the same names.
    ui::CodeView* column(const QString& name) const
    {
        return find<ui::SplitDiff>(QStringLiteral("reviewDiff"))->findChild<ui::CodeView*>(name);
    }
    /// Every line of the checks that is seen.
    QStringList checksSaid() const
    {
        QStringList all;
        for (const QLabel* label : find<QWidget>(QStringLiteral("checkList"))->findChildren<QLabel*>())
            if (label->isVisible())
                all << label->text();
        return all;
    }
    ui::ReviewPage& page() { return window->review(); }
    QString name(std::size_t i) const { return QString::fromStdString(candidateName(waiting[i])); }
    void press(Qt::Key key, Qt::KeyboardModifiers with = Qt::NoModifier)
    {
        window->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(window.get(), patience));
        window->centralWidget()->setFocus();
        letters().rest(); // as a user who reads before each word …
        QTest::keyClick(window.get(), key, with);
        letters().rest(); // … and after it
    }
    /// The next key at once after the one before.
    void pressFast(Qt::Key key) { QTest::keyClick(window.get(), key); }
    /// The engine took the word on it back: it waits anew.
    void takenBack(CandidateId candidate)
    {
        const Review before = *run.state().review(run.state().candidate(candidate)->review);
        run.record(events::ReviewUndone{before.id});
        if (!before.isWaiting())
            run.record(events::ReviewAsked{
                {static_cast<std::int64_t>(run.state().reviews.size()) + 1}, candidate, before.risks, before.facts});
        open();
    }
    /// A user's text in the place of one that waits; nothing was done with it yet.
    CandidateId writtenFor(CandidateId candidate)
    {
        Candidate made = *run.state().candidate(candidate);
        made.id = {static_cast<std::int64_t>(run.state().candidates.size()) + 1};
        made.stage = Stage::Queued;
        made.review = {};
        made.source = made.program = sha256("the text of a user");
        run.record(events::CandidateMade{made});
        return made.id;
    }
    /// The user's word has reached the engine.
    void decided(CandidateId candidate, Decision decision, const std::string& reason = {}, CandidateId edited = {})
    {
        run.decide(candidate, decision, reason, edited);
        open();
    }
};

} // namespace tilewright::test
