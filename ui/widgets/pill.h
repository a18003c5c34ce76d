// SPDX-License-Identifier: GPL-3.0-or-later
// A state in a rounded label with an icon: never colour alone. GUI thread.
#pragma once

#include <QWidget>

namespace tilewright::ui {

class Pill : public QWidget
{
    Q_OBJECT

public:
    enum class Mood { Plain, Accent, Good, Bad, Warning };

    explicit Pill(QWidget* parent = nullptr);
    void show(const QString& text, Mood mood, const QString& icon = {});
    QString text() const { return m_text; }
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QString m_text, m_icon;
    Mood m_mood = Mood::Plain;
};

} // namespace tilewright::ui
