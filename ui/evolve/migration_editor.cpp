// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/evolve/migration_editor.h"

#include "ui/models/display_text.h"
#include "ui/theme/theme.h"
#include "ui/widgets/action_bar.h"
#include "ui/widgets/paint.h"

#include <QCheckBox>
#include <QComboBox>
#include <QGridLayout>
#include <QLabel>
#include <QMouseEvent>
#include <QPainter>
#include <QPushButton>
#include <QScrollArea>
#include <QSpinBox>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

MigrationEditor::MigrationEditor(const MigrationPlan& plan, const std::vector<IslandId>& islands, QWidget* parent)
    : EditPopup(parent)
    , m_ways(new QComboBox(this))
    , m_picture(new WaysPicture(islands, this))
    , m_scroll(new QScrollArea(this))
    , m_note(new QLabel(this))
    , m_fromWhen(tr("Applies to migrants from now on."))
{
    setObjectName(u"migrationEditor"_s);
    setAccessibleName(tr("Migration between islands"));
    auto* grid = new QGridLayout(this);
    grid->setContentsMargins(px(14), px(12), px(14), px(12));
    grid->setSpacing(px(8));
    const auto row = [&](int line, const QString& name, QWidget* field) {
        auto* label = new QLabel(name, this);
        label->setBuddy(field);
        grid->addWidget(label, line, 0);
        grid->addWidget(field, line, 1);
    };
    m_ways->setObjectName(u"migrationWays"_s);
    m_ways->setAccessibleName(tr("Routes of migrants"));
    m_ways->addItems({tr("Ring"), tr("Off"), tr("Custom routes")});
    m_ways->setCurrentIndex(static_cast<int>(plan.ways));
    row(0, tr("Migration"), m_ways);
    m_interval = numberBox<QSpinBox>(1, 10'000, static_cast<int>(plan.interval), u"migrationInterval"_s,
        tr("New members of an island between two migrations"), this);
    row(1, tr("Interval, new members"), m_interval);
    addGrid(plan, islands);
    grid->addWidget(m_picture, 2, 0, 1, 2, Qt::AlignHCenter);
    grid->addWidget(m_scroll, 3, 0, 1, 2);
    m_note->setObjectName(u"migrationNote"_s);
    m_note->setFont(fontOf(Type::Secondary));
    m_note->setProperty("tone", u"secondary"_s);
    grid->addWidget(m_note, 4, 0, 1, 2);
    auto* apply = new QPushButton(tr("Apply"), this);
    apply->setObjectName(u"applyMigration"_s);
    apply->setProperty("kind", u"primary"_s);
    grid->addWidget(apply, 5, 1);
    m_apply = apply;
    connect(m_ways, &QComboBox::currentIndexChanged, this, [this] { enable(); });
    connect(m_picture, &WaysPicture::drawn, this, &MigrationEditor::toggle);
    connect(m_interval, &QSpinBox::valueChanged, this, [this] { enable(); });
    connect(apply, &QPushButton::clicked, this, [this] { accept(); });
    enable();
    m_ways->setFocus();
}

/// Rows are where migrants come from, columns where they go.
void MigrationEditor::addGrid(const MigrationPlan& plan, const std::vector<IslandId>& islands)
{
    auto* inner = new QWidget(m_scroll);
    auto* grid = new QGridLayout(inner);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setSpacing(px(4));
    const auto letter = [](IslandId island) { return text(islandLetter(island)); };
    for (std::size_t from = 0; from < islands.size(); ++from) {
        const int line = static_cast<int>(from) + 1;
        grid->addWidget(new QLabel(tr("%1 to").arg(letter(islands[from])), inner), line, 0);
        grid->addWidget(new QLabel(letter(islands[from]), inner), 0, line, Qt::AlignHCenter);
        for (std::size_t to = 0; to < islands.size(); ++to) {
            if (from == to)
                continue;
            auto* box = new QCheckBox(inner);
            box->setObjectName(u"way.%1.%2"_s.arg(letter(islands[from]), letter(islands[to])));
            box->setAccessibleName(tr("From island %1 to island %2").arg(letter(islands[from]), letter(islands[to])));
            box->setToolTip(box->accessibleName());
            const MigrationPlan::Edge edge{islands[from], islands[to]};
            box->setChecked(plan.edges.contains(edge));
            connect(box, &QCheckBox::toggled, this, [this] { enable(); });
            grid->addWidget(box, line, static_cast<int>(to) + 1, Qt::AlignHCenter);
            m_edges.emplace_back(edge, box);
        }
    }
    inner->setProperty("role", u"plain"_s);
    m_scroll->setWidget(inner);
    m_scroll->setFrameShape(QFrame::NoFrame);
    m_scroll->setProperty("role", u"plain"_s);
    const QSize size = inner->sizeHint();
    m_scroll->setMinimumSize(std::min(size.width() + px(12), px(420)), std::min(size.height() + px(12), px(300)));
}

void MigrationEditor::sayFromWhen(const QString& words)
{
    m_fromWhen = words;
    enable();
}

MigrationPlan MigrationEditor::chosen() const
{
    MigrationPlan plan;
    plan.ways = static_cast<MigrationPlan::Ways>(m_ways->currentIndex());
    plan.interval = m_interval->value();
    if (plan.ways == MigrationPlan::Ways::Drawn)
        for (const auto& [edge, box] : m_edges)
            if (box->isChecked())
                plan.edges.insert(edge);
    return plan;
}

void MigrationEditor::enable()
{
    const MigrationPlan plan = chosen();
    const bool draws = plan.ways == MigrationPlan::Ways::Drawn;
    m_scroll->setVisible(draws);
    m_picture->setVisible(draws);
    m_picture->setWays(plan.edges);
    m_interval->setEnabled(plan.ways != MigrationPlan::Ways::Off);
    const bool isNothing = draws && plan.edges.empty();
    const QString wrong = wrongNumberIn(*this);
    m_note->setText(!wrong.isEmpty() ? wrong
            : isNothing              ? tr("Draw or tick at least one route.")
            : draws                  ? tr("An island with several routes uses them in turn.")
                                     : m_fromWhen);
    m_apply->setEnabled(wrong.isEmpty() && !isNothing);
    adjustSize();
}

void MigrationEditor::toggle(IslandId from, IslandId to)
{
    for (const auto& [edge, box] : m_edges)
        if (edge == MigrationPlan::Edge{from, to})
            box->toggle(); // which the picture follows
}

void MigrationEditor::accept()
{
    if (!m_apply->isEnabled())
        return;
    Q_EMIT accepted(chosen());
    close();
}

namespace {

constexpr double besideWay = 3; ///< ways there and back lie beside each other
int badgeSide() { return px(20); }

} // namespace

WaysPicture::WaysPicture(std::vector<IslandId> islands, QWidget* parent)
    : QWidget(parent)
    , m_islands(std::move(islands))
{
    setObjectName(QStringLiteral("waysPicture"));
    setAccessibleName(tr("Routes between islands: drag from one island to another; the boxes below show the same"));
    setToolTip(tr("Drag from one island to another to add or remove a route"));
    setMouseTracking(true);
}

QSize WaysPicture::sizeHint() const
{
    const int around = std::max<int>(4, static_cast<int>(m_islands.size())) * (badgeSide() + px(8));
    const int side = std::clamp(static_cast<int>(around / std::numbers::pi) + 2 * badgeSide(), px(130), px(320));
    return {side + px(60), side};
}

void WaysPicture::setWays(const std::set<MigrationPlan::Edge>& ways)
{
    m_ways = ways;
    update();
}

QRectF WaysPicture::placeOf(IslandId island) const
{
    const auto at = std::ranges::find(m_islands, island) - m_islands.begin();
    const double angle = 2 * std::numbers::pi * static_cast<double>(at) / static_cast<double>(m_islands.size());
    const double reach = (std::min(width(), height()) - badgeSide()) / 2.0 - px(4);
    QRectF place(0, 0, badgeSide(), badgeSide());
    place.moveCenter(QRectF(rect()).center() + QPointF(std::sin(angle), -std::cos(angle)) * reach);
    return place;
}

std::optional<IslandId> WaysPicture::islandAt(const QPointF& at) const
{
    const double near = px(4);
    for (const IslandId island : m_islands)
        if (placeOf(island).adjusted(-near, -near, near, near).contains(at))
            return island;
    return std::nullopt;
}

void WaysPicture::drawWay(QPainter& painter, const QPointF& from, const QPointF& to) const
{
    const QPointF along = to - from;
    const double length = std::hypot(along.x(), along.y());
    if (length < badgeSide())
        return;
    const QPointF step = along / length, aside = QPointF(-step.y(), step.x());
    const QPointF begin = from + step * badgeSide() * 0.75 + aside * besideWay;
    const QPointF end = to - step * badgeSide() * 0.75 + aside * besideWay;
    painter.drawLine(begin, end);
    painter.drawLine(end, end - step * px(6) + aside * px(3));
    painter.drawLine(end, end - step * px(6) - aside * px(3));
}

void WaysPicture::paintEvent(QPaintEvent*)
{
    const Tokens& t = tokens();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(t.secondary, 1.4));
    for (const auto& [from, to] : m_ways)
        if (std::ranges::find(m_islands, from) != m_islands.end()
            && std::ranges::find(m_islands, to) != m_islands.end())
            drawWay(painter, placeOf(from).center(), placeOf(to).center());
    if (m_from) {
        const auto there = islandAt(m_to);
        const bool goes = there && m_ways.contains({*m_from, *there});
        painter.setPen(QPen(goes ? t.bad : t.accent, 1.6, Qt::DashLine));
        drawWay(painter, placeOf(*m_from).center(), there ? placeOf(*there).center() : m_to);
    }
    for (const IslandId island : m_islands)
        drawBadge(painter, placeOf(island), island);
}

void WaysPicture::mousePressEvent(QMouseEvent* event)
{
    m_from = event->button() == Qt::LeftButton ? islandAt(event->position()) : std::nullopt;
    m_to = event->position();
    update();
}

void WaysPicture::mouseMoveEvent(QMouseEvent* event)
{
    m_to = event->position();
    setCursor(islandAt(m_to) ? Qt::PointingHandCursor : Qt::ArrowCursor);
    if (m_from)
        update();
}

void WaysPicture::mouseReleaseEvent(QMouseEvent* event)
{
    const auto from = std::exchange(m_from, std::nullopt);
    const auto to = islandAt(event->position());
    update();
    if (from && to && *from != *to)
        Q_EMIT drawn(*from, *to);
}

} // namespace tilewright::ui
