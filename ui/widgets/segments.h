// SPDX-License-Identifier: GPL-3.0-or-later
// A row of joined buttons of which exactly one is down. GUI thread.
#pragma once

#include <QList>
#include <QString>
#include <QStringList>
#include <QWidget>

class QButtonGroup;

class QPushButton;

namespace tilewright::ui {

class Segments : public QWidget
{
    Q_OBJECT

public:
    Segments(const QString& accessibleName, const QStringList& choices, QWidget* parent = nullptr);
    int current() const;
    void setCurrent(int index);

Q_SIGNALS:
    void chosen(int index);

private:
    QButtonGroup* m_group;
};

// Buttons of a bar that show their signs alone where their words have no room; the words are read aloud and stand in
// the tooltip then. GUI thread.

class BriefButtons
{
public:
    /// One that has a sign.
    void add(QPushButton* button);
    void setWords(QPushButton* button, const QString& words);
    /// least: what the bar needs as it is now.
    void fit(int least, int width);
    /// How much narrower the bar can become yet.
    int toBeSaved() const { return m_brief ? 0 : wordsWidth(); }

private:
    int wordsWidth() const;
    void show(QPushButton& button) const;

    QList<QPushButton*> m_buttons;
    bool m_brief = false;
};

} // namespace tilewright::ui
