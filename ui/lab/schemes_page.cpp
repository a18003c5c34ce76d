// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lab/schemes_page.h"

#include "core/base/files.h"
#include "core/base/format.h"
#include "core/tensor/measures.h"
#include "core/tensor/scheme_file.h"
#include "ui/lab/scheme_words.h"
#include "ui/models/display_text.h"
#include "ui/theme/theme.h"
#include "ui/widgets/file_question.h"
#include "ui/widgets/pane.h"
#include "ui/widgets/table.h"

#include <QAction>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

Result<void> exportScheme(const tensor::Scheme& scheme, const QString& path)
{
    const auto bytes = tensor::bytesOf(scheme, tensor::formFor(path.toStdString()));
    return bytes ? saveFile(path.toStdString(), *bytes) : std::unexpected(bytes.error());
}

SchemesPage::SchemesPage(LabModel& lab, SchemeList& list, QWidget* parent)
    : QWidget(parent)
    , m_lab(lab)
    , m_list(list)
    , m_table(new Table(this))
    , m_title(new DockTitle(tr("Schemes"), this))
{
    setObjectName(u"schemesPage"_s);
    m_table->setObjectName(u"schemesTable"_s);
    m_table->setAccessibleName(tr("Library of schemes"));
    m_table->setModel(&m_rows);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    auto* content = new QWidget(this);
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(px(12), px(10), px(12), px(10));
    column->setSpacing(px(8));
    m_problem = new QLabel(content);
    m_problem->setObjectName(u"schemesProblem"_s);
    m_words = new QLabel(content);
    m_words->setObjectName(u"schemesWords"_s);
    m_words->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    for (QLabel* each : {m_problem, m_words})
        each->setWordWrap(true);
    auto* buttons = new QHBoxLayout;
    const auto button = [&](const QString& name, const QString& sign, const QString& words) {
        auto* made = new QPushButton(icon(sign), words, content);
        made->setObjectName(name);
        buttons->addWidget(made);
        return made;
    };
    auto* open = button(u"schemesOpen"_s, u"folder"_s, tr("Open…"));
    m_use = button(u"schemesUse"_s, u"forward"_s, tr("Show products"));
    m_evolve = button(u"schemesEvolve"_s, u"evolve"_s, tr("Evolve from this…"));
    m_lift = button(u"schemesLift"_s, u"up"_s, tr("Keep the lift"));
    m_lift->setToolTip(tr("Adds the scheme over the integers that this one lifts to"));
    m_export = button(u"schemesExport"_s, u"save"_s, tr("Export…"));
    m_remove = button(u"schemesRemove"_s, u"x"_s, tr("Remove"));
    buttons->addStretch(1);
    column->addWidget(m_problem);
    column->addWidget(m_table, 1);
    column->addWidget(m_words);
    column->addLayout(buttons);
    auto* whole = new QVBoxLayout(this);
    whole->setContentsMargins(0, 0, 0, 0);
    whole->addWidget(pane(m_title, content, this));
    connect(open, &QPushButton::clicked, this, &SchemesPage::askToImport);
    connect(m_use, &QPushButton::clicked, this, &SchemesPage::schemeWanted);
    m_evolveEntry = new QAction(icon(u"evolve"_s), tr("Evolve from this…"), m_table);
    m_evolveEntry->setObjectName(u"schemesEvolveEntry"_s);
    m_table->addAction(m_evolveEntry);
    m_table->setContextMenuPolicy(Qt::ActionsContextMenu);
    connect(m_evolve, &QPushButton::clicked, this, &SchemesPage::evolveWanted);
    connect(m_evolveEntry, &QAction::triggered, this, &SchemesPage::evolveWanted);
    connect(m_lift, &QPushButton::clicked, this, &SchemesPage::keepLift);
    connect(m_export, &QPushButton::clicked, this, &SchemesPage::askToExport);
    connect(m_remove, &QPushButton::clicked, this, &SchemesPage::removeChosen);
    connect(m_table, &QTableView::activated, this, &SchemesPage::schemeWanted);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex& row) {
        if (!m_isFilling && row.isValid())
            m_lab.setScheme(m_list.schemes()[static_cast<std::size_t>(row.row())].scheme);
    });
    connect(&m_list, &SchemeList::changed, this, &SchemesPage::fill);
    for (const auto signal : {&LabModel::schemeChanged, &LabModel::liftChanged})
        connect(&m_lab, signal, this, &SchemesPage::showChosen);
    fill();
}

int SchemesPage::chosen() const
{
    const QModelIndex row = m_table->currentIndex();
    return row.isValid() ? row.row() : -1;
}

void SchemesPage::fill()
{
    m_isFilling = true;
    std::vector<QStringList> rows;
    for (const tensor::LibraryScheme& each : m_list.schemes()) {
        const tensor::Scheme& scheme = each.scheme;
        const auto exponent = tensor::exponentOf(scheme);
        rows.push_back({text(tensor::textOf(scheme.format)), QString::number(scheme.rank()),
            scheme.ring == tensor::Ring::Mod2 ? tr("mod 2 only") : text(nameIn(tensor::ringNames, scheme.ring)),
            QString::number(tensor::naiveAdditionsOf(scheme)), exponent ? text(fixedText(*exponent, 3)) : u"–"_s,
            text(numberText(tensor::growthFactorOf(scheme))), text(scheme.name), provenanceWords(each.from)});
    }
    m_rows.show({tr("Format"), tr("Rank"), tr("Ring"), tr("Additions"), tr("Exponent"), tr("Growth factor"), tr("Name"),
                    tr("Provenance")},
        {1, 3, 4, 5}, rows);
    fitToRows(*m_table);
    m_isFilling = false;
    m_title->setSubText(
        tr("%1 schemes, all verified exactly. The selected scheme is used on all pages.").arg(m_list.schemes().size()));
    m_problem->setText(m_list.problem());
    m_problem->setVisible(!m_problem->text().isEmpty());
    showChosen();
}

void SchemesPage::showChosen()
{
    // The row stays where its scheme is the lab's, also where another row has the same.
    const int row = chosen();
    const bool isOfRow = row >= 0 && m_list.schemes()[static_cast<std::size_t>(row)].scheme == m_lab.scheme();
    const int place = isOfRow ? row : m_list.placeOf(m_lab.scheme());
    m_isFilling = true;
    if (place != chosen())
        m_table->setCurrentIndex(place < 0 ? QModelIndex() : m_rows.index(place, 0));
    m_isFilling = false;
    m_export->setEnabled(place >= 0);
    const QString whyNot = whyNoTask(m_lab.scheme(), m_lab.verification().isExact());
    const QString lift = m_lab.lift() ? liftWords(*m_lab.lift()) : QString();
    const QString tip = whyNot.isEmpty() ? tr("Make a task whose seed multiplies blocks by this scheme, and begin a "
                                              "session with it")
        : lift.isEmpty()                 ? whyNot
                                         : whyNot + u' ' + lift;
    m_evolve->setEnabled(whyNot.isEmpty());
    m_evolveEntry->setEnabled(whyNot.isEmpty());
    m_evolve->setToolTip(tip);
    m_lift->setVisible(m_lab.lift() && m_lab.lift()->outcome == tensor::LiftOutcome::Lifted);
    m_remove->setEnabled(place >= 0 && !m_list.schemes()[static_cast<std::size_t>(place)].file.empty());
    if (place < 0)
        return m_words->setText(tr("The scheme that the other pages show is not in the library."));
    const tensor::LibraryScheme& scheme = m_list.schemes()[static_cast<std::size_t>(place)];
    QStringList lines{u"%1: %2"_s.arg(nameOf(scheme), provenanceWords(scheme.from))};
    if (!scheme.from.sha256.empty())
        lines << tr("SHA-256 of the file: %1").arg(text(scheme.from.sha256));
    for (const QString& line : {whyNot, lift})
        if (!line.isEmpty())
            lines << line;
    m_words->setText(lines.join(u'\n'));
}

void SchemesPage::askToImport()
{
    askWhatToOpen(this, {tr("Open a scheme"), tr("Schemes (*.json *.npz *.exp *.txt)")}, [this](const QString& path) {
        if (const auto place = m_list.import(path); !place)
            Q_EMIT failed(text(place.error().text), text(place.error().hint));
        else if (*place >= 0)
            m_lab.setScheme(m_list.schemes()[static_cast<std::size_t>(*place)].scheme);
    });
}

void SchemesPage::askToExport()
{
    askWhereToSave(this, {tr("Export this scheme"), tr("Schemes (*.json *.npz *.exp)"), u"scheme.json"_s},
        [this, scheme = m_lab.scheme()](const QString& path) {
            if (const auto done = exportScheme(scheme, path); done)
                Q_EMIT saved(tr("Saved %1.").arg(path));
            else
                Q_EMIT failed(text(done.error().text), text(done.error().hint));
        });
}

void SchemesPage::removeChosen()
{
    if (const int place = chosen(); place >= 0)
        if (const auto removed = m_list.remove(place); !removed)
            Q_EMIT failed(text(removed.error().text), text(removed.error().hint));
}

void SchemesPage::keepLift()
{
    const int place = m_list.placeOf(m_lab.scheme());
    if (!m_lab.lift() || !m_lab.lift()->scheme || place < 0)
        return;
    tensor::Scheme scheme = *m_lab.lift()->scheme;
    const tensor::Provenance from = m_list.schemes()[static_cast<std::size_t>(place)].from;
    scheme.name = tr("%1, lifted").arg(nameOf(m_list.schemes()[static_cast<std::size_t>(place)])).toStdString();
    const auto kept = m_list.add(scheme, from);
    if (!kept)
        Q_EMIT failed(text(kept.error().text), text(kept.error().hint));
    else if (*kept >= 0)
        m_lab.setScheme(m_list.schemes()[static_cast<std::size_t>(*kept)].scheme);
}

QString SchemesPage::statusText() const { return tr("%1 schemes in the library").arg(m_list.schemes().size()); }

} // namespace tilewright::ui
