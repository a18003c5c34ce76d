// SPDX-License-Identifier: GPL-3.0-or-later
// Search: the flip graph over Z2 at work, with its rank staircase, its pools and how its walks end. A scheme that is
// found is verified and lifted to the integers where it can be. GUI thread.
#pragma once

#include "core/tensor/game.h"
#include "ui/lab/lab_model.h"
#include "ui/lab/scheme_list.h"
#include "ui/lab/search_run.h"

#include <QWidget>
#include <functional>

class QComboBox;
class QLabel;
class QPushButton;
class QSpinBox;

namespace tilewright::ui {

class CountBars;
class PlotPane;
struct PointScene;

class SearchPage : public QWidget
{
    Q_OBJECT

public:
    SearchPage(LabModel& lab, SchemeList& list, QWidget* parent = nullptr);
    void setTableTwin(bool table);
    QString statusText() const;
    SearchRun& search() { return m_run; }
    /// Searches for the moves that end this game: those that were played stay, modulo 2.
    void searchFrom(const tensor::TensorGame& game);
    /// What was found is wanted on the page of schemes.
    std::function<void()> showScheme = [] {};

private:
    QWidget* buildControls();
    void chooseFormat();
    void proposeRank(); ///< the best known one
    tensor::Ring ring() const;
    void startOrStop();
    void forgetGame();
    void showGame();
    void show();
    void showFound();
    void keepFound();
    void takeScheme();
    PointScene staircase() const;

    LabModel& m_lab;
    SchemeList& m_list;
    SearchRun m_run;
    QComboBox *m_formats, *m_ring;
    QSpinBox *m_rank, *m_seed, *m_threads;
    QPushButton *m_start, *m_resume, *m_toScheme;
    std::vector<tensor::Mod2Product> m_played; ///< of a game that is to be ended
    QLabel *m_known, *m_figures, *m_outcome, *m_game;
    QPushButton* m_forget;
    CountBars *m_pools, *m_ends;
    PlotPane* m_plot;
};

} // namespace tilewright::ui
