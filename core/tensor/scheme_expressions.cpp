// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tensor/scheme_expressions.h"

#include "core/base/json_fields.h"
#include "core/base/text.h"

#include <algorithm>
#include <charconv>

namespace tilewright::tensor {
namespace {

/// A coefficient with the row and the column (from 1) of a matrix.
struct NamedTerm {
    Coefficient coefficient;
    int row = 0, column = 0;
};

[[noreturn]] void expect(const std::string& what) { throw FieldError{"", what}; }

class ExpressionReader
{
public:
    explicit ExpressionReader(std::string_view text)
        : m_rest(text)
    {
    }

    bool isAtEnd()
    {
        skipBlanks();
        return m_rest.empty();
    }
    bool takes(char c)
    {
        skipBlanks();
        if (m_rest.empty() || m_rest.front() != c)
            return false;
        m_rest.remove_prefix(1);
        return true;
    }

    /// Terms until ')' or the end.
    std::vector<NamedTerm> sum(char letter)
    {
        std::vector<NamedTerm> terms;
        while (!isAtEnd() && m_rest.front() != ')') {
            const bool isNegative = takes('-');
            if (!isNegative && !takes('+') && !terms.empty())
                expect("'+' or '-' between two terms");
            terms.push_back(term(letter, isNegative));
        }
        if (terms.empty())
            expect(std::string("a sum of entries such as ") + letter + "11");
        return terms;
    }

    /// "(sum)", or one entry.
    std::vector<NamedTerm> factor(char letter)
    {
        if (!takes('('))
            return {term(letter, false)};
        auto terms = sum(letter);
        if (!takes(')'))
            expect("')'");
        return terms;
    }

private:
    void skipBlanks()
    {
        while (!m_rest.empty() && (m_rest.front() == ' ' || m_rest.front() == '\t' || m_rest.front() == '\r'))
            m_rest.remove_prefix(1);
    }

    NamedTerm term(char letter, bool isNegative)
    {
        skipBlanks();
        NamedTerm term{Coefficient{1}};
        const std::size_t end = std::min(m_rest.find(letter), m_rest.size());
        if (end > 0) {
            std::string_view number = trimmed(m_rest.substr(0, end));
            if (number.ends_with('*'))
                number.remove_suffix(1);
            const auto value = coefficientIn(number);
            if (!value)
                expect(std::string("an entry such as ") + letter + "11, or a number and an entry, such as 2" + letter
                    + "11");
            term.coefficient = *value;
            m_rest.remove_prefix(end);
        }
        if (m_rest.empty())
            expect(std::string("an entry such as ") + letter + "11");
        m_rest.remove_prefix(1);
        const std::size_t digits = std::min(m_rest.find_first_not_of("0123456789"), m_rest.size());
        if (digits < m_rest.size() && m_rest[digits] == '_') {
            term.row = index(digits);
            m_rest.remove_prefix(1);
            term.column = index(std::min(m_rest.find_first_not_of("0123456789"), m_rest.size()));
        } else {
            if (digits != 2)
                expect(std::string("two digits behind ") + letter + ", or " + letter + "1_12");
            term.row = index(1);
            term.column = index(1);
        }
        if (isNegative)
            term.coefficient = negated(term.coefficient);
        return term;
    }

    int index(std::size_t digits)
    {
        int value = 0;
        const auto [end, problem] = std::from_chars(m_rest.data(), m_rest.data() + digits, value);
        if (problem != std::errc{} || digits == 0 || value < 1 || value > mostEntries)
            expect("an index from 1 to " + std::to_string(mostEntries));
        m_rest.remove_prefix(digits);
        return value;
    }

    std::string_view m_rest;
};

struct NamedProduct {
    std::array<std::vector<NamedTerm>, 3> factors;
};

std::array<int, 2> largestIndices(const std::vector<NamedProduct>& products, std::size_t factor)
{
    std::array<int, 2> largest{1, 1};
    for (const NamedProduct& product : products)
        for (const NamedTerm& term : product.factors[factor])
            largest = {std::max(largest[0], term.row), std::max(largest[1], term.column)};
    return largest;
}

/// Adds the terms to a column; false where a coefficient becomes too large.
bool addTerms(const std::vector<NamedTerm>& terms, int columns, Factor& into, int product)
{
    for (const NamedTerm& term : terms) {
        Coefficient& value = into.at((term.row - 1) * columns + term.column - 1, product);
        const auto next = sumOf(value, term.coefficient);
        if (!next)
            return false;
        value = *next;
    }
    return true;
}

std::unexpected<Error> failAt(std::size_t line, const std::string& expected)
{
    return fail("tensor/file", "line " + std::to_string(line) + " is no product: expected " + expected,
        "write it as (a11+a22)*(b11)*(c11-c12)");
}

Result<SchemeDraft> draftOf(const std::vector<NamedProduct>& products)
{
    const auto a = largestIndices(products, 0), b = largestIndices(products, 1), c = largestIndices(products, 2);
    SchemeDraft draft;
    draft.format = {a[0], std::max(a[1], b[0]), b[1]};
    const Format& format = draft.format;
    if (const auto checked = checkFormat(format); !checked)
        return std::unexpected(checked.error());
    const bool fitsPlain = c[0] <= format.n && c[1] <= format.p, fitsTransposed = c[0] <= format.p && c[1] <= format.n;
    if (!fitsPlain && !fitsTransposed)
        return fail("tensor/format",
            "the entries of C have indices up to " + std::to_string(c[0]) + " and " + std::to_string(c[1])
                + ", which fit no product of " + textOf(format));
    // Where only one layout fits, it is that. Else the files of this kind have the transpose.
    draft.layout = fitsTransposed ? OutputLayout::Transposed : OutputLayout::Plain;
    const int rank = static_cast<int>(products.size());
    draft.u = Factor(format.aEntries(), rank);
    draft.v = Factor(format.bEntries(), rank);
    draft.w = Factor(format.cEntries(), rank);
    const int columnsOfC = draft.layout == OutputLayout::Plain ? format.p : format.n;
    for (int product = 0; product < rank; ++product) {
        const auto& factors = products[static_cast<std::size_t>(product)].factors;
        if (!addTerms(factors[0], format.m, draft.u, product) || !addTerms(factors[1], format.p, draft.v, product)
            || !addTerms(factors[2], columnsOfC, draft.w, product))
            return fail(
                "tensor/coefficient", "a coefficient of product " + std::to_string(product + 1) + " is too large");
    }
    return draft;
}

} // namespace

std::string formText(const Factor& factor, int product, const Format& format, Operand operand)
{
    std::string text;
    for (int entry = 0; entry < factor.entries(); ++entry) {
        const Coefficient& value = factor.at(entry, product);
        if (value.isZero())
            continue;
        const bool isNegative = value.isReal() && value.re < 0;
        const Coefficient size = isNegative ? negated(value) : value;
        text += isNegative ? "-" : text.empty() ? "" : "+";
        text += (size == Coefficient{1} ? "" : textOf(size) + "*") + entryName(format, operand, entry);
    }
    return text.empty() ? "0" : text;
}

std::string expressionsOf(const Scheme& scheme)
{
    // The transpose of C is a C of the format p x m x n.
    const Format swapped{scheme.format.p, scheme.format.m, scheme.format.n};
    const Factor w = withOtherLayout(scheme.w, scheme.format.n, OutputLayout::Plain);
    std::string text;
    for (int product = 0; product < scheme.rank(); ++product)
        text += "(" + formText(scheme.u, product, scheme.format, Operand::A) + ")*("
            + formText(scheme.v, product, scheme.format, Operand::B) + ")*(" + formText(w, product, swapped, Operand::C)
            + ")\n";
    return text;
}

Result<SchemeDraft> draftInExpressions(std::string_view text)
{
    std::vector<NamedProduct> products;
    std::size_t number = 0;
    for (const std::string_view line : splitLines(text)) {
        ++number;
        if (trimmed(line).empty() || trimmed(line).front() == '#')
            continue;
        if (products.size() == static_cast<std::size_t>(mostProducts))
            return fail("tensor/rank", "the file has more than " + std::to_string(mostProducts) + " products");
        try {
            ExpressionReader reader(line);
            NamedProduct product;
            for (std::size_t i = 0; i < 3; ++i) {
                if (i > 0 && !reader.takes('*'))
                    expect("'*' between the factors");
                product.factors[i] = reader.factor("abc"[i]);
            }
            if (!reader.isAtEnd())
                expect("the end of the line");
            products.push_back(std::move(product));
        } catch (const FieldError& error) {
            return failAt(number, error.reason);
        }
    }
    if (products.empty())
        return fail("tensor/file", "the file has no product");
    return draftOf(products);
}

Result<std::vector<Coefficient>> formIn(std::string_view text, const Format& format, Operand operand)
{
    const auto size = sizeOf(format, operand);
    try {
        ExpressionReader reader(text);
        const auto terms = reader.sum("abc"[static_cast<int>(operand)]);
        if (!reader.isAtEnd())
            expect("the end of the sum");
        Factor values(size[0] * size[1], 1);
        for (const NamedTerm& term : terms)
            if (term.row > size[0] || term.column > size[1])
                expect("rows up to " + std::to_string(size[0]) + " and columns up to " + std::to_string(size[1]));
        if (!addTerms(terms, size[1], values, 0))
            expect("smaller coefficients");
        return values.values();
    } catch (const FieldError& error) {
        return fail("tensor/file", "'" + oneLine(text, 60) + "': expected " + error.reason);
    }
}

} // namespace tilewright::tensor
