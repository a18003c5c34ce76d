// SPDX-License-Identifier: GPL-3.0-or-later
// Where an endpoint's key is kept, and typing one in. The key leaves this row once, for the keychain or for memory; it
// is never shown again and never comes back. What stands here is where a key is looked for and whether one is there.
// GUI thread.
#pragma once

#include "ui/settings/model_bench.h"

#include <QWidget>

class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;

namespace tilewright::ui {

class KeyRow : public QWidget
{
    Q_OBJECT

public:
    explicit KeyRow(ModelBench& bench, QWidget* parent = nullptr);
    /// As the models file says it: "env:NAME", "keychain:NAME", "memory:NAME", "". `usual` is the name offered where
    /// the person changes the place.
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
