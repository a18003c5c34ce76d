// SPDX-License-Identifier: GPL-3.0-or-later
// A budget: name, spent / limit, and a bar that turns to warning at 90 %. Acts as a button. GUI thread.
#pragma once

#include <QAbstractButton>

namespace tilewright::ui {

class Meter : public QAbstractButton
{
    Q_OBJECT

public:
    explicit Meter(const QString& name, QWidget* parent = nullptr);
    /// part is spent / limit; negative where there is no limit.
    void show(const QString& spent, const QString& limit, double part);
    enum class Words { All, Few, Figure };
    /// Few: without the limit, which the bar and the tooltip tell; Figure: what is spent, alone.
    void setWords(Words words);
    int widthWith(Words words) const;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QString m_name, m_spent, m_limit;
    double m_part = -1;
    Words m_words = Words::All;
    QString m_tip; ///< that it gave itself
};

} // namespace tilewright::ui
