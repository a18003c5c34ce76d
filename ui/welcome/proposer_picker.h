// SPDX-License-Identifier: GPL-3.0-or-later
// Who offers the edits of a new session: cards, and below them what the chosen one needs: which models at which
// weights, or a recording. What cannot be chosen says why. GUI thread.
#pragma once

#include "ui/settings/models_book.h"
#include "ui/welcome/session_choices.h"

#include <QWidget>
#include <map>

class QCheckBox;
class QDoubleSpinBox;
class QGridLayout;
class QLabel;
class QLineEdit;
class QPushButton;

namespace tilewright::ui {

class ChoiceCard;
class Pill;

class ProposerPicker : public QWidget
{
    Q_OBJECT

public:
    explicit ProposerPicker(ModelsBook& book, QWidget* parent = nullptr);
    /// Writes proposer, models with their weights, and recording into the choices, whose islands are chosen already.
    void read(SessionChoices& choices) const;
    /// Chooses it if it can be; `with` is the recording of a replay. False: another one stays chosen.
    bool choose(const QString& proposer, const QString& with = {});
    /// The built-in mutator, the models at the weights of their file, nothing to replay.
    void reset();

Q_SIGNALS:
    void changed();
    void settingsWanted();

protected:
    void showEvent(QShowEvent* event) override;

private:
    struct Line {
        QCheckBox* box;
        QDoubleSpinBox* weight;
        Pill* key; ///< whether there is one
        std::string keyName;
    };
    void addCard(const QString& id, const QString& title, const QString& about, const QString& icon);
    QString chosen() const;
    void fill();
    void showDetails();

    ModelsBook& m_book;
    std::map<QString, ChoiceCard*> m_cards;
    QGridLayout* m_grid;
    QWidget *m_models, *m_replay;
    QGridLayout* m_lines;
    std::map<std::string, Line> m_weights; ///< by model
    QLineEdit* m_recording;
    QPushButton* m_setUp;
};

} // namespace tilewright::ui
