// SPDX-License-Identifier: GPL-3.0-or-later
// The Lab mode: pages that teach why kernels are fast. They look at one scheme and one tile together, and change
// nothing of a run. GUI thread.
#pragma once

#include "ui/lab/lab_model.h"
#include "ui/lab/scheme_list.h"
#include "ui/session/screen.h"
#include "ui/session/view_context.h"

#include <QWidget>

class QStackedWidget;
class QTabBar;

namespace tilewright::ui {

class DemoBar;
class GamePage;
class LatePage;
class SchemesPage;
class CrossoverRun;
class SchemeKernelPage;
class SchemeTaskDialog;
class SearchPage;
class StepsPage;
class StrassenPage;
class TilingPage;
class TunablesPage;

class LabPage : public QWidget, public Screen
{
    Q_OBJECT

public:
    enum class Page { Strassen, Game, Search, Schemes, Kernel, Tiling, Tunables, Steps };

    explicit LabPage(const ViewContext& context, QWidget* parent = nullptr);
    QWidget& asWidget() override { return *this; }
    QString statusText() override;
    void setTableTwin(bool table) override;
    void addFinderPlaces(std::vector<FinderPlace>& places) override;

    void showPage(Page page);
    Page page() const;
    LabModel& lab() { return m_lab; }
    SchemeList& schemes() { return m_schemes; }
    CrossoverRun& crossover(); ///< made when it is asked for first
    // A page is made when it is shown first, or asked for.
    StrassenPage& strassen();
    GamePage& game();
    SearchPage& search();
    SchemeKernelPage& kernel();
    TilingPage& tiling();
    TunablesPage& tunables();
    StepsPage& steps();
    const Snapshot& session() const { return m_context.session.snapshot(); }
    /// The recorded run of the CPU task in steps, unless a session is open.
    void wantRecordedSession();
    /// Asks how the lab's scheme is to become a task.
    void evolveFromScheme();
    /// Demos with the presenter's notes.
    void setPresenting(bool isPresenting);
    /// False: there is no guided demo of this id.
    bool beginDemo(const QString& id);
    /// The page that is shown, as a picture: .svg or .png by the ending. Errors: those of saveFile().
    Result<void> savePicture(const QString& path);
    /// As the lab is at first, for the next class: scheme, tile, prices, game; a search that runs goes on.
    void reset();

Q_SIGNALS:
    void failed(const QString& text, const QString& hint);
    void saved(const QString& words);
    void pageWanted(const QString& page); ///< of the documentation
    void sessionWanted(const QString& folder); ///< with the task in it
    void demoWanted(const QString& name); ///< a recorded session, to be opened

protected:
    void showEvent(QShowEvent* event) override;

private:
    void addPage(const QString& name, std::function<QWidget*()> make);
    void showChosenPage(); ///< if the lab is seen
    void refreshPagesOfSession(); ///< those that are made
    QWidget* made(Page page) const; ///< null: it is not made yet
    StrassenPage* makeStrassen();
    GamePage* makeGame();
    SearchPage* makeSearch();
    SchemesPage* makeSchemes();
    SchemeKernelPage* makeKernel();
    void askWhereToSavePage();

    ViewContext m_context;
    LabModel m_lab;
    SchemeList m_schemes;
    CrossoverRun* m_crossover = nullptr;
    QTabBar* m_tabs;
    QStackedWidget* m_stack;
    std::vector<LatePage*> m_pages;
    bool m_isTable = false; ///< plots as tables
    bool m_wantedRecord = false;
    DemoBar* m_demo = nullptr;
    SchemeTaskDialog* m_taskDialog = nullptr; ///< null: nobody asked for it yet
};

} // namespace tilewright::ui
