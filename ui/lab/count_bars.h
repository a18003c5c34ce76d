// SPDX-License-Identifier: GPL-3.0-or-later
// Counts as bars, a row for each, with its name and number. GUI thread.
#pragma once

#include <QString>
#include <QWidget>
#include <vector>

namespace tilewright::ui {

class CountBars : public QWidget
{
    Q_OBJECT

public:
    struct Row {
        QString name;
        double count = 0;
    };

    explicit CountBars(const QString& name, QWidget* parent = nullptr);
    void show(std::vector<Row> rows);
    using QWidget::show;
    const std::vector<Row>& rows() const { return m_rows; }
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {60, sizeHint().height()}; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QString m_name;
    std::vector<Row> m_rows;
};

} // namespace tilewright::ui
