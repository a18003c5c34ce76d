// SPDX-License-Identifier: GPL-3.0-or-later
// One screen of the window: its page, and what the window asks of it. A screen is a folder under ui/ and one line of
// screens() in ui/shell/screens.cpp. GUI thread.
#pragma once

#include <QString>
#include <functional>
#include <vector>

class QWidget;

namespace tilewright::ui {

class Workspace;

/// A setting, and the way to it, for the finder.
struct FinderPlace {
    QString name; ///< "Evaluations"
    QString where; ///< "New session › Budget"
    QString words; ///< by which it is found as well
    std::function<void()> go;
};

class Screen
{
public:
    virtual ~Screen() = default;
    virtual QWidget& asWidget() = 0;
    /// Its docks; null: it has none.
    virtual Workspace* docks() { return nullptr; }
    /// What it holds, in a few words for the status bar, while a session is open.
    virtual QString statusText() { return {}; }
    /// How much waits for the user there, beside its button; 0: nothing.
    virtual int badge() const { return 0; }
    /// Enables the actions that belong to it.
    virtual void enableActions(bool isShown) { (void)isShown; }
    /// The settings on it that can be changed now.
    virtual void addFinderPlaces(std::vector<FinderPlace>& places) { (void)places; }
    /// Another session is on its way.
    virtual void setLoading(bool loading) { (void)loading; }
    /// Plots as tables.
    virtual void setTableTwin(bool table) { (void)table; }
    virtual bool canFind() const { return false; }
    virtual void find() { }
    virtual bool canFit() const { return false; }
    virtual void fitPlots() { }

    /// The window's: to be called where statusText() or enableActions() would do something else than before.
    std::function<void()> stateChanged = [] {};
    /// The window's: brings this screen to the front.
    std::function<void()> bring = [] {};
};

} // namespace tilewright::ui
