// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/evolve/migration_footer.h"

#include "ui/models/format.h"
#include "ui/theme/theme.h"
#include "ui/widgets/paint.h"

#include <QPainter>
#include <algorithm>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

MigrationFooter::MigrationFooter(QWidget* parent)
    : QWidget(parent)
{
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    setAccessibleName(tr("Migration between islands"));
}

QSize MigrationFooter::sizeHint() const { return {px(240), px(88)}; }

namespace {

/// "last: c-0012, B → E".
QString lastMigrant(const RunState& run)
{
    for (std::size_t i = run.migrations.size(); i-- > 0;) {
        const MigrationMark& migration = run.migrations[i];
        const Candidate *from = run.candidate(migration.from), *copy = run.candidate(migration.copy);
        if (!from || !copy || copy->takenBack)
            continue;
        return MigrationFooter::tr("last: %1, %2 → %3")
            .arg(nameOfCandidate(from->id), text(islandLetter(from->island)), text(islandLetter(migration.to)));
    }
    return MigrationFooter::tr("no migration yet");
}

/// "next: B in 2 admissions"; empty where nobody travels.
QString nextMigrant(const RunState& run)
{
    const MigrationPlan& plan = run.settings.migration;
    const Island* next = nullptr;
    std::int64_t least = 0;
    for (const Island& island : run.islands) {
        const std::int64_t left = plan.interval - (island.admissions - island.lastMigration);
        if (island.standing == Standing::Living && (!next || left < least)) {
            next = &island;
            least = left;
        }
    }
    if (!next || plan.ways == MigrationPlan::Ways::Off || run.islands.size() < 2)
        return {};
    const QString letter = text(islandLetter(next->id));
    return least > 1 ? MigrationFooter::tr("next: %1 in %2 admissions").arg(letter, grouped(least))
        : least == 1 ? MigrationFooter::tr("next: %1 in one admission").arg(letter)
                     : MigrationFooter::tr("next: %1, at its next admission").arg(letter);
}

} // namespace

void MigrationFooter::show(SnapshotPtr snapshot)
{
    m_snapshot = std::move(snapshot);
    const RunState& run = m_snapshot->run;
    m_islands.clear();
    for (const Island& island : run.islands)
        if (island.standing != Standing::Ended)
            m_islands.push_back(island.id);
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
    painter.drawText(head, Qt::AlignLeft | Qt::AlignVCenter, tr("Migration"));
    painter.setFont(fontOf(Type::Secondary));
    drawElided(
        painter, head.adjusted(px(76), 0, 0, 0), Qt::AlignRight | Qt::AlignVCenter, m_next.isEmpty() ? m_last : m_next);
    const int shown = static_cast<int>(std::min<std::size_t>(m_islands.size(), 8));
    const MigrationPlan& plan = m_snapshot->run.settings.migration;
    if (shown < 2)
        return;
    if (plan.ways != MigrationPlan::Ways::Ring) {
        painter.setPen(t.text);
        const QRectF rest(box.left(), head.bottom() + px(6), box.width(), box.bottom() - head.bottom() - px(6));
        const QString words = plan.ways == MigrationPlan::Ways::Off ? tr("off: nobody travels") : text(wordsOf(plan));
        drawElided(painter, rest, Qt::AlignLeft | Qt::AlignVCenter, words);
        return;
    }
    const qreal side = px(17), y = head.bottom() + px(8);
    const qreal gap = (box.width() - px(16) - side * shown) / (shown - 1);
    const QPen dashed(t.tertiary, 1.2, Qt::DashLine);
    for (int i = 0; i < shown; ++i) {
        const qreal x = box.left() + px(8) + i * (side + gap);
        drawBadge(painter, QRectF(x, y, side, side), m_islands[static_cast<std::size_t>(i)]);
        if (i + 1 == shown)
            break;
        const QPointF from(x + side + px(4), y + side / 2), to(x + side + gap - px(4), y + side / 2);
        painter.setPen(dashed);
        painter.drawLine(from, to);
        painter.setPen(QPen(t.tertiary, 1.2));
        painter.drawLine(to, to + QPointF(-px(4), -px(3)));
        painter.drawLine(to, to + QPointF(-px(4), px(3)));
    }
    const qreal low = y + side + px(10), leftX = box.left() + px(8) + side / 2, rightX = box.right() - px(8) - side / 2;
    painter.setPen(dashed);
    painter.drawPolyline(
        QPolygonF({{rightX, y + side + px(2)}, {rightX, low}, {leftX, low}, {leftX, y + side + px(3)}}));
    // Who travelled last, upon the way back.
    painter.setFont(fontOf(Type::Tick));
    const qreal wide
        = std::min<qreal>(painter.fontMetrics().horizontalAdvance(m_last) + px(10), rightX - leftX - px(16));
    const QRectF words((leftX + rightX - wide) / 2, low - px(8), wide, px(16));
    painter.fillRect(words, t.panel);
    painter.setPen(t.secondary);
    drawElided(painter, words, Qt::AlignCenter, m_last);
    painter.setPen(QPen(t.tertiary, 1.2));
    painter.drawLine(QPointF(leftX, y + side + px(2)), QPointF(leftX - px(3), y + side + px(6)));
    painter.drawLine(QPointF(leftX, y + side + px(2)), QPointF(leftX + px(3), y + side + px(6)));
}

} // namespace tilewright::ui
