// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/evolve/migration_editor.h"

#include "ui/evolve/ways_picture.h"
#include "ui/models/format.h"
#include "ui/widgets/number_box.h"

#include <QCheckBox>
#include <QComboBox>
#include <QGridLayout>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QSpinBox>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

MigrationEditor::MigrationEditor(const MigrationPlan& plan, const std::vector<IslandId>& islands, QWidget* parent)
    : LeverPopup(parent)
    , m_ways(new QComboBox(this))
    , m_picture(new WaysPicture(islands, this))
    , m_scroll(new QScrollArea(this))
    , m_note(new QLabel(this))
    , m_fromWhen(tr("Holds for migrants from now on."))
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
    m_ways->setAccessibleName(tr("Where migrants go"));
    m_ways->addItems({tr("In a ring"), tr("Nowhere"), tr("Along drawn ways")});
    m_ways->setCurrentIndex(static_cast<int>(plan.ways));
    row(0, tr("Migrants go"), m_ways);
    m_interval = numberBox<QSpinBox>(1, 10'000, static_cast<int>(plan.interval), u"migrationInterval"_s,
        tr("New members of an island between two migrants"), this);
    row(1, tr("New members between two"), m_interval);
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
            : isNothing              ? tr("Draw or tick at least one way.")
            : draws                  ? tr("An island with several ways takes them in turn.")
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

} // namespace tilewright::ui
