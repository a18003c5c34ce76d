// SPDX-License-Identifier: GPL-3.0-or-later
// tilewright-cli tensor game: TensorGame as lines of text, from standard input.
#include "app/cli/tensor_commands.h"

#include "core/base/text.h"
#include "core/tensor/game.h"
#include "core/tensor/verification.h"

#include <cstdio>
#include <iostream>
#include <unistd.h>

namespace tilewright::cli {
namespace {

using namespace tensor;

const char* const gameWords = "moves: (a11+a22)*(b11+b22)*(c11+c22), or sums with ; between them\n"
                              "words: board, hint, take (plays the hint), undo, redo, moves, help, quit\n";

/// One slice for each entry of C: rows are entries of A, columns those of B.
std::string boardText(const TensorGame& game)
{
    const Format& format = game.format();
    std::string text;
    for (int c = 0; c < format.cEntries(); ++c) {
        std::string slice;
        bool isEmpty = true;
        for (int a = 0; a < format.aEntries(); ++a) {
            slice += "  " + entryName(format, Operand::A, a) + " ";
            for (int b = 0; b < format.bEntries(); ++b) {
                const std::int64_t value = game.residual(a, b, c);
                isEmpty = isEmpty && value == 0;
                std::string cell = value == 0 ? "." : std::to_string(value);
                slice += std::string(4 - std::min<std::size_t>(cell.size(), 4), ' ') + cell;
            }
            slice += "\n";
        }
        text += entryName(format, Operand::C, c) + (isEmpty ? ": empty\n" : ":\n" + slice);
    }
    return text;
}

std::string stateText(const TensorGame& game)
{
    if (game.isSolved())
        return "solved with " + counted(static_cast<std::int64_t>(game.moves().size()), "move", "moves")
            + " (the definition has " + std::to_string(game.format().naiveRank()) + ")\n";
    return "score " + std::to_string(game.score()) + "; " + std::to_string(game.nonzeros()) + " entries left; "
        + std::to_string(game.lowerBound()) + " to " + std::to_string(game.upperBound()) + " more moves\n";
}

std::string hintText(const GameHint& hint, const Format& format)
{
    const std::string move = textOf(hint.move, format);
    if (hint.remaining > 0)
        return "Hint: " + move + "; "
            + (hint.remaining == 1 ? "1 move suffices" : std::to_string(hint.remaining) + " moves suffice")
            + " from here by a search of the residual.\n";
    return move + " leaves " + std::to_string(hint.nonzeros) + " entries"
        + (hint.isComplete ? "" : " (compared: factors of up to " + counted(hint.mostTerms, "term", "terms") + ")")
        + "\n";
}

std::string movesText(const TensorGame& game)
{
    std::string text;
    for (std::size_t i = 0; i < game.moves().size(); ++i)
        text += "  " + std::to_string(i + 1) + ". " + textOf(game.moves()[i], game.format()) + "\n";
    return text.empty() ? "no moves\n" : text;
}

/// What a line does, and what is printed for it.
Result<std::string> answerTo(const std::string& line, TensorGame& game)
{
    if (line == "board")
        return boardText(game) + stateText(game);
    if (line == "help")
        return std::string(gameWords);
    if (line == "moves")
        return movesText(game);
    if (line == "undo" || line == "redo") {
        if (line == "undo" ? game.undo() : game.redo())
            return stateText(game);
        return fail("tensor/move", "there is no move to " + line);
    }
    if (line == "hint" || line == "take") {
        const auto hint = game.hint();
        if (!hint)
            return fail("tensor/move", game.isSolved() ? "the game is solved" : "no move leaves less");
        game.follow(hint->plan);
        if (line == "hint")
            return hintText(*hint, game.format());
        if (const auto played = game.play(hint->move); !played)
            return std::unexpected(played.error());
        return hintText(*hint, game.format()) + stateText(game);
    }
    const auto move = moveIn(line, game.format());
    if (!move)
        return std::unexpected(move.error());
    if (const auto played = game.play(*move); !played)
        return std::unexpected(played.error());
    return stateText(game);
}

nlohmann::json gameJson(const TensorGame& game)
{
    nlohmann::json moves = nlohmann::json::array();
    for (const GameMove& move : game.moves())
        moves.push_back(textOf(move, game.format()));
    return {{"format", textOf(game.format())}, {"ring", nameIn(ringNames, game.ring())}, {"moves", moves},
        {"score", game.score()}, {"nonzeros", game.nonzeros()}, {"solved", game.isSolved()},
        {"lower_bound", game.lowerBound()}, {"upper_bound", game.upperBound()}};
}

} // namespace

int playTensorGame(const std::vector<std::string>& words, const Options& options)
{
    const auto format = formatIn(words[0]);
    if (!format)
        return refuseTensor(format.error());
    TensorGame game(*format, options.has("--mod2") ? Ring::Mod2 : Ring::Integers);
    const bool isJson = options.has("--json"), isTyped = ::isatty(STDIN_FILENO) != 0;
    const auto print = [&](const std::string& text) {
        if (!isJson)
            std::fputs(text.c_str(), stdout);
        std::fflush(stdout);
    };
    print(boardText(game) + stateText(game) + (isTyped ? gameWords : ""));
    int code = Done;
    std::string line;
    constexpr std::size_t longestLine = 10'000;
    while (std::getline(std::cin, line)) {
        const std::string word(trimmed(line));
        if (word == "quit")
            break;
        if (word.empty() || word[0] == '#')
            continue;
        Result<std::string> answer
            = fail("tensor/move", "a line is longer than " + std::to_string(longestLine) + " bytes");
        if (word.size() <= longestLine)
            answer = answerTo(word, game);
        if (answer)
            print(*answer);
        else
            code = refuseTensor(answer.error());
    }
    if (isJson)
        printJson(gameJson(game));
    if (options.has("--out")) {
        if (!game.isSolved())
            return refuseTensor(
                {"tensor/unsolved", "the game is not solved: there is no scheme to write", {}, nullptr});
        if (const auto written = writeScheme(game.scheme(), options); !written)
            return refuseTensor(written.error());
    }
    return isTyped ? int(Done) : code;
}

} // namespace tilewright::cli
