// SPDX-License-Identifier: GPL-3.0-or-later
// Who a candidate is: name, island, generation, states, parents, what the edit did and why. GUI thread.
#pragma once

#include "core/model/run_state.h"
#include "ui/session/view_context.h"
#include "ui/widgets/action_bar.h"

#include <QWidget>
#include <vector>

class QLabel;

namespace tilewright::ui {

class Badge;
class Pill;

class InspectorHeader : public QWidget
{
    Q_OBJECT

public:
    explicit InspectorHeader(QWidget* parent = nullptr);
    void show(const RunState& run, const Candidate& candidate);
    /// Another became the best while this one, which was it, is read; none: nothing is said.
    void tellNewBest(const Candidate* best);
    /// Whether others are compared with it, as a user chose; by this key another one is chosen.
    void tellReference(bool isReference, const QString& key);

Q_SIGNALS:
    void chosen(tilewright::CandidateId candidate);
    void referenceLeft(); ///< each is to be compared with its parent again

private:
    void showEdit(const RunState& run, const Candidate& candidate);

    QLabel* m_name;
    Badge* m_badge;
    Pill *m_best, *m_state;
    QLabel *m_newBest, *m_reference, *m_parents, *m_edited, *m_change, *m_reason, *m_judged, *m_marks, *m_disputed;
};

// What is done most often to the candidate that is looked at, at the foot of its page; the rest stands in its menu.
// Where the page is narrow the buttons with the longest words show their signs alone. GUI thread.

class InspectorActions : public ActionBar
{
    Q_OBJECT

public:
    explicit InspectorActions(const ViewContext& context, QWidget* parent = nullptr);
    QSize minimumSizeHint() const override; ///< with signs alone

Q_SIGNALS:
    /// The menu is wanted at this place of the screen.
    void menuRequested(const QPoint& global);

protected:
    void resizeEvent(QResizeEvent* event) override;
    bool event(QEvent* event) override;

private:
    struct Offer {
        QPushButton* button;
        QString words;
    };
    void fit();
    void offer(const ViewContext& context, const QString& action, const QString& sign, const QString& words);

    std::vector<Offer> m_offers;
};

} // namespace tilewright::ui
