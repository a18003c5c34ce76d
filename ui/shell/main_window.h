// SPDX-License-Identifier: GPL-3.0-or-later
// The window: menu, toolbar, modes, status bar around the screens, and what the actions do. GUI thread. Closing asks
// the engine to write everything and goes when it has; the event loop is never blocked.
#pragma once

#include "ui/session/screen.h"
#include "ui/session/view_context.h"
#include "ui/settings/models_book.h"
#include "ui/shell/message_log.h"
#include "ui/widgets/message_bar.h"

#include <QMainWindow>
#include <QPointer>
#include <functional>
#include <map>

class QMenu;
class QStackedWidget;

namespace tilewright::ui {

class ComparePage;
class LabPage;
class EvolvePage;
class GitLineage;
class GivingWay;
class ModeBar;
class ModelsPage;
class RunControl;
class UndoController;
class NewSessionPage;
class PromptsPage;
class DevicesPage;
class ReviewPage;
class StatusLine;
class RunBar;
class RunNews;
class ProgramFile;
class SessionFiles;
class SessionMessages;
class SettingsScreen;
class SettingsPage;
class Tour;
class Workspace;

class MainWindow : public QMainWindow
{
    Q_OBJECT

public:
    /// Door and settings must outlive the window.
    MainWindow(EngineClient& client, Settings& settings);
    ~MainWindow() override;

    void openFile(const QString& path);
    /// Opens a copy of resources/demo/NAME.tilewright, so that the shipped file is never written.
    void openDemo(const QString& name);
    void showScreen(const QString& id);
    /// Those of all screens.
    void addFinderPlaces(std::vector<FinderPlace>& places);
    QWidget* makeSettings(); ///< the page
    /// Shows it where, and as large as, it was closed last, maximised too; the first time as large as the screen lets
    /// it.
    void showWhereLeft();

    Workspace* workspace(); ///< of the screen that is shown; null: it has none
    NewSessionPage& welcome() { return *m_welcome; }
    EvolvePage& evolve() { return *m_evolve; }
    PromptsPage& prompts() { return *m_prompts; }
    ReviewPage& review() { return *m_review; }
    DevicesPage& devices() { return *m_devices; }
    ComparePage& compare() { return *m_compare; }
    LabPage& lab() { return *m_lab; }
    SettingsPage& settingsPage(); ///< made when it is asked for first
    ModelsPage& modelsPage();
    ModelsBook& models() { return m_models; }
    ActionRegistry& actions() { return m_actions; }
    SelectionContext& selection() { return m_selection; }
    Drafts& drafts() { return m_drafts; }
    UndoController& undo() { return *m_undo; }
    SessionClient& session() { return m_session; }
    const ViewContext& context() const { return m_context; }

protected:
    void closeEvent(QCloseEvent* event) override;

private:
    void connectActions(); ///< each kind in a function of its own
    void connectRunActions();
    void connectViewActions();
    void fillScreen(bool on);
    void connectCandidateActions();
    void exportCandidate(CandidateId candidate); ///< asks how; none: the best one
    void setGitLineage(bool on); ///< of the session that is open, and says so
    bool isAtModels(); ///< of the settings, which models there are
    void undoHere(); ///< on the page that is shown
    void redoHere();
    void reportNothingToUndoHere();
    void connectReviewActions();
    void connectHelpActions();
    void connectPages();
    void connectReference(); ///< which candidate is the reference is reported, and can be undone
    void connectFiles();
    void connectGitLineage();
    void setLoading(bool loading); ///< of another session, on every screen that shows one
    void connectEngine();
    void connectNews(); ///< what the run brings, wherever the user looks
    void on(const QString& id, std::function<void()> does);
    void refresh();
    void enableActions();
    void tellView(); ///< in the status bar
    void makeScreens();
    Screen& shown();
    bool isShown(const QString& id) const;
    /// Until the user chooses a candidate, the best one is shown.
    void followBest();
    /// Orders that the run goes on; where a budget is used up, it is asked for instead.
    void goOn(const std::function<void()>& order);
    void editBudget(QWidget* near);
    void editProposer();
    void fillRecent();
    /// In the menu, what is chosen.
    void markTheme();
    /// Opens the page of that kind, or brings it to the front.
    template <class Page, class Make> void showPage(Make make);
    /// Something was put away: what is said of it, what that was ("forgetting the view “fast”"), how it comes back.
    void offerBack(const QString& said, const QString& order, const std::function<void()>& back);
    void offerDraftBack(const QString& place, const QString& text);
    quint64 showHint(const QString& text, const QString& hint, MessageBar::Mood mood);
    /// The menus and, in the rest of their row, what is said.
    void addMenuRow();

    Settings& m_settings;
    SessionClient m_session;
    Drafts m_drafts;
    SelectionContext m_selection;
    MessageLog m_said{this};
    ActionRegistry m_actions;
    ModelsBook m_models;
    ViewContext m_context;
    ModeBar* m_modeBar;
    SessionFiles* m_files;
    ProgramFile* m_programFile = nullptr;
    GitLineage* m_gitLineage;
    Tour* m_tour = nullptr; ///< made when it is asked for first
    GivingWay* m_yielding;
    RunControl* m_runControl;
    SessionMessages* m_told;
    RunBar* m_runBar;
    StatusLine* m_status;
    QString m_beforeWelcome; ///< the screen to go back to from there
    std::map<int, QPointer<QWidget>> m_writingIn; ///< of each screen that was left with the cursor in a text
    std::vector<Screen*> m_screens; ///< in the order of screens()
    MessageBar* m_messages;
    UndoController* m_undo;
    RunNews* m_runNews;
    QStackedWidget* m_modes;
    NewSessionPage* m_welcome;
    EvolvePage* m_evolve;
    PromptsPage* m_prompts;
    ReviewPage* m_review;
    DevicesPage* m_devices;
    ComparePage* m_compare;
    LabPage* m_lab;
    SettingsScreen* m_settingsScreen;
    QMenu* m_recent = nullptr;
    bool m_engineClosed = false, m_leaving = false;
    std::string m_shownPath; ///< of the session
    CandidateId m_reference;
    bool m_isComparing = false; ///< an undo sets the reference
    std::int64_t m_offered = 0; ///< what the message offers to undo: an entry of m_undo
    // Numbers of messages that end with what they are about; 0: not said yet.
    quint64 m_offerMessage = 0, m_clashMessage = 0, m_openingMessage = 0, m_leavingMessage = 0;
};

} // namespace tilewright::ui
