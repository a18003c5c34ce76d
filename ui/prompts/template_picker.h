// SPDX-License-Identifier: GPL-3.0-or-later
// The left of the templates: which one is read and edited, an island's own text of it, and the placeholders that can be
// put into it. GUI thread.
#pragma once

#include "core/model/run_state.h"
#include "core/prompt/template_shelf.h"
#include "ui/prompts/template_key.h"
#include "ui/session/session_client.h"

#include <QStandardItemModel>
#include <QWidget>
#include <set>

class QTreeView;

namespace tilewright::ui {

// The templates as a tree: each with the islands that have a text of their own under it. GUI thread.

class TemplateTree : public QStandardItemModel
{
    Q_OBJECT

public:
    enum class Column { Name, Version, Count };

    explicit TemplateTree(QObject* parent = nullptr);

    /// drafts: what was edited and not saved.
    void show(const TemplateShelf& shelf, const RunState& run, const std::set<TemplateKey>& drafts);
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    TemplateKey keyOf(const QModelIndex& index) const;
    /// Invalid where the tree does not have it.
    QModelIndex indexOf(const TemplateKey& key) const;

private:
    struct Row {
        TemplateKey key;
        QString name, version;

        bool operator==(const Row&) const = default;
    };
    static std::vector<Row> rowsOf(
        const TemplateShelf& shelf, const RunState& run, const std::set<TemplateKey>& drafts);

    std::vector<Row> m_rows;
};

/// "Exploit", "Whole reply": a template's name for a user.
QString titleOf(const std::string& templateName);
/// "v3", "v3, edited", "your file", "shipped".
QString versionWords(const TemplateShelf& shelf, const RunState& run, const TemplateKey& key, bool edited);

class DockTitle;
class PlaceholderList;

class TemplatePicker : public QWidget
{
    Q_OBJECT

public:
    explicit TemplatePicker(const SessionClient& session, QWidget* parent = nullptr);
    DockTitle* title() const { return m_title; } ///< stands above it, wherever that is
    /// Marks the one that is chosen. drafts: what was edited and not saved.
    void show(const TemplateShelf& shelf, const std::set<TemplateKey>& drafts, const TemplateKey& chosen);
    /// Of the prompt that is shown, by its placeholders.
    void setTokens(const std::vector<std::pair<std::string, int>>& parts);

Q_SIGNALS:
    /// A user wants to see it; an island's own text may not be there yet.
    void chosen(const tilewright::ui::TemplateKey& key);
    void placeholderPicked(const QString& name);

private:
    QPushButton* islandButton();

    const SessionClient& m_session;
    TemplateTree m_tree;
    TemplateKey m_chosen;
    DockTitle* m_title;
    QTreeView* m_view;
    PlaceholderList* m_placeholders;
};

} // namespace tilewright::ui
