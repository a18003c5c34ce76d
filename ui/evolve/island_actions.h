// SPDX-License-Identifier: GPL-3.0-or-later
// What a user can order islands to do, as menus and editors; each item is an order to the engine. GUI thread.
#pragma once

#include "ui/session/view_context.h"

class QMenu;

namespace tilewright::ui {

class IslandActions : public QObject
{
    Q_OBJECT

public:
    IslandActions(const ViewContext& context, QWidget* parent);

    /// Orders to one island, and below them those to all.
    void fillFor(QMenu& menu, IslandId island);
    /// Orders to all islands, with a menu for each that has not ended.
    void fillAll(QMenu& menu);
    /// Opens the editor of an island's focus, mix and temperatures.
    void steer(IslandId island);
    /// Opens the editor of what an island's prompts should say; id 0: those of all.
    void hint(IslandId island);
    /// Opens the editor of the ways between islands.
    void planMigration();

Q_SIGNALS:
    /// The review policies of the island are to be shown where they can be changed.
    void reviewPolicyRequested(tilewright::IslandId island);

private:
    void addOrder(QMenu& menu, const QString& icon, const QString& words, const IslandCommand& order);
    void addAims(QMenu& menu, const Island& island);
    void addOthers(QMenu& menu, const Island& island);
    void addCommon(QMenu& menu);
    void order(const IslandCommand& order);
    bool isWritable() const;

    ViewContext m_context;
    QWidget* m_parent;
};

} // namespace tilewright::ui
