// SPDX-License-Identifier: Apache-2.0
#include "core/base/expression.h"

#include "core/base/format.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <cstdlib>

namespace tilewright {
namespace {

struct Operator {
    std::string_view text;
    int precedence;
};
// Longer spellings first, so that "<=" is not read as "<".
constexpr std::array<Operator, 15> operators{{{"||", 1}, {"&&", 2}, {"==", 3}, {"!=", 3}, {"<=", 4}, {">=", 4},
    {"<<", 5}, {">>", 5}, {"<", 4}, {">", 4}, {"+", 6}, {"-", 6}, {"*", 7}, {"/", 7}, {"%", 7}}};

constexpr int deepestNesting = 100;

bool isWhole(double value) { return value == std::floor(value) && std::abs(value) < 9e15; }

Result<double> combine(std::string_view op, double a, double b)
{
    if (op == "||")
        return a != 0 || b != 0;
    if (op == "&&")
        return a != 0 && b != 0;
    if (op == "==")
        return a == b;
    if (op == "!=")
        return a != b;
    if (op == "<=")
        return a <= b;
    if (op == ">=")
        return a >= b;
    if (op == "<")
        return a < b;
    if (op == ">")
        return a > b;
    if (op == "+")
        return a + b;
    if (op == "-")
        return a - b;
    if (op == "*")
        return a * b;
    if (op == "<<" || op == ">>") {
        const double factor = std::ldexp(1, static_cast<int>(std::clamp(b, 0.0, 63.0)));
        return op == "<<" ? a * factor : std::floor(a / factor);
    }
    if (b == 0)
        return fail("expression/division-by-zero", "division by zero");
    if (op == "/")
        return isWhole(a) && isWhole(b) ? std::trunc(a / b) : a / b;
    return std::fmod(a, b);
}

/// Precedence climbing over the text; one object for one evaluation.
class Parser
{
public:
    Parser(std::string_view text, const Symbols& symbols)
        : m_text(text)
        , m_symbols(symbols)
    {
    }

    Result<double> whole()
    {
        auto value = binary(1);
        skipBlanks();
        if (value && m_at != m_text.size())
            return syntax("an operator");
        return value;
    }

private:
    Result<double> binary(int lowest)
    {
        auto left = unary();
        while (left) {
            const Operator* op = peekOperator();
            if (!op || op->precedence < lowest)
                return left;
            m_at += op->text.size();
            const auto right = binary(op->precedence + 1);
            if (!right)
                return right;
            left = combine(op->text, *left, *right);
        }
        return left;
    }

    Result<double> unary()
    {
        if (++m_depth > deepestNesting)
            return fail("expression/syntax", "the expression is nested too deeply");
        auto value = unaryHere();
        --m_depth;
        return value;
    }

    Result<double> unaryHere()
    {
        skipBlanks();
        if (take('-')) {
            auto value = unary();
            return value ? Result<double>(-*value) : value;
        }
        if (take('!')) {
            auto value = unary();
            return value ? Result<double>(*value == 0) : value;
        }
        if (take('(')) {
            auto value = binary(1);
            if (!value)
                return value;
            skipBlanks();
            if (!take(')'))
                return syntax("')'");
            return value;
        }
        return operand();
    }

    Result<double> operand()
    {
        const std::size_t start = m_at;
        while (m_at < m_text.size()
            && (std::isalnum(static_cast<unsigned char>(m_text[m_at])) || m_text[m_at] == '_' || m_text[m_at] == '.'))
            ++m_at;
        const std::string word(m_text.substr(start, m_at - start));
        if (word.empty())
            return syntax("a number or a name");
        if (std::isdigit(static_cast<unsigned char>(word[0])) || word[0] == '.') {
            const auto value = decimalOf(word);
            return value ? Result<double>(*value) : syntax("a number");
        }
        const auto found = m_symbols.find(word);
        if (found == m_symbols.end())
            return fail("expression/unknown-name", "'" + word + "' is not defined here");
        return found->second;
    }

    const Operator* peekOperator()
    {
        skipBlanks();
        for (const Operator& op : operators)
            if (m_text.substr(m_at).starts_with(op.text))
                return &op;
        return nullptr;
    }

    void skipBlanks()
    {
        while (m_at < m_text.size() && std::isspace(static_cast<unsigned char>(m_text[m_at])))
            ++m_at;
    }

    bool take(char c)
    {
        if (m_at >= m_text.size() || m_text[m_at] != c)
            return false;
        ++m_at;
        return true;
    }

    std::unexpected<Error> syntax(const std::string& expected) const
    {
        return fail("expression/syntax",
            "expected " + expected + " at column " + std::to_string(m_at + 1) + " of '" + std::string(m_text) + "'");
    }

    std::string_view m_text;
    const Symbols& m_symbols;
    std::size_t m_at = 0;
    int m_depth = 0;
};

} // namespace

Result<double> evaluate(std::string_view expression, const Symbols& symbols)
{
    return Parser(expression, symbols).whole();
}

} // namespace tilewright
