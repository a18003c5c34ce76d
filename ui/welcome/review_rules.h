// SPDX-License-Identifier: GPL-3.0-or-later
// Which candidates of a new session wait for a person before they are measured, and how many at most. GUI thread.
#pragma once

#include "ui/welcome/session_choices.h"

#include <QWidget>
#include <vector>

class QGridLayout;
class QLabel;

namespace tilewright::ui {

class ChoiceCard;
class LimitBox;

class ReviewRules : public QWidget
{
    Q_OBJECT

public:
    explicit ReviewRules(QWidget* parent = nullptr);
    /// What holds for who proposes, as long as nobody chose.
    void show(const SessionChoices& choices);
    /// These from now on; no policy: what fits who proposes.
    void take(std::optional<ReviewPolicies> policies, int limit);
    /// Writes policy and limit.
    void read(SessionChoices& choices) const;

Q_SIGNALS:
    void changed();

private:
    /// What happens once so many wait.
    void sayWhatComes(const ReviewPolicies& held);
    void add(const ReviewPolicies& policies, const QString& name, const QString& title, const QString& about,
        const QString& icon);

    std::vector<std::pair<ReviewPolicies, ChoiceCard*>> m_cards; ///< first: those that differ by proposer
    QGridLayout* m_grid; ///< two cards in a row
    LimitBox* m_limit;
    QLabel* m_words; ///< behind the limit: what happens then
    QLabel* m_fewer; ///< why at first fewer may wait than that
    std::optional<ReviewPolicies> m_policies; ///< that the user chose
    bool m_showing = false; ///< what is shown is nobody's choice
};

} // namespace tilewright::ui
