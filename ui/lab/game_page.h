// SPDX-License-Identifier: GPL-3.0-or-later
// TensorGame: subtract products of three sums from the tensor of a matrix product until nothing is left. The moves of a
// solved game are a scheme. GUI thread; a hint is searched for on another thread.
#pragma once

#include "core/tensor/game.h"
#include "ui/lab/lab_model.h"

#include <QFutureWatcher>
#include <QWidget>

class QComboBox;
class QLabel;
class QLineEdit;
class QListWidget;
class QPushButton;

namespace tilewright::ui {

class DockTitle;
class MoveView;
class ResidualView;
class Segments;

class GamePage : public QWidget
{
    Q_OBJECT

public:
    explicit GamePage(LabModel& lab, QWidget* parent = nullptr);
    ~GamePage() override;
    const tensor::TensorGame& game() const { return m_game; }
    QString statusText() const;
    /// A solved game's scheme is wanted on the page of schemes.
    std::function<void()> showScheme = [] {};
    /// What is left of this game is to be searched for.
    std::function<void(const tensor::TensorGame&)> searchFrom = [](const tensor::TensorGame&) {};

    /// A game over the integers in which these moves were played.
    void replay(const tensor::Format& format, const std::vector<tensor::GameMove>& moves);
    void begin(); ///< a new game of the chosen format and numbers
    void play(); ///< the move that stands in the cells
    void playText(); ///< the move that is typed
    void askForHint();

private:
    QWidget* buildBoard();
    QWidget* buildMoves();
    void show();
    void tell(const QString& words, bool isWrong);
    void takeHint();

    LabModel& m_lab;
    tensor::TensorGame m_game;
    Segments* m_rings;
    QComboBox* m_formats;
    DockTitle* m_boardTitle;
    ResidualView* m_board;
    MoveView* m_cells;
    QLineEdit* m_typed;
    QLabel *m_told, *m_figures;
    QListWidget* m_list;
    QPushButton *m_undo, *m_redo, *m_hint, *m_subtract, *m_toScheme, *m_toSearch;
    QFutureWatcher<std::optional<tensor::GameHint>> m_search;
    std::size_t m_askedAt = 0; ///< moves that had been played when the hint was asked for
};

} // namespace tilewright::ui
