// SPDX-License-Identifier: GPL-3.0-or-later
// The templates as a tree: each with the islands that have a text of their own under it. GUI thread.
#pragma once

#include "core/model/run_state.h"
#include "core/prompt/template_shelf.h"
#include "ui/prompts/template_key.h"

#include <QStandardItemModel>
#include <set>

namespace tilewright::ui {

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

/// "Exploit", "Whole reply": a template's name for a person.
QString titleOf(const std::string& templateName);
/// "v3", "v3, edited", "your file", "shipped".
QString versionWords(const TemplateShelf& shelf, const RunState& run, const TemplateKey& key, bool edited);

} // namespace tilewright::ui
