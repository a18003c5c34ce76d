// SPDX-License-Identifier: GPL-3.0-or-later
// The bar of the Compare screen: the compared programs as chips, which of them is the reference, the value that is
// shown, and what can be done with the comparison. GUI thread.
#pragma once

#include "ui/compare/comparing.h"

#include <QAbstractButton>
#include <QFrame>

class QLabel;
class QMenu;
class QPushButton;

namespace tilewright::ui {

class Segments;

/// One program: its marker, its name, and a sign to take it away. A click opens its menu, Delete takes it away.
class ProgramChip : public QAbstractButton
{
    Q_OBJECT

public:
    explicit ProgramChip(QWidget* parent);
    struct Look {
        Marker marker;
        QString name, aside; ///< aside: of which session, or "not measured"
        IslandId island; ///< none: it has no badge
        bool isPinned = false;
        bool operator==(const Look&) const = default;
    };
    void show(const Look& look);
    using QWidget::show;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

Q_SIGNALS:
    void removed();

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;

private:
    QRect cross() const;
    QString shownName() const;
    Look m_look;
};

class ChipBar : public QFrame
{
    Q_OBJECT

public:
    ChipBar(const ViewContext& context, Comparing& comparing, QWidget* parent);
    QPushButton& addButton() { return *m_add; }
    QMenu& exportMenu() { return *m_export; }
    void refresh();
    /// Its height follows its width by itself: a page whose layout asks for that is as high as it would like to be.
    bool hasHeightForWidth() const override { return false; }
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

Q_SIGNALS:
    void addWanted();
    /// Of a candidate of the open session.
    void selectWanted(tilewright::CandidateId candidate);
    void pinWanted(tilewright::CandidateId candidate);
    void injectWanted(std::size_t place);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void showChips();
    void showReferences();
    /// As it is read: chips, what adds one, the reference, the value, what is done with them.
    void orderTabs();
    void openMenu(std::size_t place, ProgramChip& chip);

    ViewContext m_context;
    Comparing& m_comparing;
    QWidget* m_referenceBox;
    QLabel *m_head, *m_referenceLabel;
    Segments* m_references = nullptr;
    QStringList m_referenceNames;
    Segments* m_values;
    QPushButton *m_add, *m_measure, *m_exportButton;
    QMenu* m_export;
    std::vector<ProgramChip*> m_chips;
};

} // namespace tilewright::ui
