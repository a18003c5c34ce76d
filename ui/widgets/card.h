// SPDX-License-Identifier: GPL-3.0-or-later
// A framed part of a page: a title with a quiet remark at the right, and what belongs to it below. GUI thread.
#pragma once

#include <QFrame>

class QHBoxLayout;
class QLabel;
class QVBoxLayout;

namespace tilewright::ui {

class Card : public QFrame
{
    Q_OBJECT

public:
    /// `sign` stands before the title, if there is one.
    Card(const QString& title, const QString& remark, QWidget* parent = nullptr, QWidget* sign = nullptr);
    QVBoxLayout* column() { return m_column; }
    /// Beside the title.
    void addControl(QWidget* control);
    void setRemark(const QString& remark);

private:
    QVBoxLayout* m_column;
    QHBoxLayout* m_head = nullptr;
    QLabel* m_remark;
};

} // namespace tilewright::ui
