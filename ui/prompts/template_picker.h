// SPDX-License-Identifier: GPL-3.0-or-later
// The left of the templates: which one is read and edited, an island's own text of it, and the placeholders that can be
// put into it. GUI thread.
#pragma once

#include "ui/prompts/template_tree.h"
#include "ui/session/session.h"

#include <QWidget>

class QTreeView;

namespace tilewright::ui {

class DockTitle;
class PlaceholderList;

class TemplatePicker : public QWidget
{
    Q_OBJECT

public:
    explicit TemplatePicker(const Session& session, QWidget* parent = nullptr);
    DockTitle* title() const { return m_title; } ///< stands above it, wherever that is
    /// Marks the one that is chosen. drafts: what was edited and not saved.
    void show(const TemplateShelf& shelf, const std::set<TemplateKey>& drafts, const TemplateKey& chosen);
    /// Of the prompt that is shown, by its placeholders.
    void setTokens(const std::vector<std::pair<std::string, int>>& parts);

Q_SIGNALS:
    /// A person wants to see it; an island's own text may not be there yet.
    void chosen(const tilewright::ui::TemplateKey& key);
    void placeholderPicked(const QString& name);

private:
    QPushButton* islandButton();

    const Session& m_session;
    TemplateTree m_tree;
    TemplateKey m_chosen;
    DockTitle* m_title;
    QTreeView* m_view;
    PlaceholderList* m_placeholders;
};

} // namespace tilewright::ui
