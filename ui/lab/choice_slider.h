// SPDX-License-Identifier: GPL-3.0-or-later
// A slider over given values with its name and what is chosen. GUI thread.
#pragma once

#include <QWidget>
#include <vector>

class QGridLayout;
class QLabel;
class QSlider;

namespace tilewright::ui {

class ChoiceSlider : public QObject
{
    Q_OBJECT

public:
    /// Takes the next row of the grid. `values` rise.
    ChoiceSlider(
        const QString& objectName, const QString& name, std::vector<int> values, QGridLayout* grid, QWidget* parent);
    int value() const;
    /// The nearest of the values; emits nothing.
    void setValue(int value);
    const std::vector<int>& values() const { return m_values; }

Q_SIGNALS:
    void changed();

private:
    void showValue();

    std::vector<int> m_values;
    QSlider* m_slider;
    QLabel* m_text;
};

} // namespace tilewright::ui
