// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/review/automatic_note.h"

#include "core/engine/snapshot.h"
#include "ui/models/display_text.h"
#include "ui/theme/theme.h"

#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

AutomaticNote::AutomaticNote(QWidget* parent)
    : QFrame(parent)
{
    setObjectName(u"automaticNote"_s);
    auto* words = new QLabel(tr("Edits are measured without a review. With the policy “%1”, each waits here first.")
                                 .arg(ui::words(ReviewPolicy::Every)),
        this);
    words->setWordWrap(true);
    words->setFont(fontOf(Type::Secondary));
    auto* set = new QPushButton(tr("Set “%1”").arg(ui::words(ReviewPolicy::Every)), this);
    set->setObjectName(u"letEveryWait"_s);
    set->setProperty("kind", u"small"_s);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(px(12), px(6), px(12), px(10));
    column->setSpacing(px(6));
    column->addWidget(words);
    column->addWidget(set, 0, Qt::AlignLeft);
    connect(set, &QPushButton::clicked, this, &AutomaticNote::everyWanted);
    hide();
}

void AutomaticNote::follow(const Snapshot& snapshot)
{
    const bool asks
        = std::ranges::any_of(snapshot.run.settings.review, [](const auto& each) { return each.second.canAsk(); });
    const EngineStatus& status = snapshot.status;
    setVisible(status.sessionOpen && !status.readOnly && !asks && snapshot.run.waitingReviews == 0);
}

} // namespace tilewright::ui
