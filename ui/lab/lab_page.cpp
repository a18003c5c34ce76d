// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lab/lab_page.h"

#include "core/base/files.h"
#include "ui/compare/comparison_export.h"
#include "ui/lab/crossover_run.h"
#include "ui/lab/game_page.h"
#include "ui/lab/guided_demo.h"
#include "ui/lab/scheme_kernel_page.h"
#include "ui/lab/scheme_task_dialog.h"
#include "ui/lab/scheme_words.h"
#include "ui/lab/schemes_page.h"
#include "ui/lab/search_page.h"
#include "ui/lab/steps_page.h"
#include "ui/lab/strassen_page.h"
#include "ui/lab/tiling_page.h"
#include "ui/lab/tunables_page.h"
#include "ui/theme/theme.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/file_question.h"
#include "ui/widgets/pane.h"

#include <QHBoxLayout>
#include <QMenu>
#include <QPushButton>
#include <QStackedWidget>
#include <QTabBar>
#include <QVBoxLayout>
#include <utility>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

namespace {

template <typename... Pages> void showTables(QWidget* page, bool table)
{
    const auto show = [table](auto* of) {
        if (of)
            of->setTableTwin(table);
    };
    (show(qobject_cast<Pages*>(page)), ...);
}

/// Of those pages that have plots; null: the page is not made yet.
void showPlotsAsTables(QWidget* page, bool table)
{
    showTables<StrassenPage, SearchPage, SchemeKernelPage, TilingPage, TunablesPage, StepsPage>(page, table);
}

} // namespace

LabPage::LabPage(const ViewContext& context, QWidget* parent)
    : QWidget(parent)
    , m_context(context)
    , m_tabs(new QTabBar(this))
    , m_stack(new QStackedWidget(this))
{
    setObjectName(u"labPage"_s);
    m_tabs->setObjectName(u"labTabs"_s);
    m_tabs->setAccessibleName(tr("Pages of the lab"));
    m_tabs->setExpanding(false);
    m_tabs->setDrawBase(false);
    m_stack->addWidget(new QWidget(m_stack)); // until the lab is seen: a stack shows its first page at once
    addPage(tr("Strassen and tensors"), [this] { return makeStrassen(); });
    addPage(tr("TensorGame"), [this] { return makeGame(); });
    addPage(tr("Search"), [this] { return makeSearch(); });
    addPage(tr("Schemes"), [this] { return makeSchemes(); });
    addPage(tr("Scheme to kernel"), [this] { return makeKernel(); });
    addPage(tr("Tiling explorer"), [this] { return new TilingPage(m_lab, m_context); });
    addPage(tr("Score against a tunable"), [this] { return new TunablesPage(m_context); });
    addPage(tr("Steps to the best"), [this] {
        auto* made = new StepsPage(m_context);
        connect(made, &StepsPage::stepChanged, this, [this] { stateChanged(); });
        return made;
    });
    m_demo = new DemoBar(*this, this); // which Tab comes to after the page
    auto* remark = new ElidedLabel(tr("The lab does not change the run."), this);
    auto* top = new QHBoxLayout;
    top->setContentsMargins(px(8), 0, px(12), 0);
    top->addWidget(m_tabs);
    top->addStretch(1);
    top->addWidget(remark);
    top->addSpacing(px(12));
    auto* demos = new QPushButton(icon(u"play"_s), tr("Demos"), this);
    demos->setObjectName(u"labDemos"_s);
    auto* menu = new QMenu(demos);
    for (const GuidedDemo& each : guidedDemos())
        connect(menu->addAction(each.title), &QAction::triggered, this, [this, &each] { m_demo->begin(each); });
    demos->setMenu(menu);
    menu->addSeparator();
    connect(
        menu->addAction(tr("Save this page as a picture…")), &QAction::triggered, this, &LabPage::askWhereToSavePage);
    connect(menu->addAction(tr("Reset the lab")), &QAction::triggered, this, &LabPage::reset);
    top->addWidget(demos);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(top);
    column->addWidget(m_stack, 1);
    column->addWidget(m_demo);
    connect(m_tabs, &QTabBar::currentChanged, this, [this] {
        showChosenPage();
        stateChanged();
    });
    for (const auto signal : {&LabModel::schemeChanged, &LabModel::tileChanged})
        connect(&m_lab, signal, this, [this] { stateChanged(); });
    connect(&m_context.session, &SessionClient::replaced, this, [this] {
        // The window goes to the screen of the session: the demo that wanted it goes on here.
        if (m_context.session.isOpen() && std::exchange(m_wantedRecord, false) && m_demo->isRunning())
            QMetaObject::invokeMethod(
                this, [this] { bring(); }, Qt::QueuedConnection);
    });
    connect(&m_context.session, &SessionClient::changed, this, [this] {
        if (isVisible())
            refreshPagesOfSession();
        m_demo->refresh();
    });
}

void LabPage::addPage(const QString& name, std::function<QWidget*()> make)
{
    m_tabs->addTab(name);
    const auto dressed = [this, make = std::move(make)] {
        QWidget* page = make();
        showPlotsAsTables(page, m_isTable);
        return page;
    };
    m_pages.push_back(new LatePage(dressed, m_stack));
    m_stack->addWidget(m_pages.back());
}

void LabPage::showChosenPage()
{
    if (!isVisible())
        return;
    LatePage* late = m_pages[static_cast<std::size_t>(page())];
    m_stack->setCurrentWidget(late);
    tabThrough(late, {&late->page()}); // a page that is made late is the last that Tab would come to
}

QWidget* LabPage::made(Page page) const
{
    const LatePage* late = m_pages[static_cast<std::size_t>(page)];
    return late->isMade() ? late->widget() : nullptr;
}

StrassenPage* LabPage::makeStrassen()
{
    auto* page = new StrassenPage(m_lab, m_schemes, crossover());
    connect(page, &StrassenPage::failed, this, &LabPage::failed);
    connect(page, &StrassenPage::saved, this, &LabPage::saved);
    connect(page, &StrassenPage::evolveWanted, this, &LabPage::evolveFromScheme);
    return page;
}

GamePage* LabPage::makeGame()
{
    auto* page = new GamePage(m_lab);
    page->showScheme = [this] { showPage(Page::Strassen); };
    page->searchFrom = [this](const tensor::TensorGame& game) {
        showPage(Page::Search);
        search().searchFrom(game);
    };
    return page;
}

SearchPage* LabPage::makeSearch()
{
    auto* page = new SearchPage(m_lab, m_schemes);
    page->showScheme = [this] { showPage(Page::Strassen); };
    connect(&page->search(), &SearchRun::changed, this, [this] {
        if (this->page() == Page::Search)
            stateChanged();
    });
    return page;
}

SchemesPage* LabPage::makeSchemes()
{
    auto* page = new SchemesPage(m_lab, m_schemes);
    connect(page, &SchemesPage::failed, this, &LabPage::failed);
    connect(page, &SchemesPage::saved, this, &LabPage::saved);
    connect(page, &SchemesPage::evolveWanted, this, &LabPage::evolveFromScheme);
    connect(page, &SchemesPage::schemeWanted, this, [this] { showPage(Page::Strassen); });
    return page;
}

SchemeKernelPage* LabPage::makeKernel()
{
    auto* page = new SchemeKernelPage(m_lab, crossover(), m_context.session);
    connect(page, &SchemeKernelPage::evolveWanted, this, &LabPage::evolveFromScheme);
    return page;
}

CrossoverRun& LabPage::crossover()
{
    if (m_crossover)
        return *m_crossover;
    m_crossover = new CrossoverRun(this);
    connect(m_crossover, &CrossoverRun::changed, this, [this] {
        m_demo->refresh();
        if (page() == Page::Kernel)
            stateChanged();
    });
    return *m_crossover;
}

StrassenPage& LabPage::strassen() { return static_cast<StrassenPage&>(m_pages[int(Page::Strassen)]->page()); }
GamePage& LabPage::game() { return static_cast<GamePage&>(m_pages[int(Page::Game)]->page()); }
SearchPage& LabPage::search() { return static_cast<SearchPage&>(m_pages[int(Page::Search)]->page()); }
StepsPage& LabPage::steps() { return static_cast<StepsPage&>(m_pages[int(Page::Steps)]->page()); }
SchemeKernelPage& LabPage::kernel() { return static_cast<SchemeKernelPage&>(m_pages[int(Page::Kernel)]->page()); }
TunablesPage& LabPage::tunables() { return static_cast<TunablesPage&>(m_pages[int(Page::Tunables)]->page()); }

void LabPage::wantRecordedSession()
{
    if (!m_context.session.isOpen() && !std::exchange(m_wantedRecord, true))
        Q_EMIT demoWanted(u"gemm-steps"_s);
}

void LabPage::evolveFromScheme()
{
    if (!whyNoTask(m_lab.scheme(), m_lab.verification().isExact()).isEmpty())
        return;
    if (!m_taskDialog) {
        m_taskDialog = new SchemeTaskDialog(m_context.session, this);
        connect(m_taskDialog, &SchemeTaskDialog::written, this, &LabPage::sessionWanted);
    }
    m_taskDialog->showFor(m_lab.scheme());
}

void LabPage::setPresenting(bool isPresenting) { m_demo->setPresenting(isPresenting); }

TilingPage& LabPage::tiling() { return static_cast<TilingPage&>(m_pages[int(Page::Tiling)]->page()); }

void LabPage::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    showChosenPage();
    refreshPagesOfSession();
}

void LabPage::refreshPagesOfSession()
{
    if (auto* tunables = static_cast<TunablesPage*>(made(Page::Tunables)))
        tunables->refresh();
    if (auto* steps = static_cast<StepsPage*>(made(Page::Steps)))
        steps->refresh();
}

void LabPage::showPage(Page page) { m_tabs->setCurrentIndex(static_cast<int>(page)); }

bool LabPage::beginDemo(const QString& id)
{
    const GuidedDemo* demo = guidedDemo(id);
    if (demo)
        m_demo->begin(*demo);
    return demo != nullptr;
}

Result<void> LabPage::savePicture(const QString& path)
{
    const auto bytes = pictureOf(m_pages[static_cast<std::size_t>(page())]->page(), pictureFormOf(path));
    return bytes ? saveFile(path.toStdString(), *bytes) : std::unexpected(bytes.error());
}

void LabPage::askWhereToSavePage()
{
    askWhereToSave(this, {tr("Save this page as a picture"), tr("Pictures (*.svg *.png)"), u"lab.svg"_s},
        [this](const QString& path) {
            if (const auto done = savePicture(path); done)
                Q_EMIT saved(tr("Saved %1.").arg(path));
            else
                Q_EMIT failed(QString::fromStdString(done.error().text), QString::fromStdString(done.error().hint));
        });
}

void LabPage::reset()
{
    m_demo->end();
    const LabModel first;
    m_lab.setScheme(first.scheme());
    m_lab.setGpuTile(first.gpuTile());
    m_lab.setCpuTile(first.cpuTile());
    m_lab.setSize(first.size());
    if (auto* strassen = static_cast<StrassenPage*>(made(Page::Strassen))) {
        strassen->setPrices(20, 1, 1);
        strassen->setRelative(false);
    }
    if (auto* game = static_cast<GamePage*>(made(Page::Game)))
        game->begin();
    m_tabs->setCurrentIndex(0);
}

LabPage::Page LabPage::page() const { return static_cast<Page>(m_tabs->currentIndex()); }

QString LabPage::statusText()
{
    QWidget* now = made(page());
    if (!now)
        return {};
    switch (page()) {
    case Page::Strassen:
        return static_cast<StrassenPage*>(now)->statusText();
    case Page::Game:
        return static_cast<GamePage*>(now)->statusText();
    case Page::Search:
        return static_cast<SearchPage*>(now)->statusText();
    case Page::Schemes:
        return static_cast<SchemesPage*>(now)->statusText();
    case Page::Kernel:
        return static_cast<SchemeKernelPage*>(now)->statusText();
    case Page::Tiling:
        return static_cast<TilingPage*>(now)->statusText();
    case Page::Tunables:
        return static_cast<TunablesPage*>(now)->statusText();
    case Page::Steps:
        return static_cast<StepsPage*>(now)->statusText();
    }
    return {};
}

void LabPage::setTableTwin(bool table)
{
    m_isTable = table;
    for (const LatePage* late : m_pages)
        showPlotsAsTables(late->widget(), table);
}

void LabPage::addFinderPlaces(std::vector<FinderPlace>& places)
{
    for (int at = 0; at < m_tabs->count(); ++at)
        places.push_back({m_tabs->tabText(at), tr("Lab"), tr("lab Strassen tensor tile tiling"), [this, at] {
                              bring();
                              m_tabs->setCurrentIndex(at);
                          }});
    for (const GuidedDemo& demo : guidedDemos())
        places.push_back({demo.title, tr("Lab"), tr("guided demo worksheet class"), [this, &demo] {
                              bring();
                              m_demo->begin(demo);
                          }});
}

} // namespace tilewright::ui
