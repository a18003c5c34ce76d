// SPDX-License-Identifier: GPL-3.0-or-later
// The window: menu, toolbar, modes, status bar around the screens, and what the actions do. GUI thread. Closing asks
// the engine to write everything and goes when it has; the event loop is never blocked.
#pragma once

#include "ui/session/desk.h"

#include <QMainWindow>
#include <functional>

class QMenu;
class QStackedWidget;
class QTimer;

namespace tilewright::ui {

class EvolvePage;
class MessageBar;
class NewSessionPage;
class RunBar;

class MainWindow : public QMainWindow
{
    Q_OBJECT

public:
    /// Door and settings must outlive the window.
    MainWindow(EngineDoor& door, Settings& settings);
    ~MainWindow() override;

    void openFile(const QString& path);
    /// Opens a copy of resources/demo/NAME.tilewright, so that the shipped file is never written.
    void openDemo(const QString& name);
    void showMode(int index);

    NewSessionPage& welcome() { return *m_welcome; }
    EvolvePage& evolve() { return *m_evolve; }
    ActionRegistry& actions() { return m_actions; }
    SelectionContext& selection() { return m_selection; }
    Session& session() { return m_session; }

protected:
    void closeEvent(QCloseEvent* event) override;

private:
    void connectActions();
    void connectEngine();
    void on(const QString& id, std::function<void()> does);
    void refresh();
    void enableActions();
    /// Until the person chooses a candidate, the best one is shown.
    void followBest();
    void afterClosing(std::function<void()> next);
    void sayOpening();
    void openingEnded();
    void askForCopy();
    /// Runs; where a budget is used up it is asked for first.
    void run();
    void editBudget(QWidget* near);
    void fillRecent();
    void setTheme(ThemeKind kind);
    void showHint(const QString& text, const QString& hint, bool error);

    Settings& m_settings;
    Session m_session;
    SelectionContext m_selection;
    ActionRegistry m_actions;
    Desk m_desk;
    RunBar* m_runBar;
    MessageBar* m_messages;
    QStackedWidget* m_modes;
    NewSessionPage* m_welcome;
    EvolvePage* m_evolve;
    QMenu* m_recent = nullptr;
    std::function<void()> m_afterClosing; ///< what waits for the session to be closed
    CandidateId m_followed; ///< the candidate that was selected without being asked for
    quint64 m_lastOpening = 0; ///< a newer wish to open a file supersedes the older one
    QString m_opening; ///< the file on its way, empty if none is
    bool m_saysOpening = false;
    bool m_engineClosed = false, m_leaving = false;
    std::string m_shownTrouble, m_shownRecovery;
};

} // namespace tilewright::ui
