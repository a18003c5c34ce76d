// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/review/check_list.h"

#include "ui/models/figures.h"
#include "ui/models/format.h"
#include "ui/theme/icons.h"
#include "ui/theme/theme.h"
#include "ui/widgets/elided_label.h"

#include <QFrame>
#include <QHBoxLayout>
#include <QLabel>
#include <QVBoxLayout>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

struct CheckList::Line {
    bool isWarning = false;
    QString title, figure, detail;
};

namespace {

QStringList textsAt(const nlohmann::json& facts, const char* key)
{
    QStringList texts;
    if (facts.is_object() && facts.contains(key) && facts[key].is_array())
        for (const nlohmann::json& each : facts[key])
            if (each.is_string())
                texts << text(each.get<std::string>());
    return texts;
}

QStringList texts(const std::vector<std::string>& lines)
{
    QStringList all;
    for (const std::string& line : lines)
        all << text(line);
    return all;
}

} // namespace

CheckList::CheckList(QWidget* parent)
    : QWidget(parent)
    , m_column(new QVBoxLayout(this))
{
    m_column->setContentsMargins(0, 0, 0, 0);
    m_column->setSpacing(0);
    setObjectName(u"checkList"_s);
}

void CheckList::show(const RunState& run, const Candidate& candidate)
{
    const Review* review = run.review(candidate.review);
    if (candidate == m_shown && (review ? *review : Review{}) == m_review)
        return;
    m_shown = candidate;
    m_review = review ? *review : Review{};
    while (QLayoutItem* item = m_column->takeAt(0)) {
        if (item->widget())
            item->widget()->deleteLater();
        delete item;
    }
    const QStringList repairs = texts(candidate.repairs);
    add({!repairs.isEmpty(), tr("Applies to its parent"),
        repairs.isEmpty() ? tr("to the letter") : counted(repairs.size(), tr("%1 repair"), tr("%1 repairs")),
        repairs.join(u"\n"_s)});
    add({false, tr("Inside the EVOLVE-BLOCKs"), {}, {}});
    if (review)
        addReview(*review);
    else if (candidate.outcome != Outcome::None)
        add({isFailure(candidate), tr("Checks and measurement"), stateWords(candidate), {}});
}

void CheckList::addReview(const Review& review)
{
    const QStringList warnings = textsAt(review.facts, "warnings"), passed = textsAt(review.facts, "passed");
    add({!warnings.isEmpty(), tr("Builds"),
        warnings.isEmpty() ? tr("no warnings") : counted(warnings.size(), tr("%1 warning"), tr("%1 warnings")),
        warnings.join(u"\n"_s)});
    add({false, tr("First check"), counted(passed.size(), tr("%1 rule passed"), tr("%1 rules passed")),
        passed.join(u", "_s)});
    for (const std::string& risk : review.risks)
        add({true, tr("Risk: %1").arg(text(risk)), {}, {}});
    if (review.risks.empty())
        add({false, tr("Risks"), tr("none found"), {}});
}

void CheckList::add(const Line& line)
{
    auto* row = new QFrame(this);
    row->setProperty("role", u"row"_s);
    auto* across = new QHBoxLayout(row);
    across->setContentsMargins(px(12), px(6), px(12), px(6));
    across->setSpacing(px(10));
    auto* sign = new QLabel(row);
    const int side = px(15);
    sign->setPixmap(iconPixmap(line.isWarning ? u"warn"_s : u"check"_s,
        line.isWarning ? tokens().warning : tokens().good, side, devicePixelRatioF()));
    sign->setAccessibleName(line.isWarning ? tr("to be looked at") : tr("passed"));
    across->addWidget(sign, 0, Qt::AlignTop);
    auto* texts = new QVBoxLayout;
    texts->setSpacing(px(1));
    auto* head = new QHBoxLayout;
    auto* title = new QLabel(line.title, row);
    title->setTextFormat(Qt::PlainText);
    title->setWordWrap(true);
    head->addWidget(title, 1);
    if (!line.figure.isEmpty()) {
        auto* figure = new QLabel(line.figure, row);
        figure->setProperty("tone", line.isWarning ? u"warning"_s : u"secondary"_s);
        head->addWidget(figure);
    }
    texts->addLayout(head);
    if (!line.detail.isEmpty()) {
        auto* detail = new QLabel(line.detail, row);
        detail->setTextFormat(Qt::PlainText);
        detail->setWordWrap(true);
        detail->setFont(fontOf(Type::Secondary));
        detail->setProperty("tone", u"secondary"_s);
        texts->addWidget(detail);
    }
    across->addLayout(texts, 1);
    m_column->addWidget(row);
}

} // namespace tilewright::ui
