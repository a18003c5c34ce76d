// SPDX-License-Identifier: GPL-3.0-or-later
// TensorGame: moves, undo and redo, bounds, hints.
#include "core/base/random.h"
#include "core/tensor/game.h"
#include "core/tensor/game_search.h"
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

/// The moves for the same product after a change of bases. Over Z2: rows are added to others in P, Q and R, of P A
/// Q^-1, Q B R^-1 and P C R^-1. Over Z: these are permutations with signs.
std::vector<GameMove> withOtherBases(std::vector<GameMove> moves, Ring ring, CounterRandom& random)
{
    const auto at = [](int row, int column) { return static_cast<std::size_t>(row * 2 + column); };
    if (ring == Ring::Integers) {
        std::array<std::array<int, 2>, 3> to, sign;
        for (std::size_t axis = 0; axis < 3; ++axis) {
            to[axis][0] = static_cast<int>(random.below(2));
            to[axis][1] = 1 - to[axis][0];
            for (int& each : sign[axis])
                each = random.below(2) == 0 ? 1 : -1;
        }
        for (GameMove& move : moves) {
            const auto change = [&](std::vector<int>& values, std::size_t rows, std::size_t columns) {
                const std::vector<int> old = values;
                for (int row = 0; row < 2; ++row)
                    for (int column = 0; column < 2; ++column) {
                        const auto r = static_cast<std::size_t>(row), c = static_cast<std::size_t>(column);
                        values[at(to[rows][r], to[columns][c])]
                            = sign[rows][r] * sign[columns][c] * old[at(row, column)];
                    }
            };
            change(move.u, 0, 1);
            change(move.v, 1, 2);
            change(move.w, 0, 2);
        }
        return moves;
    }
    for (int step = 0; step < 6; ++step) {
        const int axis = static_cast<int>(random.below(3)), x = static_cast<int>(random.below(2)), y = 1 - x;
        for (GameMove& move : moves)
            for (int i = 0; i < 2; ++i) {
                if (axis == 0) {
                    move.u[at(y, i)] ^= move.u[at(x, i)];
                    move.w[at(x, i)] ^= move.w[at(y, i)];
                } else if (axis == 1) {
                    move.v[at(y, i)] ^= move.v[at(x, i)];
                    move.u[at(i, x)] ^= move.u[at(i, y)];
                } else {
                    move.v[at(i, y)] ^= move.v[at(i, x)];
                    move.w[at(i, x)] ^= move.w[at(i, y)];
                }
            }
    }
    return moves;
}

/// A game in which `count` moves of a scheme of seven moves in some bases were played, in some order.
TensorGame middleOf(Ring ring, int count, std::uint64_t seed)
{
    CounterRandom random(seed, 0, static_cast<std::uint64_t>(count));
    TensorGame game({2, 2, 2}, ring);
    std::vector<GameMove> moves = movesOf(strassen());
    if (ring == Ring::Mod2)
        for (GameMove& move : moves)
            for (std::vector<int>* values : {&move.u, &move.v, &move.w})
                for (int& value : *values)
                    value &= 1;
    moves = withOtherBases(std::move(moves), ring, random);
    if (!game.isSumOf(moves))
        return game; // without moves, which the caller notices
    for (int i = 0; i < count; ++i) {
        const auto from = static_cast<std::size_t>(i);
        std::swap(moves[from], moves[from + random.below(moves.size() - from)]);
        if (!game.play(moves[from]))
            break;
    }
    return game;
}

/// Plays hints to the end. False where one does not keep what it says.
bool followHints(TensorGame& game)
{
    while (const auto hint = game.hint()) {
        const std::size_t most = game.moves().size() + static_cast<std::size_t>(hint->remaining);
        if (hint->remaining != static_cast<int>(hint->plan.size()) || !game.follow(hint->plan) || !game.play(hint->move)
            || game.nonzeros() != hint->nonzeros)
            return false;
        if (const auto next = game.hint();
            next && game.moves().size() + static_cast<std::size_t>(next->remaining) > most)
            return false;
    }
    return game.isSolved();
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

    void hintsSolveTheGameInTheFewestMoves()
    {
        for (const Format& format : {Format{2, 2, 2}, Format{1, 3, 2}})
            for (const Ring ring : {Ring::Mod2, Ring::Integers}) {
                TensorGame game(format, ring);
                QVERIFY(followHints(game));
                QVERIFY(verified(game.scheme()).isExact());
                QCOMPARE(static_cast<int>(game.moves().size()), format.n == 1 ? 6 : 7);
            }
    }

    void hintsReachSevenMovesFromTheMiddleOfAScheme_data()
    {
        QTest::addColumn<int>("ring");
        QTest::addColumn<int>("seed");
        for (const Ring ring : {Ring::Mod2, Ring::Integers})
            for (int seed = 1; seed <= 5; ++seed)
                QTest::addRow("%s, seed %d", std::string(nameIn(ringNames, ring)).c_str(), seed)
                    << static_cast<int>(ring) << seed;
    }

    void hintsReachSevenMovesFromTheMiddleOfAScheme()
    {
        QFETCH(int, ring);
        QFETCH(int, seed);
        for (int count = 0; count < 7; ++count) {
            TensorGame game = middleOf(static_cast<Ring>(ring), count, static_cast<std::uint64_t>(seed));
            QCOMPARE(static_cast<int>(game.moves().size()), count);
            QVERIFY(!game.isSolved());
            QVERIFY(followHints(game));
            QCOMPARE(static_cast<int>(game.moves().size()), 7);
            QVERIFY(verified(game.scheme()).isExact());
        }
    }

    void hintsOfALargerFormatKeepWhatTheySay()
    {
        TensorGame game({3, 3, 3}, Ring::Mod2);
        const auto hint = game.hint();
        QVERIFY(hint.has_value());
        QVERIFY(hint->remaining > 0 && hint->remaining <= 27);
        QVERIFY(followHints(game));
        QVERIFY(static_cast<int>(game.moves().size()) <= hint->remaining);
        QVERIFY(verified(game.scheme()).isExact());
    }

    void aFoolishMoveAndUndoDropThePlan()
    {
        for (const Ring ring : {Ring::Mod2, Ring::Integers}) {
            TensorGame game({2, 2, 2}, ring);
            const auto hint = game.hint();
            QVERIFY(hint && game.follow(hint->plan));
            const GameMove foolish{{1, 1, 0, 1}, {0, 1, 1, 1}, {1, 1, 1, 0}};
            QVERIFY(game.play(foolish).has_value());
            QVERIFY(!game.follow(hint->plan));
            TensorGame other = game;
            QVERIFY(followHints(other));
            QVERIFY(verified(other.scheme()).isExact());
            QVERIFY(static_cast<int>(other.moves().size()) <= 9); // as if it were taken back by the second
            QVERIFY(game.undo() && game.follow(hint->plan) && game.play(hint->move) && game.undo());
            const auto again = game.hint();
            QVERIFY(again.has_value());
            QCOMPARE(again->remaining, 7);
            QVERIFY(game.isSumOf(again->plan));
        }
    }

    void aSearchIsRepeatedBySeedAndEndsWithLargeEntriesToo()
    {
        TensorGame game({2, 2, 2}, Ring::Integers);
        QVERIFY(movesToEnd(game, {.seed = 3, .flips = 20'000}) == movesToEnd(game, {.seed = 3, .flips = 20'000}));
        QVERIFY(movesToEnd(game, {.seed = 3, .flips = 20'000}) != movesToEnd(game, {.seed = 4, .flips = 20'000}));
        const GameMove large{{9, 0, 0, 0}, {0, 9, 0, 0}, {0, 0, 9, 9}}; // leaves -729 at two entries
        QVERIFY(game.play(large).has_value());
        const std::vector<GameMove> moves = movesToEnd(game);
        QVERIFY(!moves.empty() && game.isSumOf(moves));
        for (const GameMove& move : moves)
            QVERIFY(game.play(move).has_value());
        QVERIFY(game.isSolved());
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
