// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/evolve/migration_footer.h"

#include "core/evolve/migration.h"
#include "ui/evolve/fitness_data.h"
#include "ui/models/display_text.h"
#include "ui/theme/theme.h"
#include "ui/widgets/paint.h"

#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <cmath>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

MigrationFooter::MigrationFooter(QWidget* parent)
    : QWidget(parent)
{
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    setAccessibleName(tr("Migration between islands"));
}

QSize MigrationFooter::sizeHint() const { return {px(240), px(m_islands.size() > mostInARow ? 106 : 88)}; }

namespace {

/// "last: c-0012, B → E".
QString lastMigrant(const RunState& run)
{
    for (std::size_t i = run.migrations.size(); i-- > 0;) {
        const MigrationMark& migration = run.migrations[i];
        const Candidate *from = run.candidate(migration.from), *copy = run.candidate(migration.copy);
        if (!from || !copy || copy->takenBack || migration.byOrder)
            continue;
        return MigrationFooter::tr("last: %1, %2 → %3")
            .arg(nameOfCandidate(from->id), text(islandLetter(from->island)), text(islandLetter(migration.to)));
    }
    return MigrationFooter::tr("no migration yet");
}

/// "next: B after 2 more", members that is; empty where nobody travels.
QString nextMigrant(const RunState& run)
{
    const MigrationPlan& plan = run.settings.migration;
    const Island* next = nullptr;
    std::int64_t least = 0;
    for (const Island& island : run.islands) {
        const std::int64_t left = plan.interval - (island.admissions - island.lastMigration);
        if (island.standing == Standing::Living && (!next || left < least) && !migrationTargets(run, island).empty()) {
            next = &island;
            least = left;
        }
    }
    if (!next)
        return {};
    const QString letter = text(islandLetter(next->id));
    return least > 1 ? MigrationFooter::tr("next: %1 after %2 more").arg(letter, grouped(least))
        : least == 1 ? MigrationFooter::tr("next: %1 after one more").arg(letter)
                     : MigrationFooter::tr("next: %1 with its next member").arg(letter);
}

} // namespace

void MigrationFooter::show(SnapshotPtr snapshot)
{
    m_snapshot = std::move(snapshot);
    const RunState& run = m_snapshot->run;
    const std::size_t before = m_islands.size();
    m_islands.clear();
    for (const Island& island : run.islands)
        if (island.standing != Standing::Ended)
            m_islands.push_back(island.id);
    if ((before > mostInARow) != (m_islands.size() > mostInARow))
        updateGeometry();
    m_last = lastMigrant(run);
    m_next = nextMigrant(run);
    QStringList said{text(wordsOf(run.settings.migration)), m_last};
    if (!m_next.isEmpty())
        said << m_next;
    setAccessibleDescription(said.join(u"; "_s));
    setToolTip(tr("Migration: %1").arg(text(wordsOf(run.settings.migration))));
    update();
}

void MigrationFooter::paintEvent(QPaintEvent*)
{
    if (!m_snapshot)
        return;
    const Tokens& t = tokens();
    QPainter painter(this);
    painter.fillRect(rect(), t.panel);
    painter.fillRect(0, 0, width(), 1, t.border);
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF box = QRectF(rect()).adjusted(px(14), px(8), -px(14), -px(6));
    painter.setFont(fontOf(Type::Strong));
    painter.setPen(t.secondary);
    const QRectF head(box.left(), box.top(), box.width(), px(18));
    const QString title = tr("Migration");
    painter.drawText(head, Qt::AlignLeft | Qt::AlignVCenter, title);
    const int taken = painter.fontMetrics().horizontalAdvance(title) + px(14);
    painter.setFont(fontOf(Type::Secondary));
    drawElided(
        painter, head.adjusted(taken, 0, 0, 0), Qt::AlignRight | Qt::AlignVCenter, m_next.isEmpty() ? m_last : m_next);
    const MigrationPlan& plan = m_snapshot->run.settings.migration;
    if (m_islands.size() < 2)
        return;
    const QRectF rest(box.left(), head.bottom() + px(8), box.width(), box.bottom() - head.bottom() - px(8));
    if (plan.ways == MigrationPlan::Ways::Off) {
        painter.setPen(t.text);
        drawElided(painter, rest.adjusted(0, -px(2), 0, 0), Qt::AlignLeft | Qt::AlignVCenter, tr("off"));
        return;
    }
    const Ring ring = ringIn(rest.adjusted(px(8), 0, -px(8), 0));
    if (plan.ways == MigrationPlan::Ways::Drawn) {
        drawWays(painter, ring, plan.edges);
        return;
    }
    drawRing(painter, ring);
    painter.setFont(fontOf(Type::Tick));
    painter.setPen(t.secondary);
    if (m_islands.size() > mostInARow) {
        drawElided(painter, QRectF(box.left(), box.bottom() - px(16), box.width(), px(16)), Qt::AlignCenter, m_last);
        return;
    }
    // Who travelled last, upon the way back.
    const QRectF first = ring.places.front(), last = ring.places.back();
    const qreal room = last.center().x() - first.center().x() - px(16);
    const qreal wide = std::min<qreal>(painter.fontMetrics().horizontalAdvance(m_last) + px(10), room);
    const QRectF words(rest.center().x() - wide / 2, first.bottom() + px(2), wide, px(16));
    painter.fillRect(words, t.panel);
    drawElided(painter, words, Qt::AlignCenter, m_last);
}

/// One row with the way back below it; of many islands the second half stands in that way back.
MigrationFooter::Ring MigrationFooter::ringIn(const QRectF& area) const
{
    const std::size_t count = m_islands.size(), upper = count > mostInARow ? (count + 1) / 2 : count;
    const qreal pitch = (area.width() - px(17)) / static_cast<qreal>(upper - 1);
    const qreal side = std::min<qreal>(px(17), pitch - px(2));
    Ring ring;
    for (std::size_t i = 0; i < count; ++i) {
        const bool above = i < upper;
        const auto column = static_cast<qreal>(above ? i : 2 * upper - 1 - i);
        ring.places.emplace_back(
            area.left() + column * pitch, above ? area.top() : area.top() + side + px(10), side, side);
    }
    return ring;
}

/// From below one badge to below another, or across where there are two rows of them; ways back are the deeper ones.
void MigrationFooter::drawWays(QPainter& painter, const Ring& ring, const std::set<MigrationPlan::Edge>& ways) const
{
    const auto placeOf = [&](IslandId island) -> const QRectF* {
        const auto found = std::ranges::find(m_islands, island);
        return found == m_islands.end() ? nullptr : &ring.places[static_cast<std::size_t>(found - m_islands.begin())];
    };
    painter.setBrush(Qt::NoBrush);
    for (const auto& [source, target] : ways) {
        const QRectF *from = placeOf(source), *to = placeOf(target);
        if (!from || !to)
            continue;
        const bool right = from->left() < to->left(), level = from->top() == to->top();
        const qreal aside = right ? px(3) : -px(3);
        const QPointF begin(
            from->center().x() + aside, from->top() < to->top() || level ? from->bottom() : from->top());
        const QPointF end(
            to->center().x() - aside, from->top() > to->top() || level ? to->bottom() + px(1) : to->top() - px(1));
        const QPointF middle = (begin + end) / 2 + QPointF(0, level ? px(right ? 20 : 32) : 0);
        QPainterPath path(begin);
        path.quadTo(middle, end);
        painter.setPen(QPen(tokens().secondary, 1.2));
        painter.drawPath(path);
        const QPointF along = end - middle;
        const QPointF back = -along / std::hypot(along.x(), along.y()) * px(4), wide(-back.y() * 0.75, back.x() * 0.75);
        painter.drawLine(end, end + back + wide);
        painter.drawLine(end, end + back - wide);
    }
    for (std::size_t i = 0; i < ring.places.size(); ++i)
        drawBadge(painter, ring.places[i], m_islands[i]);
}

void MigrationFooter::drawRing(QPainter& painter, const Ring& ring) const
{
    const Tokens& t = tokens();
    const QPen dashed(t.tertiary, 1.2, Qt::DashLine), head(t.tertiary, 1.2);
    const auto arrow = [&](const QPointF& from, const QPointF& to) {
        painter.setPen(dashed);
        painter.drawLine(from, to);
        const QPointF along = to - from;
        const qreal length = std::hypot(along.x(), along.y());
        if (length < px(3))
            return; // the order of the letters tells the way
        const QPointF back = -along / length * px(4), aside(-back.y() * 0.75, back.x() * 0.75);
        painter.setPen(head);
        painter.drawLine(to, to + back + aside);
        painter.drawLine(to, to + back - aside);
    };
    for (std::size_t i = 0; i < ring.places.size(); ++i) {
        drawBadge(painter, ring.places[i], m_islands[i]);
        const QRectF &here = ring.places[i], next = ring.places[(i + 1) % ring.places.size()];
        if (here.top() == next.top() && i + 1 < ring.places.size()) {
            const bool right = next.left() > here.left();
            const qreal air = std::min<qreal>(px(4), (std::abs(next.left() - here.left()) - here.width()) / 4);
            arrow({right ? here.right() + air : here.left() - air, here.center().y()},
                {right ? next.left() - air : next.right() + air, here.center().y()});
        } else if (here.top() != next.top()) {
            const bool down = next.top() > here.top();
            arrow({here.center().x(), down ? here.bottom() + px(2) : here.top() - px(2)},
                {next.center().x(), down ? next.top() - px(2) : next.bottom() + px(2)});
        }
    }
    const QRectF first = ring.places.front(), last = ring.places.back();
    if (first.top() != last.top())
        return;
    const qreal low = first.bottom() + px(10);
    painter.setPen(dashed);
    painter.drawPolyline(QPolygonF({{last.center().x(), last.bottom() + px(2)}, {last.center().x(), low},
        {first.center().x(), low}, {first.center().x(), first.bottom() + px(3)}}));
    painter.setPen(head);
    const QPointF tip(first.center().x(), first.bottom() + px(2));
    painter.drawLine(tip, tip + QPointF(-px(3), px(4)));
    painter.drawLine(tip, tip + QPointF(px(3), px(4)));
}

namespace {

int side() { return px(15); }
int gap() { return px(10); }
int nameGap() { return px(4); }
int lineGap() { return px(3); }
int lineLength() { return px(16); }

/// Its badge, and behind it its line where that is not solid: then the colour is that of another one as well.
int signWidth(IslandId island) { return side() + (islandLine(island) == Qt::SolidLine ? 0 : lineGap() + lineLength()); }

/// Of the islands for which there is no room: the tool tip names them.
QString restWords(std::size_t count) { return u"+%1"_s.arg(count); }

} // namespace

IslandLegend::IslandLegend(QWidget* parent)
    : QWidget(parent)
{
    setObjectName(u"islandLegend"_s);
    setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);
    setFont(fontOf(Type::Secondary));
}

void IslandLegend::show(std::vector<Entry> entries)
{
    if (entries == m_entries)
        return;
    m_entries = std::move(entries);
    QStringList words;
    for (const Entry& entry : m_entries)
        words << u"%1 %2"_s.arg(QString::fromStdString(islandLetter(entry.island)), entry.name);
    setAccessibleName(tr("Islands: %1").arg(words.join(u", "_s)));
    setToolTip(words.join(u'\n'));
    updateGeometry();
    update();
}

int IslandLegend::widthWith(bool names) const
{
    int width = 0;
    for (const Entry& entry : m_entries)
        width
            += signWidth(entry.island) + gap() + (names ? nameGap() + fontMetrics().horizontalAdvance(entry.name) : 0);
    return width;
}

std::size_t IslandLegend::badgesThatFit() const
{
    if (width() >= widthWith(false))
        return m_entries.size();
    int room = width() - fontMetrics().horizontalAdvance(restWords(m_entries.size()));
    std::size_t fit = 0;
    while (fit < m_entries.size() && (room -= signWidth(m_entries[fit].island) + gap()) >= 0)
        ++fit;
    return fit;
}

QSize IslandLegend::sizeHint() const { return {widthWith(true), std::max(side(), fontMetrics().height())}; }

void IslandLegend::paintEvent(QPaintEvent*)
{
    const bool names = width() >= widthWith(true);
    QPainter painter(this);
    painter.setFont(font());
    painter.setPen(tokens().secondary);
    const std::size_t shown = names ? m_entries.size() : badgesThatFit();
    const QString rest = shown < m_entries.size() ? restWords(m_entries.size() - shown) : QString();
    int taken = names ? widthWith(true) : fontMetrics().horizontalAdvance(rest);
    for (std::size_t i = 0; i < shown && !names; ++i)
        taken += signWidth(m_entries[i].island) + gap();
    int x = std::max(0, width() - taken); // beside the controls
    for (std::size_t i = 0; i < shown; ++i) {
        const Entry& entry = m_entries[i];
        drawBadge(painter, QRectF(x, (height() - side()) / 2.0, side(), side()), entry.island);
        x += side();
        if (const Qt::PenStyle line = islandLine(entry.island); line != Qt::SolidLine) {
            x += lineGap();
            painter.setPen(QPen(Theme::instance().island(entry.island), 2, line));
            painter.drawLine(QPointF(x, height() / 2.0), QPointF(x + lineLength(), height() / 2.0));
            painter.setPen(tokens().secondary);
            x += lineLength();
        }
        x += names ? nameGap() : 0;
        if (names) {
            const int wide = fontMetrics().horizontalAdvance(entry.name);
            painter.drawText(QRect(x, 0, wide + 2, height()), Qt::AlignVCenter | Qt::AlignLeft, entry.name);
            x += wide;
        }
        x += gap();
    }
    if (!rest.isEmpty() && fontMetrics().horizontalAdvance(rest) <= width() - x)
        painter.drawText(QRect(x, 0, width() - x, height()), Qt::AlignVCenter | Qt::AlignLeft, rest);
}

} // namespace tilewright::ui
