// SPDX-License-Identifier: GPL-3.0-or-later
// Which models one island asks, and how often: as a bar with words that opens a small editor. GUI thread.
#pragma once

#include "core/base/ids.h"
#include "ui/evolve/edit_popup.h"

#include <QAbstractButton>
#include <map>

class QDoubleSpinBox;
class QLabel;

namespace tilewright::ui {

/// "writer 60 %, coder 40 %", the largest share first; models without a weight are left out.
QString mixWords(const std::map<std::string, double>& weights);

/// As wide as it may be; its words take as many lines as they need.
class MixButton : public QAbstractButton
{
    Q_OBJECT

public:
    explicit MixButton(IslandId island, QWidget* parent = nullptr);
    void show(const std::map<std::string, double>& weights);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;
    int heightForWidth(int width) const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    IslandId m_island;
    std::map<std::string, double> m_weights;
};

class MixEditor : public EditPopup
{
    Q_OBJECT

public:
    /// usual: of the models that the session asks; weights: what holds for the island now, others being 0.
    MixEditor(IslandId island, const std::map<std::string, double>& usual, const std::map<std::string, double>& weights,
        QWidget* parent);

Q_SIGNALS:
    void accepted(const std::map<std::string, double>& weights);

protected:
    void accept() override;

private:
    std::map<std::string, double> chosen() const;

    std::map<std::string, QDoubleSpinBox*> m_fields;
    QLabel* m_note;
    QWidget* m_apply;
};

} // namespace tilewright::ui
