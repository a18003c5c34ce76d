// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tensor/scheme_json.h"

#include "core/base/json_text.h"
#include "core/base/text.h"
#include "core/tensor/measures.h"

namespace tilewright::tensor {
namespace {

using Json = nlohmann::json;

constexpr int ownVersion = 1;
constexpr std::size_t longestText = 400;

[[noreturn]] void complainOf(const std::string& field, const std::string& reason) { throw FieldError{field, reason}; }

const Json& memberOf(const Json& json, const char* name)
{
    const auto found = json.find(name);
    if (found == json.end())
        complainOf(name, "is missing");
    return *found;
}

/// A whole number of 64 bits with sign.
bool isWhole(const Json& json)
{
    return json.is_number_integer()
        && (!json.is_number_unsigned() || json.get<std::uint64_t>() <= std::uint64_t(1) << 62);
}

int countIn(const Json& json, const std::string& field)
{
    if (!isWhole(json) || json.get<std::int64_t>() < 0 || json.get<std::int64_t>() > 1'000'000)
        complainOf(field, "must be a whole number up to a million");
    return json.get<int>();
}

Coefficient coefficientMember(const Json& json, const std::string& field)
{
    std::optional<Coefficient> value;
    if (isWhole(json))
        value = coefficientOf(json.get<std::int64_t>());
    else if (json.is_number_float())
        value = coefficientOf(json.get<double>(), 0.0);
    else if (json.is_string())
        value = coefficientIn(json.get_ref<const std::string&>());
    if (!value)
        complainOf(field,
            "is no exact number with parts up to " + std::to_string(largestNumber)
                + ": write an integer, or a text such as \"1/2\"");
    return *value;
}

/// A list of products, each a list of so many coefficients.
Factor factorIn(const Json& json, const char* name, int entries, int products)
{
    if (!json.is_array() || json.size() != static_cast<std::size_t>(products))
        complainOf(name, "must be a list of " + std::to_string(products) + " products");
    Factor factor(entries, products);
    for (int product = 0; product < products; ++product) {
        const Json& row = json[static_cast<std::size_t>(product)];
        const std::string where = std::string(name) + "[" + std::to_string(product) + "]";
        if (!row.is_array() || row.size() != static_cast<std::size_t>(entries))
            complainOf(where, "must be a list of " + std::to_string(entries) + " coefficients");
        for (int entry = 0; entry < entries; ++entry)
            factor.at(entry, product)
                = coefficientMember(row[static_cast<std::size_t>(entry)], where + "[" + std::to_string(entry) + "]");
    }
    return factor;
}

Format formatOf(int n, int m, int p)
{
    const Format format{n, m, p};
    if (const auto checked = checkFormat(format); !checked)
        complainOf("n", checked.error().text);
    return format;
}

int rankOf(const Json& json, const char* name)
{
    const int rank = countIn(json, name);
    if (rank < 1 || rank > mostProducts)
        complainOf(name, "must be a number of products from 1 to " + std::to_string(mostProducts));
    return rank;
}

std::string textMember(const Json& json, const char* name)
{
    const auto found = json.find(name);
    return found != json.end() && found->is_string() ? oneLine(found->get<std::string>(), longestText) : std::string();
}

SchemeDraft ownDraft(const Json& json)
{
    SchemeDraft draft;
    if (countIn(memberOf(json, "tilewright_scheme"), "tilewright_scheme") != ownVersion)
        complainOf("tilewright_scheme", "is not 1: a newer version wrote this file");
    draft.format = formatOf(
        countIn(memberOf(json, "n"), "n"), countIn(memberOf(json, "m"), "m"), countIn(memberOf(json, "p"), "p"));
    const int rank = rankOf(memberOf(json, "rank"), "rank");
    draft.ring = valueIn(ringNames, textMember(json, "ring"));
    if (!draft.ring)
        complainOf("ring", "must be Z2, Z, Q or Q(i)");
    draft.layout = valueIn(outputLayouts, textMember(json, "layout"));
    if (!draft.layout)
        complainOf("layout", "must be C or C-transposed");
    draft.u = factorIn(memberOf(json, "u"), "u", draft.format.aEntries(), rank);
    draft.v = factorIn(memberOf(json, "v"), "v", draft.format.bEntries(), rank);
    draft.w = factorIn(memberOf(json, "w"), "w", draft.format.cEntries(), rank);
    draft.name = textMember(json, "name");
    draft.origin = textMember(json, "provenance");
    return draft;
}

/// Lists of {"index", "value"} over the entries, then over what `fresh` defines: as coefficients of the entries.
using Row = std::vector<Coefficient>;

Row sparseRow(
    const Json& json, const std::string& where, const std::vector<Row>& variables, std::size_t inputs, bool isMod2)
{
    if (!json.is_array())
        complainOf(where, "must be a list");
    Row sum(inputs);
    for (const Json& term : json) {
        if (!term.is_object())
            complainOf(where, "must be a list of objects with index and value");
        const auto index = static_cast<std::size_t>(countIn(memberOf(term, "index"), where + ".index"));
        const Coefficient value = coefficientMember(memberOf(term, "value"), where + ".value");
        if (index >= variables.size())
            complainOf(where, "names the variable " + std::to_string(index) + ", which is not defined before");
        for (std::size_t i = 0; i < inputs; ++i) {
            const auto product = productOf(value, variables[index][i]);
            const auto next = product ? sumOf(sum[i], *product) : std::nullopt;
            if (!next)
                complainOf(where, "has a coefficient that is too large");
            sum[i] = isMod2 && next->isInteger() ? Coefficient{next->re & 1} : *next;
        }
    }
    return sum;
}

std::vector<Row> sparseRows(
    const Json& json, const std::string& name, std::size_t inputs, std::size_t rows, bool isMod2)
{
    constexpr std::size_t mostFresh = 20'000;
    std::vector<Row> variables(inputs, Row(inputs));
    for (std::size_t i = 0; i < inputs; ++i)
        variables[i][i] = Coefficient{1};
    const Json& fresh = memberOf(json, (name + "_fresh").c_str());
    if (!fresh.is_array() || fresh.size() > mostFresh)
        complainOf(name + "_fresh", "must be a list of at most 20000 sums");
    for (const Json& row : fresh)
        variables.push_back(sparseRow(row, name + "_fresh", variables, inputs, isMod2));
    const Json& outputs = memberOf(json, name.c_str());
    if (!outputs.is_array() || outputs.size() != rows)
        complainOf(name, "must be a list of " + std::to_string(rows) + " sums");
    std::vector<Row> result;
    for (const Json& row : outputs)
        result.push_back(sparseRow(row, name, variables, inputs, isMod2));
    return result;
}

SchemeDraft collectionDraft(const Json& json)
{
    SchemeDraft draft;
    const Json& sizes = memberOf(json, "n");
    if (!sizes.is_array() || sizes.size() != 3)
        complainOf("n", "must be a list of three dimensions");
    draft.format = formatOf(countIn(sizes[0], "n"), countIn(sizes[1], "n"), countIn(sizes[2], "n"));
    const int rank = rankOf(memberOf(json, "m"), "m");
    const auto z2 = json.find("z2");
    const bool isMod2 = z2 != json.end() && z2->is_boolean() && z2->get<bool>();
    if (isMod2)
        draft.ring = Ring::Mod2;
    draft.layout = OutputLayout::Transposed;
    draft.origin = "FastMatrixMultiplication's form";
    const Format& format = draft.format;
    if (!json.contains("u_fresh")) {
        draft.u = factorIn(memberOf(json, "u"), "u", format.aEntries(), rank);
        draft.v = factorIn(memberOf(json, "v"), "v", format.bEntries(), rank);
        draft.w = factorIn(memberOf(json, "w"), "w", format.cEntries(), rank);
        return draft;
    }
    const auto products = static_cast<std::size_t>(rank);
    draft.u = Factor(format.aEntries(), rank);
    draft.v = Factor(format.bEntries(), rank);
    draft.w = Factor(format.cEntries(), rank);
    for (auto& [factor, name] : {std::pair{&draft.u, "u"}, {&draft.v, "v"}}) {
        const auto rows = sparseRows(json, name, static_cast<std::size_t>(factor->entries()), products, isMod2);
        for (int product = 0; product < rank; ++product)
            for (int entry = 0; entry < factor->entries(); ++entry)
                factor->at(entry, product) = rows[static_cast<std::size_t>(product)][static_cast<std::size_t>(entry)];
    }
    const auto rows = sparseRows(json, "w", products, static_cast<std::size_t>(format.cEntries()), isMod2);
    for (int entry = 0; entry < format.cEntries(); ++entry)
        for (int product = 0; product < rank; ++product)
            draft.w.at(entry, product) = rows[static_cast<std::size_t>(entry)][static_cast<std::size_t>(product)];
    return draft;
}

using OrderedJson = nlohmann::ordered_json;

/// One product a line.
std::string factorText(const Factor& factor)
{
    std::string text = "[\n";
    for (int product = 0; product < factor.products(); ++product) {
        OrderedJson row = OrderedJson::array();
        for (int entry = 0; entry < factor.entries(); ++entry) {
            const Coefficient& value = factor.at(entry, product);
            row.push_back(value.isInteger() ? OrderedJson(value.re) : OrderedJson(textOf(value)));
        }
        text += "  " + dumped(row) + (product + 1 < factor.products() ? ",\n" : "\n");
    }
    return text + " ]";
}

std::string objectText(const OrderedJson& head, const Factor& u, const Factor& v, const Factor& w)
{
    std::string text = "{";
    for (const auto& [key, value] : head.items())
        text += "\n \"" + key + "\": " + dumped(value) + ",";
    return text + "\n \"u\": " + factorText(u) + ",\n \"v\": " + factorText(v) + ",\n \"w\": " + factorText(w)
        + "\n}\n";
}

} // namespace

std::string ownJson(const Scheme& scheme)
{
    const OrderedJson head{{"tilewright_scheme", ownVersion}, {"n", scheme.format.n}, {"m", scheme.format.m},
        {"p", scheme.format.p}, {"rank", scheme.rank()}, {"ring", nameIn(ringNames, scheme.ring)},
        {"layout", nameIn(outputLayouts, OutputLayout::Plain)}, {"name", scheme.name}, {"provenance", scheme.origin}};
    return objectText(head, scheme.u, scheme.v, scheme.w);
}

std::string collectionJson(const Scheme& scheme)
{
    const OrderedJson head{{"n", {scheme.format.n, scheme.format.m, scheme.format.p}}, {"m", scheme.rank()},
        {"z2", scheme.ring == Ring::Mod2}};
    return objectText(head, scheme.u, scheme.v, withOtherLayout(scheme.w, scheme.format.n, OutputLayout::Plain));
}

Result<SchemeDraft> draftInJson(std::string_view text)
{
    const Json json = parsedJson(text);
    if (json.is_discarded())
        return fail(
            "tensor/file", "the file is not valid JSON", "it may be cut off; schemes are .json, .npz or .exp files");
    try {
        if (!json.is_object())
            complainOf("the file", "must hold a JSON object");
        if (json.contains("tilewright_scheme"))
            return ownDraft(json);
        return collectionDraft(json);
    } catch (const FieldError& error) {
        return fail("tensor/file", "the scheme's field " + oneLine(error.field, 80) + " " + error.reason);
    }
}

} // namespace tilewright::tensor
