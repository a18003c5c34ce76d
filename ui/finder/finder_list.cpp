// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/finder/finder_list.h"

#include "ui/finder/finder_query.h"
#include "ui/models/display_text.h"
#include "ui/theme/theme.h"
#include "ui/widgets/paint.h"

#include <QIcon>
#include <QPainter>
#include <QTextLayout>
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
    setAccessibleName(tr("Results"));
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
        return tr("Not available now");
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

namespace {

/// The text in one line, so that what matched in it is seen: where it does not fit, its begin gives way.
void drawMatch(QPainter& painter, const QRectF& area, const QFont& font, const Found& found)
{
    QString shown = found.text;
    int start = found.start;
    const QFontMetricsF metrics(font);
    const int ahead = 12; // signs that are still seen before what matched
    if (start > ahead && metrics.horizontalAdvance(shown.left(start + found.length)) > area.width() * 0.9) {
        shown = u"…"_s + shown.mid(start - ahead);
        start = ahead + 1;
    }
    const double widest = area.width() - metrics.averageCharWidth(); // bold is a little wider
    if (metrics.horizontalAdvance(shown) > widest)
        shown = metrics.elidedText(shown, Qt::ElideRight, widest);
    QTextLayout layout(shown, font);
    if (found.length > 0) {
        QTextCharFormat strong;
        strong.setFontWeight(QFont::Bold);
        strong.setFontUnderline(true);
        layout.setFormats({{start, found.length, strong}});
    }
    QTextOption option;
    option.setWrapMode(QTextOption::NoWrap);
    layout.setTextOption(option);
    layout.beginLayout();
    layout.createLine();
    layout.endLayout();
    painter.save();
    painter.setClipRect(area);
    layout.draw(&painter, {area.left(), area.center().y() - layout.boundingRect().height() / 2});
    painter.restore();
}

} // namespace

QSize FoundDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    const int least = index.data(foundRole).isValid() ? px(26) : px(24);
    return {px(100), std::max(least, QFontMetrics(option.font).height() + px(8))};
}

void FoundDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    const QVariant data = index.data(foundRole);
    const Tokens& t = tokens();
    if (!data.isValid()) {
        painter->save();
        painter->setFont(fontOf(Type::Secondary));
        painter->setPen(t.secondary);
        drawElided(*painter, option.rect.adjusted(px(8), 0, -px(8), 0), Qt::AlignLeft | Qt::AlignVCenter,
            index.data().toString());
        painter->restore();
        return;
    }
    const auto found = data.value<Found>();
    painter->save();
    paintGround(*painter, option);
    QRectF area = option.rect.adjusted(px(8), 0, -px(8), -1);
    const int side = px(14);
    const QRect iconPlace(static_cast<int>(area.left()), static_cast<int>(area.center().y()) - side / 2, side, side);
    if (found.island)
        drawBadge(*painter, QRectF(area.left() - 1, area.center().y() - px(7.5), px(16), px(16)), found.island);
    else
        qvariant_cast<QIcon>(index.data(Qt::DecorationRole)).paint(painter, iconPlace);
    area.setLeft(area.left() + side + px(8));
    const QFont small = fontOf(Type::Secondary);
    if (!found.aside.isEmpty()) {
        painter->setFont(small);
        painter->setPen(t.secondary);
        const double width = std::min(QFontMetricsF(small).horizontalAdvance(found.aside) + 1, area.width() * 0.5);
        const QRectF right(area.right() - width, area.top(), width, area.height());
        drawElided(*painter, right, Qt::AlignRight | Qt::AlignVCenter, found.aside);
        area.setRight(right.left() - px(10));
    }
    const bool isText
        = found.kind == Found::Kind::Code || found.kind == Found::Kind::BuildLog || found.kind == Found::Kind::Event;
    if (isText && found.candidate) {
        const QFont mono = fontOf(Type::Mono);
        const QString name = nameOfCandidate(found.candidate);
        painter->setFont(mono);
        painter->setPen(t.secondary);
        painter->drawText(area, Qt::AlignLeft | Qt::AlignVCenter, name);
        area.setLeft(area.left() + QFontMetricsF(mono).horizontalAdvance(name) + px(10));
    }
    painter->setPen(found.kind == Found::Kind::NotNow ? t.disabled : found.isMore ? t.secondary : t.text);
    const bool isCode = (found.kind == Found::Kind::Code || found.kind == Found::Kind::BuildLog) && !found.isMore;
    drawMatch(*painter, area, fontOf(isCode ? Type::Code : Type::Body), found);
    painter->restore();
}

} // namespace tilewright::ui
