// SPDX-License-Identifier: GPL-3.0-or-later
// One line of text that ends with an ellipsis where room is short; the whole text is its tooltip then. GUI thread.
#pragma once

#include <QLabel>
#include <QStringList>

namespace tilewright::ui {

class ElidedLabel : public QLabel
{
    Q_OBJECT

public:
    explicit ElidedLabel(const QString& text = {}, QWidget* parent = nullptr);
    /// The text, and shorter ones to be shown where it does not fit.
    void setForms(const QStringList& forms);
    /// What is seen of it.
    QString shown() const;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    QStringList m_shorter;
};

} // namespace tilewright::ui
