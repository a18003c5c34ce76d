// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/compare/compare_page.h"

#include "core/base/files.h"
#include "core/base/json_text.h"
#include "ui/compare/chip_bar.h"
#include "ui/compare/comparison_export.h"
#include "ui/compare/heat_pane.h"
#include "ui/compare/plot_pane.h"
#include "ui/compare/program_chooser.h"
#include "ui/compare/rows_model.h"
#include "ui/diff/split_diff.h"
#include "ui/docks/workspace.h"
#include "ui/models/display_text.h"
#include "ui/session/no_session.h"
#include "ui/theme/theme.h"
#include "ui/widgets/pane.h"
#include "ui/widgets/room.h"
#include "ui/widgets/table.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDockWidget>
#include <QFileDialog>
#include <QFileInfo>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QSignalBlocker>
#include <QStackedWidget>
#include <QVBoxLayout>
#include <algorithm>

namespace tilewright::ui {

using namespace Qt::StringLiterals;
using Kind = ComparedProgram::Kind;

namespace {

constexpr int layoutVersion = 1;

QComboBox* box(const QString& name, const QString& accessible, QWidget* parent)
{
    auto* made = new QComboBox(parent);
    made->setObjectName(name);
    made->setAccessibleName(accessible);
    made->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    made->setFont(fontOf(Type::Secondary));
    return made;
}

/// Other entries in it, the chosen one kept where it is still there.
void fill(QComboBox& box, const QStringList& names, int usual = 0)
{
    QStringList held;
    for (int i = 0; i < box.count(); ++i)
        held << box.itemText(i);
    if (held == names)
        return;
    const QSignalBlocker quiet(box);
    const QString chosen = box.currentText();
    box.clear();
    box.addItems(names);
    const int at = static_cast<int>(names.indexOf(chosen));
    box.setCurrentIndex(at >= 0 ? at : std::min(usual, static_cast<int>(names.size()) - 1));
    box.updateGeometry();
    if (const QWidget* title = box.parentWidget(); title && title->layout())
        title->layout()->activate(); // it was laid out for narrower entries
}

} // namespace

ComparePage::ComparePage(const ViewContext& context, QWidget* parent)
    : QWidget(parent)
    , m_context(context)
    , m_comparing(context)
    , m_chooser(new ProgramChooser(context, m_comparing, this))
    , m_chips(new ChipBar(context, m_comparing, this))
    , m_stack(new QStackedWidget(this))
    , m_note(emptyNote(u"compareNothing"_s, this))
    , m_docks(new Workspace(context.settings, u"compare"_s, layoutVersion, this))
    , m_heat(new HeatPane(this))
{
    setObjectName(u"comparePage"_s);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_chips);
    column->addWidget(m_stack, 1);
    m_stack->addWidget(withSessionButtons(context, m_note, this));
    buildPlots();
    buildDocks();
    m_stack->addWidget(m_docks);
    fillExportMenu();
    connectAll();
}

void ComparePage::buildPlots()
{
    m_roofline = new PlotPane(
        tr("Roofline"), u"rooflinePlot"_s, [this] { return roofline(); }, this);
    m_tradeOff = new PlotPane(
        tr("Time and cost"), u"tradeOffPlot"_s, [this] { return tradeOff(); }, this);
    m_spread = new PlotPane(
        tr("Timings"), u"spreadPlot"_s, [this] { return spread(); }, this);
    m_heldout = new PlotPane(
        tr("Overfitting"), u"heldoutPlot"_s,
        [this] { return heldoutScene(m_comparing.run(), static_cast<GapGroups>(m_gapGroups->current())); }, this);
    m_cost = box(u"tradeOffCost"_s, tr("Cost against time"), this);
    m_tradeOffShape = box(u"tradeOffShape"_s, tr("Distribution of times"), this);
    m_spreadShape = box(u"spreadShape"_s, tr("Distribution of timings"), this);
    m_gapGroups = new Segments(tr("Groups"), {tr("islands"), tr("proposers")}, this);
    m_gapGroups->setObjectName(u"heldoutGroups"_s);
    m_tradeOff->addChoice(m_cost);
    m_tradeOff->addChoice(m_tradeOffShape);
    m_spread->addChoice(m_spreadShape);
    m_heldout->addChoice(m_gapGroups);
    for (QComboBox* each : {m_cost, m_tradeOffShape})
        connect(each, &QComboBox::currentIndexChanged, m_tradeOff, &PlotPane::refresh);
    connect(m_spreadShape, &QComboBox::currentIndexChanged, m_spread, &PlotPane::refresh);
    connect(m_gapGroups, &Segments::chosen, m_heldout, &PlotPane::refresh);
    for (PlotPane* each : {m_roofline, m_tradeOff, m_spread, m_heldout})
        connect(
            each, &PlotPane::chosen, this, [this](CandidateId candidate) { m_context.selection.select(candidate); });
}

QWidget* ComparePage::buildProperties()
{
    m_propertiesTitle = new DockTitle(tr("Properties"), this);
    m_onlyDifferences = new QCheckBox(tr("Differences only"), this);
    m_onlyDifferences->setObjectName(u"onlyDifferences"_s);
    m_propertiesTitle->addControl(m_onlyDifferences);
    m_properties = new RowsModel(this);
    m_propertiesTable = new Table(this);
    m_propertiesTable->setObjectName(u"propertiesTable"_s);
    m_propertiesTable->setAccessibleName(tr("Properties of the programs"));
    m_propertiesTable->setModel(m_properties);
    m_propertiesTable->setNothing(tr("The programs differ in no recorded property."));
    connect(m_onlyDifferences, &QCheckBox::toggled, this, &ComparePage::showProperties);
    return m_propertiesTable;
}

QWidget* ComparePage::buildText()
{
    m_textTitle = new DockTitle(tr("Text"), this);
    m_before = box(u"textBefore"_s, tr("Left program"), this);
    m_after = box(u"textAfter"_s, tr("Right program"), this);
    auto* page = new QWidget(this);
    QWidget* choices = choicesRow(page);
    m_textTitle->addMovableControl(m_before, choices);
    m_textTitle->addMovableControl(m_after, choices);
    m_diff = new SplitDiff(page);
    m_diff->setObjectName(u"comparedText"_s);
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(choices);
    column->addWidget(m_diff, 1);
    for (QComboBox* each : {m_before, m_after})
        connect(each, &QComboBox::currentIndexChanged, this, &ComparePage::showText);
    return page;
}

void ComparePage::buildDocks()
{
    m_docks->setCentralWidget(m_heat);
    QWidget* properties = buildProperties();
    QWidget* text = buildText();
    m_tabs = {m_docks->addDock(u"rooflineDock"_s, tr("Roofline"), &m_roofline->title(), m_roofline),
        m_docks->addDock(u"tradeOffDock"_s, tr("Time and cost"), &m_tradeOff->title(), m_tradeOff),
        m_docks->addDock(u"spreadDock"_s, tr("Timings"), &m_spread->title(), m_spread),
        m_docks->addDock(u"propertiesDock"_s, tr("Properties"), m_propertiesTitle, properties),
        m_docks->addDock(u"textDock"_s, tr("Text"), m_textTitle, text),
        m_docks->addDock(u"heldoutDock"_s, tr("Overfitting"), &m_heldout->title(), m_heldout)};
    for (QDockWidget* each : m_tabs) // a tab comes to the front: what it shows may be of before
        connect(each, &QDockWidget::visibilityChanged, this, [this](bool isSeen) {
            if (isSeen && isVisible())
                showText();
        });
    m_docks->setNarrowVariant();
    m_docks->setArrangement([this] { arrange(); });
    m_docks->resetLayout();
}

void ComparePage::arrange()
{
    QDockWidget *roofline = m_tabs[0], *tradeOff = m_tabs[1], *spread = m_tabs[2], *properties = m_tabs[3],
                *text = m_tabs[4], *heldout = m_tabs[5];
    m_docks->addDockWidget(Qt::RightDockWidgetArea, roofline);
    m_docks->addDockWidget(Qt::RightDockWidgetArea, tradeOff);
    m_docks->splitDockWidget(roofline, tradeOff, Qt::Vertical);
    m_docks->tabifyDockWidget(tradeOff, spread);
    m_docks->addDockWidget(Qt::BottomDockWidgetArea, properties);
    m_docks->tabifyDockWidget(properties, text);
    m_docks->tabifyDockWidget(text, heldout);
    tradeOff->raise();
    properties->raise();
    m_docks->resizeDocks({roofline}, {m_docks->width() * (m_docks->isNarrow() ? 42 : 46) / 100}, Qt::Horizontal);
    m_docks->resizeDocks({roofline, tradeOff}, {px(400), px(340)}, Qt::Vertical);
    m_docks->resizeDocks({properties}, {m_docks->height() * 34 / 100}, Qt::Vertical);
}

void ComparePage::raise(const QString& dock)
{
    for (QDockWidget* each : m_tabs)
        if (each->objectName() == dock) {
            each->show();
            each->raise();
        }
}

void ComparePage::connectAll()
{
    connect(&m_context.session, &SessionClient::changed, this, &ComparePage::refresh);
    connect(&m_comparing, &Comparing::choicesChanged, this, [this] {
        if (isVisible())
            refresh();
        stateChanged();
    });
    connect(&m_comparing, &Comparing::changed, this, &ComparePage::showComparison);
    connect(m_chips, &ChipBar::addWanted, this, [this] { m_chooser->popUpBy(m_chips->addButton()); });
    connect(m_chips, &ChipBar::selectWanted, this, [this](CandidateId candidate) {
        m_context.selection.select(candidate);
        m_context.actions[u"mode.evolve"_s].trigger();
    });
    connect(m_chips, &ChipBar::pinWanted, this, [this](CandidateId candidate) {
        m_context.selection.hold();
        m_context.selection.setReference(candidate);
    });
    connect(m_chips, &ChipBar::injectWanted, this, &ComparePage::inject);
    connect(m_chooser, &ProgramChooser::failed, this, &ComparePage::failed);
}

void ComparePage::fillExportMenu()
{
    QMenu& menu = m_chips->exportMenu();
    const std::pair<Export, QString> entries[]
        = {{Export::Csv, tr("Figures as CSV…")}, {Export::Json, tr("Everything as JSON…")},
            {Export::HeatTable, tr("Table of shapes as a picture…")}, {Export::Roofline, tr("Roofline as a picture…")},
            {Export::TradeOff, tr("Time and cost as a picture…")}, {Export::Spread, tr("Timings as a picture…")}};
    for (const auto& [what, words] : entries)
        connect(menu.addAction(words), &QAction::triggered, this, [this, what = what] { askWhere(what); });
}

void ComparePage::add(CandidateId candidate)
{
    if (!m_comparing.run().candidate(candidate))
        return;
    ComparedChoice choice;
    choice.candidate = candidate;
    const bool isFull = m_comparing.isFull();
    if (!m_comparing.add(std::move(choice)) && isFull)
        Q_EMIT failed(tr("Six programs are the maximum."), tr("remove one of them"));
}

void ComparePage::inject(std::size_t place)
{
    const ComparedChoice& choice = m_comparing.choices().at(place);
    m_context.session.execute(CandidateCommand(
        commands::Inject{{}, {}, choice.text, tr("from the file %1").arg(text(choice.name)).toStdString()}));
}

void ComparePage::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    refresh();
}

void ComparePage::refresh()
{
    if (!isVisible())
        return; // a snapshot comes ten times a second
    m_comparing.refresh();
    m_chips->refresh();
    setProperty(awaited, m_comparing.awaitsTexts());
    const QString nothing = whyNothing();
    m_note->setText(nothing);
    m_chips->setVisible(m_context.session.isOpen());
    m_stack->setCurrentIndex(nothing.isEmpty() ? 1 : 0);
    if (m_comparing.run().evaluations.size() != m_evaluations) {
        m_evaluations = m_comparing.run().evaluations.size();
        showChoicesOfPlots();
        m_tradeOff->refresh();
        m_heldout->refresh();
    }
}

QString ComparePage::whyNothing() const
{
    if (!m_context.session.isOpen())
        return tr("No session is open. Compare candidates, the baseline, the vendor library and files here.");
    if (m_comparing.comparison())
        return {};
    if (m_comparing.choices().empty())
        return tr("No measurements yet. Programs can be compared after the first measurement.");
    return tr("Compare two to six programs. “Add” offers candidates, the baseline, the vendor library, files, and "
              "candidates of other sessions.");
}

void ComparePage::showComparison()
{
    if (!isVisible())
        return;
    setProperty(awaited, m_comparing.awaitsTexts());
    m_heat->show(m_comparing);
    showChoicesOfPlots();
    showProperties();
    showText();
    for (PlotPane* each : {m_roofline, m_tradeOff, m_spread, m_heldout})
        each->refresh();
    m_chips->refresh();
    stateChanged();
}

void ComparePage::showChoicesOfPlots()
{
    const auto& comparison = m_comparing.comparison();
    if (!comparison)
        return;
    m_costs = costsOf(m_comparing.run());
    QStringList costs, shapes;
    for (const Cost cost : m_costs)
        costs << words(cost);
    for (const ComparedShape& shape : comparison->shapes)
        if (shape.split == ShapeSplit::Train)
            shapes << text(shapeText(shape.shape));
    fill(*m_cost, costs);
    m_cost->setVisible(costs.size() > 1);
    fill(*m_tradeOffShape, QStringList{tr("all train shapes")} + shapes);
    fill(*m_spreadShape, shapes);
    m_tradeOff->title().fit();
    m_spread->title().fit();
}

std::vector<ComparedLook> ComparePage::looks() const
{
    std::vector<ComparedLook> all;
    for (std::size_t i = 0; i < m_comparing.choices().size(); ++i) {
        const ComparedChoice& choice = m_comparing.choices()[i];
        const bool isOwn = choice.isOfOpenSession() && choice.kind == Kind::Candidate;
        all.push_back({m_comparing.markerOf(i), m_comparing.nameOf(i), isOwn ? choice.candidate : CandidateId{}});
    }
    return all;
}

PointScene ComparePage::roofline() const
{
    const auto& comparison = m_comparing.comparison();
    const Task* task = m_comparing.task();
    if (!comparison || !task)
        return {};
    return rooflineScene(*comparison, looks(), *task, limitsOf(deviceFactsOf(m_comparing.run()), *task));
}

PointScene ComparePage::tradeOff() const
{
    const auto& comparison = m_comparing.comparison();
    const int chosen = std::max(m_cost->currentIndex(), 0);
    PointScene nothing;
    nothing.nothing = tr("No measurement of this session has registers, shared memory, machine code or an error.");
    if (!comparison || static_cast<std::size_t>(chosen) >= m_costs.size())
        return nothing;
    const int shape = m_tradeOffShape->currentIndex();
    return tradeOffScene(*comparison, looks(), m_comparing.run(), m_costs[static_cast<std::size_t>(chosen)],
        shape > 0 ? std::optional(static_cast<std::size_t>(shape - 1)) : std::nullopt);
}

PointScene ComparePage::spread() const
{
    const auto& comparison = m_comparing.comparison();
    return comparison
        ? spreadScene(*comparison, looks(), static_cast<std::size_t>(std::max(m_spreadShape->currentIndex(), 0)))
        : PointScene{};
}

void ComparePage::showProperties()
{
    const auto& comparison = m_comparing.comparison();
    if (!comparison)
        return;
    QStringList headings{tr("Property")};
    for (std::size_t i = 0; i < comparison->programs.size(); ++i)
        headings << m_comparing.nameOf(i);
    std::vector<QStringList> rows;
    std::size_t differing = 0;
    for (const ComparedProperty& property : comparison->properties) {
        differing += property.differs();
        if (m_onlyDifferences->isChecked() && !property.differs())
            continue;
        QStringList row{text(property.unit.empty() ? property.name : property.name + " (" + property.unit + ")")};
        for (const std::string& value : property.values)
            row << (value.empty() ? u"–"_s : text(value));
        rows.push_back(std::move(row));
    }
    m_properties->show(headings, {}, rows);
    fitToRows(*m_propertiesTable);
    m_propertiesTitle->setSubText(tr("%1 of %2 differ").arg(differing).arg(comparison->properties.size()));
}

void ComparePage::showText()
{
    if (!m_comparing.comparison())
        return;
    QStringList names;
    for (std::size_t i = 0; i < m_comparing.choices().size(); ++i)
        if (m_comparing.choices()[i].kind != Kind::Vendor)
            names << m_comparing.nameOf(i);
    const bool isFirst = m_before->count() == 0;
    fill(*m_before, names, static_cast<int>(names.size()) - 1);
    fill(*m_after, names);
    if (isFirst && names.size() > 1 && m_before->currentIndex() == m_after->currentIndex())
        m_before->setCurrentIndex(1);
    m_textTitle->fit();
    if (!m_diff->isVisible())
        return;
    const auto textNamed = [this](const QString& name) {
        for (std::size_t i = 0; i < m_comparing.choices().size(); ++i)
            if (m_comparing.choices()[i].kind != Kind::Vendor && m_comparing.nameOf(i) == name)
                return m_comparing.textOf(i);
        return std::optional<QString>();
    };
    const auto before = textNamed(m_before->currentText()), after = textNamed(m_after->currentText());
    m_diff->setTitles(m_before->currentText(), m_after->currentText());
    if (before && after)
        m_diff->show(*before, *after);
    else
        m_diff->setNote(tr("Loading the texts of the programs…"));
}

void ComparePage::setTableTwin(bool table)
{
    for (PlotPane* each : {m_roofline, m_tradeOff, m_spread, m_heldout})
        each->setTableTwin(table);
}

void ComparePage::setLoading(bool loading)
{
    for (DockTitle* each : {&m_heat->title(), &m_roofline->title(), &m_tradeOff->title(), &m_spread->title(),
             &m_heldout->title(), m_propertiesTitle, m_textTitle})
        each->setLoading(loading);
}

bool ComparePage::canFind() const { return m_diff->isVisible(); }
void ComparePage::find() { m_diff->find(); }

QString ComparePage::statusText()
{
    const auto& comparison = m_comparing.comparison();
    if (!comparison)
        return {};
    return tr("%1, %2").arg(
        counted(static_cast<std::int64_t>(comparison->programs.size()), tr("%1 program"), tr("%1 programs")),
        counted(static_cast<std::int64_t>(comparison->shapes.size()), tr("%1 shape"), tr("%1 shapes")));
}

void ComparePage::askWhere(Export what)
{
    const QFileInfo session(text(m_context.session.snapshot().status.sessionPath));
    const bool isPicture = what != Export::Csv && what != Export::Json;
    const QString ending = what == Export::Csv ? u"csv"_s : what == Export::Json ? u"json"_s : u"svg"_s;
    const QString part = what == Export::Roofline ? u"-roofline"_s
        : what == Export::TradeOff                ? u"-cost"_s
        : what == Export::Spread                  ? u"-timings"_s
                                                  : u""_s;
    auto* dialog = new QFileDialog(this, tr("Export"),
        session.dir().filePath(session.completeBaseName() + u"-compare"_s + part + u'.' + ending),
        isPicture                 ? tr("SVG pictures (*.svg);;PNG pictures (*.png)")
            : what == Export::Csv ? tr("CSV (*.csv)")
                                  : tr("JSON (*.json)"));
    dialog->setObjectName(u"exportDialog"_s);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setDefaultSuffix(ending);
    connect(dialog, &QFileDialog::filterSelected, dialog,
        [dialog](const QString& filter) { dialog->setDefaultSuffix(filter.contains(u"png"_s) ? u"png"_s : u"svg"_s); });
    connect(dialog, &QFileDialog::fileSelected, this, [this, what](const QString& path) { exportTo(what, path); });
    dialog->open();
}

void ComparePage::exportTo(Export what, const QString& path)
{
    const auto& comparison = m_comparing.comparison();
    const Task* task = m_comparing.task();
    if (!comparison || !task)
        return;
    const PictureForm form = pictureFormOf(path);
    const auto bytes = [&]() -> Result<std::string> {
        switch (what) {
        case Export::Csv:
            return comparisonCsv(*comparison, *task);
        case Export::Json:
            return dumped(toJson(*comparison, *task)) + "\n";
        case Export::HeatTable:
            return pictureOf(m_heat->model(), form);
        case Export::Roofline:
            return pictureOf(roofline(), form);
        case Export::TradeOff:
            return pictureOf(tradeOff(), form);
        case Export::Spread:
            break;
        }
        return pictureOf(spread(), form);
    }();
    const Result<void> written = bytes ? saveFile(path.toStdString(), *bytes) : std::unexpected(bytes.error());
    if (!written)
        Q_EMIT failed(
            tr("The comparison could not be written: %1.").arg(text(written.error().text)), text(written.error().hint));
    else
        Q_EMIT saved(tr("The comparison was written to %1.").arg(path));
}

} // namespace tilewright::ui
