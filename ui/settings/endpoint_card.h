// SPDX-License-Identifier: GPL-3.0-or-later
// One endpoint: address, key, limits, and the list of models its server has, from which models are added. GUI thread.
#pragma once

#include "ui/settings/model_bench.h"
#include "ui/settings/models_book.h"

#include <QFrame>

class QLabel;
class QLineEdit;
class QListWidget;
class QPushButton;

namespace tilewright::ui {

class FormGrid;
class KeyRow;

class EndpointCard : public QFrame
{
    Q_OBJECT

public:
    EndpointCard(ModelsBook& book, ModelBench& bench, QWidget* parent = nullptr);
    void show(std::size_t endpoint);

Q_SIGNALS:
    /// "" adds a model whose name on the server is still to be typed.
    void modelWanted(const QString& served);
    void namesKnown(const QString& endpoint, const QStringList& models);

private:
    DraftEntry entry() const { return {DraftPart::Endpoint, m_at}; }
    void addRareRows();
    void refresh();
    void showTimeouts(const ModelsDraft& draft);
    void take(const QString& field, const QString& value);
    void list();
    void showFound();
    void endListing(const QString& said, const QString& tone);

    ModelsBook& m_book;
    ModelBench& m_bench;
    std::size_t m_at = 0;
    FormGrid* m_form;
    KeyRow* m_key;
    QPushButton *m_list, *m_add;
    QLabel* m_said;
    QLineEdit* m_filter;
    QListWidget* m_found;
    QString m_listedFor; ///< the endpoint whose models stand there
    std::vector<ListedModel> m_models;
    quint64 m_listing = 0;
};

} // namespace tilewright::ui
