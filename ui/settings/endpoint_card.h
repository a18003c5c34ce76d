// SPDX-License-Identifier: GPL-3.0-or-later
// One endpoint: address, key, limits, and the list of models its server has, from which models are added. GUI thread.
#pragma once

#include "ui/settings/model_bench.h"
#include "ui/settings/models_book.h"

#include <QFrame>
#include <QWidget>

class QLabel;
class QLineEdit;
class QListWidget;
class QPushButton;

class QComboBox;

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

// Where an endpoint's key is kept, and typing one in. The key leaves this row once, for the keychain or for memory; it
// is never shown again and never comes back. What stands here is where a key is looked for and whether one is there.
// GUI thread.

class KeyRow : public QWidget
{
    Q_OBJECT

public:
    explicit KeyRow(ModelBench& bench, QWidget* parent = nullptr);
    /// As the models file says it: "env:NAME", "keychain:NAME", "memory:NAME", "". `usual` is the name offered where
    /// the user changes the place.
    void show(const QString& key, const QString& usual);

Q_SIGNALS:
    void edited(const QString& key);
    /// A key was stored: a test may succeed now.
    void stored();

private:
    KeyName chosen() const;
    void choose();
    void ask();
    void tell(const QString& text, const QString& tone);

    ModelBench& m_bench;
    QComboBox* m_place;
    QLineEdit *m_name, *m_secret;
    QPushButton* m_store;
    QLabel* m_state;
    QString m_shown, m_usual;
    quint64 m_finding = 0, m_storing = 0;
};

} // namespace tilewright::ui
