// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/pictures.h"

#include "app/gui/picture_popups.h"
#include "core/base/files.h"
#include "core/base/folders.h"
#include "ui/compare/compare_page.h"
#include "ui/devices/devices_page.h"
#include "ui/evolve/candidate_inspector.h"
#include "ui/evolve/evolve_page.h"
#include "ui/evolve/records_panel.h"
#include "ui/lab/guided_demo.h"
#include "ui/lab/lab_page.h"
#include "ui/lab/steps_page.h"
#include "ui/lab/tiling_page.h"
#include "ui/models/figures.h"
#include "ui/own/own_kernel_page.h"
#include "ui/prompts/prompts_page.h"
#include "ui/review/review_page.h"
#include "ui/settings/models_page.h"
#include "ui/shell/main_window.h"
#include "ui/welcome/new_session_page.h"
#include "ui/welcome/proposer_picker.h"

#include <QDockWidget>
#include <QScrollArea>
#include <QScrollBar>

namespace tilewright::gui {

using namespace ui;
namespace {

using namespace Qt::StringLiterals;

/// The best confirmed candidate, else the one with the highest provisional score, else the seed.
CandidateId bestOf(const RunState& run)
{
    if (const Candidate* best = run.best())
        return best->id;
    const Candidate* chosen = nullptr;
    for (const Candidate& candidate : run.candidates)
        if (!chosen || (candidate.isRanked() && (!chosen->isRanked() || candidate.score->value > chosen->score->value)))
            chosen = &candidate;
    return chosen ? chosen->id : CandidateId{};
}

CandidateId lastFailure(const RunState& run)
{
    CandidateId found = bestOf(run);
    for (const Candidate& candidate : run.candidates)
        if (isFailure(candidate))
            found = candidate.id;
    return found;
}

/// The best of those that somebody was asked for in a prompt.
CandidateId bestAnswer(const RunState& run)
{
    const Candidate* chosen = nullptr;
    for (const Candidate& candidate : run.candidates) {
        const Proposal* proposal = run.proposal(candidate.proposal);
        if (!candidate.migrated && candidate.isRanked() && proposal && proposal->modelRequest
            && (!chosen || candidate.score->value > chosen->score->value))
            chosen = &candidate;
    }
    return chosen ? chosen->id : bestOf(run);
}

CandidateId noted(const RunState& run)
{
    for (const Candidate& candidate : run.candidates)
        if (!run.marksOf(candidate.id).note.empty())
            return candidate.id;
    return bestOf(run);
}

void evolve(MainWindow& window, CandidateId candidate, TextTabs::Tab tab, int record, bool tables)
{
    window.showScreen(u"evolve"_s);
    window.selection().select(candidate);
    window.evolve().inspector().setTab(tab);
    window.actions()[u"view.blame"_s].setChecked(false);
    window.evolve().records().showTab(record);
    window.evolve().setTableTwin(tables);
}

void showPrompts(MainWindow& window, PromptsPage::Part part)
{
    window.showScreen(u"prompts"_s);
    window.prompts().show(part);
}

/// Where nothing is set up yet: the shipped example, which names no key.
void showExample(MainWindow& window)
{
    ModelsBook& book = window.models();
    const auto text = readFile(sharedFolder() / "resources/models/example.json");
    const auto draft = text ? ModelsDraft::from(*text) : std::unexpected(text.error());
    if (draft && book.draft().count(DraftPart::Endpoint) == 0)
        book.change(*draft, MainWindow::tr("example"));
}

void showSettings(MainWindow& window, DraftPart part)
{
    showExample(window);
    window.showScreen(u"settings"_s);
    window.modelsPage().choose({part, part == DraftPart::Limits ? 0UL : 1UL});
}

void showDevices(MainWindow& window, bool table)
{
    window.selection().select(bestOf(window.session().run()));
    window.showScreen(u"devices"_s);
    window.devices().setTableTwin(table);
}

void showLab(MainWindow& window, LabPage::Page page, bool tables)
{
    window.showScreen(u"lab"_s);
    LabPage* lab = &window.lab();
    lab->setTableTwin(tables);
    if (auto* demo = lab->findChild<DemoBar*>(); demo->isRunning())
        demo->end();
    lab->showPage(page);
}

void showCompared(MainWindow& window, const QString& lower, const QString& right, bool table)
{
    window.showScreen(u"compare"_s);
    window.compare().raise(lower);
    window.compare().raise(right);
    window.compare().setTableTwin(table);
}

void showChoices(MainWindow& window)
{
    window.showScreen(u"welcome"_s);
    window.welcome().showChoices();
}

/// With the shipped example of a kernel, described as far as its file tells.
void showOwnKernel(MainWindow& window)
{
    window.showScreen(u"welcome"_s);
    window.welcome().showOwnKernel();
    const auto path = sharedFolder() / "kernels/examples/own-kernel/softmax.cpp";
    if (const auto source = readFile(path))
        window.welcome().ownKernel().work().openText(QString::fromStdString(path.string()), *source);
}

/// Of a page that is longer than the window.
void scrollChoices(MainWindow& window, QAbstractSlider::SliderAction to)
{
    for (auto* area : window.welcome().findChildren<QScrollArea*>())
        area->verticalScrollBar()->triggerAction(to);
}

void showEnd(MainWindow& window)
{
    showChoices(window);
    scrollChoices(window, QAbstractSlider::SliderToMaximum);
}

void showModelChoice(MainWindow& window)
{
    showExample(window);
    showChoices(window);
    window.welcome().proposers().choose(u"model"_s);
    scrollChoices(window, QAbstractSlider::SliderToMinimum); // where an earlier screen left it elsewhere
}

/// Each closes first what the one before opened or began.
std::vector<Picture> withPopups(std::vector<Picture> all)
{
    for (Picture& each : popupPictures())
        all.push_back(std::move(each));
    for (Picture& each : all)
        each.show = [show = std::move(each.show)](MainWindow& window) {
            for (QWidget* open : windowsOver(window))
                open->close();
            window.review().leaveEditing();
            show(window);
        };
    return all;
}

} // namespace

QList<QWidget*> windowsOver(const MainWindow& window)
{
    QList<QWidget*> open;
    for (QWidget* widget : window.findChildren<QWidget*>())
        if (widget->isWindow() && widget->isVisible() && !widget->inherits("QTipLabel")
            && !qobject_cast<QDockWidget*>(widget))
            open << widget;
    return open;
}

const std::vector<Picture>& pictures()
{
    using Needs = Picture::Needs;
    static const std::vector<Picture> all = withPopups({
        {u"welcome"_s, Needs::NoSession, [](MainWindow& w) { showChoices(w); }},
        {u"evolve-empty"_s, Needs::NoSession, [](MainWindow& w) { w.showScreen(u"evolve"_s); }},
        {u"review-empty"_s, Needs::NoSession, [](MainWindow& w) { w.showScreen(u"review"_s); }},
        {u"compare-empty"_s, Needs::NoSession, [](MainWindow& w) { w.showScreen(u"compare"_s); }},
        {u"new-session"_s, Needs::Nothing, [](MainWindow& w) { showChoices(w); }},
        {u"evolve"_s, Needs::Session,
            [](MainWindow& w) { evolve(w, bestOf(w.session().run()), TextTabs::Diff, 0, false); }},
        {u"evolve-code"_s, Needs::Session,
            [](MainWindow& w) { evolve(w, bestOf(w.session().run()), TextTabs::Code, 1, false); }},
        {u"evolve-blame"_s, Needs::Session,
            [](MainWindow& w) {
                evolve(w, bestOf(w.session().run()), TextTabs::Code, 1, false);
                w.actions()[u"view.blame"_s].setChecked(true);
            }},
        {u"export"_s, Needs::Session, [](MainWindow& w) { w.actions()[u"session.export-winner"_s].trigger(); }, true},
        {u"evolve-build-log"_s, Needs::Session,
            [](MainWindow& w) { evolve(w, lastFailure(w.session().run()), TextTabs::BuildLog, 1, false); }},
        {u"evolve-compiled"_s, Needs::Session,
            [](MainWindow& w) { evolve(w, bestOf(w.session().run()), TextTabs::Compiled, 0, false); }},
        {u"evolve-evidence"_s, Needs::Session,
            [](MainWindow& w) { evolve(w, bestOf(w.session().run()), TextTabs::Evidence, 0, false); }},
        {u"evolve-runs"_s, Needs::Session,
            [](MainWindow& w) { evolve(w, bestOf(w.session().run()), TextTabs::Runs, 0, false); }},
        {u"evolve-tables"_s, Needs::Session,
            [](MainWindow& w) { evolve(w, bestOf(w.session().run()), TextTabs::Diff, 0, true); }},
        {u"evolve-models"_s, Needs::Session,
            [](MainWindow& w) { evolve(w, bestAnswer(w.session().run()), TextTabs::Prompt, 2, false); }},
        {u"evolve-niches"_s, Needs::Session,
            [](MainWindow& w) { evolve(w, bestOf(w.session().run()), TextTabs::Diff, 3, false); }},
        {u"evolve-reply"_s, Needs::Session,
            [](MainWindow& w) { evolve(w, bestAnswer(w.session().run()), TextTabs::Reply, 0, false); }},
        {u"evolve-notes"_s, Needs::Session,
            [](MainWindow& w) { evolve(w, noted(w.session().run()), TextTabs::Notes, 5, false); }},
        {u"evolve-queue"_s, Needs::Session,
            [](MainWindow& w) { evolve(w, bestOf(w.session().run()), TextTabs::Diff, 4, false); }},
        {u"review"_s, Needs::Session, [](MainWindow& w) { w.showScreen(u"review"_s); }},
        {u"review-editing"_s, Needs::Session,
            [](MainWindow& w) {
                w.showScreen(u"review"_s);
                w.review().edit();
            }},
        {u"prompts"_s, Needs::Session, [](MainWindow& w) { showPrompts(w, PromptsPage::Templates); }},
        {u"prompts-open"_s, Needs::Nothing, [](MainWindow& w) { showPrompts(w, PromptsPage::Open); }},
        {u"settings"_s, Needs::Nothing, [](MainWindow& w) { w.actions()[u"settings.appearance"_s].trigger(); }},
        {u"settings-sessions"_s, Needs::Nothing, [](MainWindow& w) { w.actions()[u"settings.sessions"_s].trigger(); }},
        {u"settings-devices"_s, Needs::Nothing, [](MainWindow& w) { w.actions()[u"settings.devices"_s].trigger(); }},
        {u"settings-shortcuts"_s, Needs::Nothing,
            [](MainWindow& w) { w.actions()[u"settings.shortcuts"_s].trigger(); }},
        {u"settings-models"_s, Needs::Nothing, [](MainWindow& w) { showSettings(w, DraftPart::Endpoint); }},
        {u"settings-model"_s, Needs::Nothing, [](MainWindow& w) { showSettings(w, DraftPart::Model); }},
        {u"new-session-models"_s, Needs::Nothing, [](MainWindow& w) { showModelChoice(w); }},
        {u"new-session-end"_s, Needs::Nothing, [](MainWindow& w) { showEnd(w); }},
        {u"settings-limits"_s, Needs::Nothing, [](MainWindow& w) { showSettings(w, DraftPart::Limits); }},
        {u"own-kernel"_s, Needs::Nothing, [](MainWindow& w) { showOwnKernel(w); }},
        {u"compare"_s, Needs::Session,
            [](MainWindow& w) { showCompared(w, u"propertiesDock"_s, u"tradeOffDock"_s, false); }},
        {u"compare-text"_s, Needs::Session,
            [](MainWindow& w) { showCompared(w, u"textDock"_s, u"spreadDock"_s, false); }},
        {u"compare-held-out"_s, Needs::Session,
            [](MainWindow& w) { showCompared(w, u"heldoutDock"_s, u"spreadDock"_s, false); }},
        {u"compare-tables"_s, Needs::Session,
            [](MainWindow& w) { showCompared(w, u"propertiesDock"_s, u"tradeOffDock"_s, true); }},
        {u"lab"_s, Needs::Nothing, [](MainWindow& w) { showLab(w, LabPage::Page::Strassen, false); }},
        {u"lab-game"_s, Needs::Nothing, [](MainWindow& w) { showLab(w, LabPage::Page::Game, false); }},
        {u"lab-search"_s, Needs::Nothing, [](MainWindow& w) { showLab(w, LabPage::Page::Search, false); }},
        {u"lab-demo"_s, Needs::Nothing,
            [](MainWindow& w) {
                w.showScreen(u"lab"_s);
                w.lab().beginDemo(u"strassen"_s);
            }},
        {u"lab-demo-kernel"_s, Needs::Session,
            [](MainWindow& w) {
                w.showScreen(u"lab"_s);
                w.lab().beginDemo(u"kernel"_s);
                w.lab().setPresenting(true);
            }},
        {u"lab-schemes"_s, Needs::Nothing, [](MainWindow& w) { showLab(w, LabPage::Page::Schemes, false); }},
        {u"lab-kernel"_s, Needs::Nothing,
            [](MainWindow& w) {
                w.showScreen(u"lab"_s);
                w.lab().setPresenting(false);
                w.lab().beginDemo(u"scheme-to-kernel"_s);
                w.lab().findChild<DemoBar*>()->go(6); // what can be measured
            }},
        {u"lab-tiling"_s, Needs::Nothing,
            [](MainWindow& w) {
                showLab(w, LabPage::Page::Tiling, false);
                w.lab().tiling().setDevice(TileDevice::Gpu);
            }},
        {u"lab-tiling-cpu"_s, Needs::Nothing,
            [](MainWindow& w) {
                showLab(w, LabPage::Page::Tiling, false);
                w.lab().tiling().setDevice(TileDevice::Cpu);
                w.lab().tiling().map().setMeasured(true);
            }},
        {u"lab-tunables"_s, Needs::Session, [](MainWindow& w) { showLab(w, LabPage::Page::Tunables, false); }},
        {u"lab-steps"_s, Needs::Session,
            [](MainWindow& w) {
                showLab(w, LabPage::Page::Steps, false);
                w.lab().steps().choose(static_cast<int>(w.lab().steps().steps().size()) / 2);
            }},
        {u"lab-tables"_s, Needs::Session, [](MainWindow& w) { showLab(w, LabPage::Page::Tunables, true); }},
        {u"devices"_s, Needs::Session, [](MainWindow& w) { showDevices(w, false); }},
        {u"devices-table"_s, Needs::Session, [](MainWindow& w) { showDevices(w, true); }},
    });
    return all;
}

} // namespace tilewright::gui
