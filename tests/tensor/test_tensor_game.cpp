// SPDX-License-Identifier: GPL-3.0-or-later
// TensorGame: moves, undo and redo, bounds, hints.
#include "core/tensor/game.h"
#include "core/tensor/known_schemes.h"
#include "core/tensor/verification.h"
#include "tests/test_program.h"

#include <QTest>

using namespace tilewright;
using namespace tilewright::tensor;

namespace {

std::vector<GameMove> movesOf(const Scheme& scheme)
{
    std::vector<GameMove> moves;
    for (int product = 0; product < scheme.rank(); ++product) {
        GameMove move;
        for (int entry = 0; entry < 4; ++entry) {
            move.u.push_back(static_cast<int>(scheme.u.at(entry, product).re));
            move.v.push_back(static_cast<int>(scheme.v.at(entry, product).re));
            move.w.push_back(static_cast<int>(scheme.w.at(entry, product).re));
        }
        moves.push_back(move);
    }
    return moves;
}

} // namespace

class TestTensorGame : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void strassenSolves2x2x2InSevenMoves()
    {
        for (const Ring ring : {Ring::Mod2, Ring::Integers}) {
            TensorGame game({2, 2, 2}, ring);
            QCOMPARE(game.nonzeros(), 8);
            QCOMPARE(game.lowerBound(), 4);
            QCOMPARE(game.upperBound(), 8);
            for (const GameMove& move : movesOf(strassen())) {
                QVERIFY(!game.isSolved());
                QVERIFY(game.lowerBound() <= 7 + game.score());
                QVERIFY(game.play(move).has_value());
            }
            QVERIFY(game.isSolved());
            QCOMPARE(game.score(), -7);
            QCOMPARE(game.upperBound(), 0);
            QVERIFY(verified(game.scheme()).isExact());
            QVERIFY(!game.play(movesOf(strassen())[0]));
            QVERIFY(!game.hint());
        }
    }

    void undoAndRedoRestoreTheBoard()
    {
        TensorGame game({2, 2, 2}, Ring::Integers);
        QVERIFY(!game.undo() && !game.redo());
        const auto moves = movesOf(winogradVariant());
        QVERIFY(game.play(moves[0]) && game.play(moves[1]));
        const int left = game.nonzeros();
        QVERIFY(game.undo() && game.undo() && !game.undo());
        QCOMPARE(game.nonzeros(), 8);
        QVERIFY(game.redo() && game.redo() && !game.redo());
        QCOMPARE(game.nonzeros(), left);
        QVERIFY(game.undo() && game.canRedo());
        QVERIFY(game.play(moves[2]).has_value());
        QVERIFY(!game.canRedo());
    }

    void movesAreReadAndWritten()
    {
        const Format format{2, 2, 2};
        const auto move = moveIn(" (a11 - 2*a22)*(b12)*(c11+c22) ", format);
        QVERIFY(move.has_value());
        QCOMPARE(q(textOf(*move, format)), q("(a11-2*a22)*(b12)*(c11+c22)"));
        QVERIFY(moveIn("a11 - 2a22; b12; c11+c22", format) == move);
        for (const char* text :
            {"", "a11", "(a11)*(b11)", "(a11)*(b11)*(c33)", "(a11)*(b11)*(c11) x", "(a1)*(b11)*(c11)",
                "(1/2 a11)*(b11)*(c11)", "(10a11)*(b11)*(c11)", "(b11)*(a11)*(c11)", ";;", "()*()*()"})
            QVERIFY2(!moveIn(text, format), text);
        TensorGame game(format, Ring::Integers);
        QVERIFY(!game.play({{0, 0, 0, 0}, {1, 0, 0, 0}, {1, 0, 0, 0}}));
        QVERIFY(!game.play({{1}, {1}, {1}}));
    }

    void hintsSolveTheGameWithinTheUpperBound()
    {
        for (const Format& format : {Format{2, 2, 2}, Format{1, 3, 2}})
            for (const Ring ring : {Ring::Mod2, Ring::Integers}) {
                TensorGame game(format, ring);
                while (const auto hint = game.hint()) {
                    QVERIFY(hint->isComplete);
                    const int before = game.nonzeros();
                    QVERIFY(game.play(hint->move).has_value());
                    QCOMPARE(game.nonzeros(), hint->nonzeros);
                    QVERIFY(game.nonzeros() < before);
                }
                QVERIFY(game.isSolved());
                QVERIFY(verified(game.scheme()).isExact());
                QVERIFY(static_cast<int>(game.moves().size()) <= format.naiveRank());
            }
    }

    void aHintFindsTheMoveThatEndsTheGame()
    {
        TensorGame game({2, 2, 2}, Ring::Integers);
        const auto moves = movesOf(strassen());
        for (std::size_t i = 1; i < moves.size(); ++i) // all but (a11+a22)(b11+b22), which goes in c11 and c22
            QVERIFY(game.play(moves[i]).has_value());
        QCOMPARE(game.nonzeros(), 8);
        const auto hint = game.hint();
        QVERIFY(hint.has_value());
        QCOMPARE(hint->nonzeros, 0);
        QVERIFY(hint->move == moves[0]);
        QCOMPARE(game.lowerBound(), 1);
    }
};

TILEWRIGHT_TEST(TestTensorGame)
#include "test_tensor_game.moc"
