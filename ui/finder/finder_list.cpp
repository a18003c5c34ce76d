// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/finder/finder_list.h"

#include "ui/finder/found_delegate.h"
#include "ui/models/format.h"
#include "ui/theme/icons.h"

#include <algorithm>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

namespace {

QString iconOf(Found::Kind kind)
{
    switch (kind) {
    case Found::Kind::Action:
    case Found::Kind::NotNow:
        return u"forward"_s;
    case Found::Kind::Place:
        return u"gear"_s;
    case Found::Kind::Candidate:
    case Found::Kind::Code:
        return u"fork"_s;
    case Found::Kind::BuildLog:
        return u"file"_s;
    case Found::Kind::Event:
        return u"info"_s;
    }
    return {};
}

/// The whole row, as it is read aloud.
QString wordsOf(const Found& found)
{
    QStringList words;
    const bool isText
        = found.kind == Found::Kind::Code || found.kind == Found::Kind::BuildLog || found.kind == Found::Kind::Event;
    if (isText && found.candidate)
        words << nameOfCandidate(found.candidate);
    words << found.text;
    if (found.island)
        words << FinderList::tr("island %1").arg(text(islandLetter(found.island)));
    if (!found.aside.isEmpty())
        words << found.aside;
    return words.join(u"   "_s);
}

} // namespace

FinderList::FinderList(QWidget* parent)
    : QListWidget(parent)
{
    setObjectName(u"finderList"_s);
    setAccessibleName(tr("Found"));
    setFocusPolicy(Qt::NoFocus); // the keys go to the box, and are handed on
    setItemDelegate(new FoundDelegate(this));
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setVerticalScrollMode(ScrollPerPixel);
    setMouseTracking(true);
}

QString FinderList::nameOf(Found::Kind kind)
{
    switch (kind) {
    case Found::Kind::Action:
        return tr("Actions");
    case Found::Kind::NotNow:
        return tr("Not possible now");
    case Found::Kind::Place:
        return tr("Settings");
    case Found::Kind::Candidate:
        return tr("Candidates");
    case Found::Kind::Code:
        return tr("Code");
    case Found::Kind::BuildLog:
        return tr("Build logs");
    case Found::Kind::Event:
        return tr("Event log");
    }
    return {};
}

void FinderList::restart()
{
    m_rows.clear();
    m_first.reset();
    m_isChosenByHand = false;
}

void FinderList::add(const std::vector<Found>& rows)
{
    for (const Found& row : rows) {
        std::vector<Found>& kind = m_rows[row.kind];
        // One that is named is told before the search has come to it.
        if (row.kind != Found::Kind::Candidate
            || std::ranges::find(kind, row.candidate, &Found::candidate) == kind.end())
            kind.push_back(row);
    }
}

void FinderList::addRemark(const QString& words)
{
    auto* item = new QListWidgetItem(words, this);
    item->setFlags(Qt::NoItemFlags);
}

void FinderList::addRow(const Found& found)
{
    auto* item = new QListWidgetItem(icon(iconOf(found.kind), Tint::Secondary), wordsOf(found), this);
    item->setData(FoundDelegate::foundRole, QVariant::fromValue(found));
}

void FinderList::addKind(Found::Kind kind, const std::optional<Found>& before, bool hasMore)
{
    const std::vector<Found>& rows = m_rows.at(kind);
    addRemark(nameOf(kind));
    for (const Found& row : rows) {
        addRow(row);
        if (before && row == *before)
            setCurrentRow(count() - 1);
    }
    if (hasMore)
        addRemark(tr("… more: the first %1 are shown").arg(rows.size()));
}

void FinderList::refresh(const std::set<Found::Kind>& more, const QString& remark)
{
    const std::optional<Found> before = m_isChosenByHand ? chosen() : std::nullopt;
    clear();
    if (m_first && m_rows.contains(*m_first))
        addKind(*m_first, before, more.contains(*m_first));
    for (const auto& [kind, rows] : m_rows)
        if (kind != m_first)
            addKind(kind, before, more.contains(kind));
    if (count() == 0 && !remark.isEmpty())
        addRemark(remark);
    if (!chosen())
        go(1);
}

void FinderList::mousePressEvent(QMouseEvent* event)
{
    QListWidget::mousePressEvent(event);
    m_isChosenByHand = true;
}

void FinderList::step(int by)
{
    go(by);
    m_isChosenByHand = true;
}

void FinderList::go(int by)
{
    int at = currentRow(), left = std::abs(by);
    const int direction = by < 0 ? -1 : 1;
    for (int row = at + direction; row >= 0 && row < count() && left > 0; row += direction)
        if (item(row)->flags().testFlag(Qt::ItemIsEnabled)) {
            at = row;
            --left;
        }
    if (at < 0 || at == currentRow())
        return;
    setCurrentRow(at);
    if (at == 1)
        scrollToTop(); // the first row's heading as well
}

std::optional<Found> FinderList::chosen() const
{
    const QListWidgetItem* item = currentItem();
    if (!item || !item->data(FoundDelegate::foundRole).isValid())
        return std::nullopt;
    return item->data(FoundDelegate::foundRole).value<Found>();
}

} // namespace tilewright::ui
