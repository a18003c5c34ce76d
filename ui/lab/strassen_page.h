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

class CrossoverRun;
class DockTitle;
class Pill;
class PlotPane;
class Segments;
struct PointScene;

class StrassenPage : public QWidget
{
    Q_OBJECT

public:
    StrassenPage(LabModel& lab, SchemeList& list, CrossoverRun& crossover, QWidget* parent = nullptr);
    void setTableTwin(bool table);
    QString statusText() const;
    void setPrices(int multiply, int add, int levels);
    /// The plot of operations as shares of those of the definition, or as cycles.
    void setRelative(bool isRelative);
    /// The scheme of a file (.json, .npz, .exp), verified, in the place of the one that is shown; it joins the library.
    /// Errors: those of SchemeList::import().
    Result<void> openScheme(const QString& path);
    /// By the file's ending. Errors: those of tensor::bytesOf() and saveFile().
    Result<void> saveScheme(const QString& path) const;

Q_SIGNALS:
    void failed(const QString& text, const QString& hint);
    void saved(const QString& words);
    void evolveWanted(); ///< a task is to be made of the scheme

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
    void showWhetherTask();
    void showCosts();
    void play(bool on);
    void advance();
    PointScene scaling() const;

    LabModel& m_lab;
    SchemeList& m_known;
    CrossoverRun& m_crossover;
    QComboBox* m_schemes;
    QListWidget* m_list;
    QLabel *m_product, *m_targets, *m_entries, *m_counts, *m_stepOf;
    Pill* m_verified;
    QPushButton *m_play, *m_evolve;
    QLabel* m_whyNoTask;
    DockTitle* m_productsTitle;
    QTimer m_clock;
    DockTitle* m_costTitle;
    QSlider *m_multiply, *m_add, *m_levels;
    QLabel *m_multiplyText, *m_addText, *m_levelsText, *m_breakEven;
    QWidget* m_bars;
    PlotPane* m_scaling;
    Segments* m_scale;
};

} // namespace tilewright::ui
