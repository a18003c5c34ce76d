// SPDX-License-Identifier: GPL-3.0-or-later
// A state in a rounded label with an icon: never colour alone. GUI thread.
#pragma once

#include "core/base/ids.h"

#include <QAbstractButton>
#include <QIcon>
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

// An island's letter on its colour. GUI thread.

class Badge : public QWidget
{
    Q_OBJECT

public:
    explicit Badge(QWidget* parent = nullptr);
    void setIsland(IslandId island);
    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    IslandId m_island;
};

/// The same for lists and trees: sharp at any size.
QIcon badgeIcon(IslandId island);

// A budget: name, spent / limit, and a bar that turns to warning at 90 %. Acts as a button. GUI thread.

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
