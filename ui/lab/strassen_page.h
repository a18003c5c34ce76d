// SPDX-License-Identifier: GPL-3.0-or-later
// Strassen & tensors: a scheme product by product, its factor matrices, what it costs where multiplications and
// additions have prices, and how the operations grow with n. GUI thread.
#pragma once

#include "ui/lab/lab_model.h"
#include "ui/lab/scheme_list.h"

#include <QTimer>
#include <QWidget>

class QComboBox;
class QLabel;
class QListWidget;
class QPushButton;
class QSlider;

namespace tilewright::ui {

class DockTitle;
class Pill;
class PlotPane;
struct PointScene;

class StrassenPage : public QWidget
{
    Q_OBJECT

public:
    StrassenPage(LabModel& lab, SchemeList& list, QWidget* parent = nullptr);
    void setTableTwin(bool table);
    QString statusText() const;
    void setPrices(int multiply, int add, int levels);
    /// The scheme of a file (.json, .npz, .exp), verified, in the place of the one that is shown; it joins the library.
    /// Errors: those of SchemeList::import().
    Result<void> openScheme(const QString& path);
    /// By the file's ending. Errors: those of tensor::bytesOf() and saveFile().
    Result<void> saveScheme(const QString& path) const;

Q_SIGNALS:
    void failed(const QString& text, const QString& hint);
    void saved(const QString& words);

private:
    QWidget* buildProducts();
    QWidget* buildCosts();
    QWidget* buildFactors();
    void fillSchemes();
    void chooseScheme(int index);
    void askForScheme();
    void askForPlace();
    void showScheme();
    void showProduct();
    void showCosts();
    void play(bool on);
    void advance();
    PointScene scaling() const;

    LabModel& m_lab;
    SchemeList& m_known;
    QComboBox* m_schemes;
    QListWidget* m_list;
    QLabel *m_product, *m_targets, *m_entries, *m_counts, *m_stepOf;
    Pill* m_verified;
    QPushButton* m_play;
    QTimer m_clock;
    DockTitle* m_costTitle;
    QSlider *m_multiply, *m_add, *m_levels;
    QLabel *m_multiplyText, *m_addText, *m_levelsText, *m_breakEven;
    QWidget* m_bars;
    PlotPane* m_scaling;
};

} // namespace tilewright::ui
