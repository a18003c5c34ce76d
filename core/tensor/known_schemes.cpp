// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tensor/known_schemes.h"

#include "core/base/text.h"

namespace tilewright::tensor {
namespace {

/// A product of 2x2x2: which of the four entries it takes, and in which it goes.
struct KnownProduct {
    std::array<int, 4> u, v, w;
};

Scheme schemeOf(const std::array<KnownProduct, 7>& products, std::string name)
{
    Scheme scheme = emptyScheme({2, 2, 2}, Ring::Integers, 7);
    for (int r = 0; r < 7; ++r)
        for (int entry = 0; entry < 4; ++entry) {
            const auto& product = products[static_cast<std::size_t>(r)];
            const auto at = static_cast<std::size_t>(entry);
            scheme.u.at(entry, r) = Coefficient{product.u[at]};
            scheme.v.at(entry, r) = Coefficient{product.v[at]};
            scheme.w.at(entry, r) = Coefficient{product.w[at]};
        }
    scheme.name = std::move(name);
    scheme.origin = "built in";
    return scheme;
}

constexpr std::string_view schoolbookPrefix = "schoolbook:";

} // namespace

Scheme schoolbook(const Format& format)
{
    Scheme scheme = emptyScheme(format, Ring::Integers, format.naiveRank());
    int product = 0;
    for (int i = 0; i < format.n; ++i)
        for (int k = 0; k < format.p; ++k)
            for (int j = 0; j < format.m; ++j, ++product) {
                scheme.u.at(i * format.m + j, product) = Coefficient{1};
                scheme.v.at(j * format.p + k, product) = Coefficient{1};
                scheme.w.at(i * format.p + k, product) = Coefficient{1};
            }
    scheme.name = "Schoolbook " + textOf(format);
    scheme.origin = "built in";
    return scheme;
}

Scheme strassen()
{
    return schemeOf({{{{1, 0, 0, 1}, {1, 0, 0, 1}, {1, 0, 0, 1}}, {{0, 0, 1, 1}, {1, 0, 0, 0}, {0, 0, 1, -1}},
                        {{1, 0, 0, 0}, {0, 1, 0, -1}, {0, 1, 0, 1}}, {{0, 0, 0, 1}, {-1, 0, 1, 0}, {1, 0, 1, 0}},
                        {{1, 1, 0, 0}, {0, 0, 0, 1}, {-1, 1, 0, 0}}, {{-1, 0, 1, 0}, {1, 1, 0, 0}, {0, 0, 0, 1}},
                        {{0, 1, 0, -1}, {0, 0, 1, 1}, {1, 0, 0, 0}}}},
        "Strassen");
}

Scheme winogradVariant()
{
    return schemeOf({{{{1, 0, 0, 0}, {1, 0, 0, 0}, {1, 1, 1, 1}}, {{0, 1, 0, 0}, {0, 0, 1, 0}, {1, 0, 0, 0}},
                        {{1, 1, -1, -1}, {0, 0, 0, 1}, {0, 1, 0, 0}}, {{0, 0, 0, 1}, {1, -1, -1, 1}, {0, 0, -1, 0}},
                        {{0, 0, 1, 1}, {-1, 1, 0, 0}, {0, 1, 0, 1}}, {{-1, 0, 1, 1}, {1, -1, 0, 1}, {0, 1, 1, 1}},
                        {{1, 0, -1, 0}, {0, -1, 0, 1}, {0, 0, 1, 1}}}},
        "Winograd's variant");
}

Result<Scheme> knownScheme(std::string_view name)
{
    if (name == "strassen")
        return strassen();
    if (name == "winograd")
        return winogradVariant();
    const auto format = formatIn(name.starts_with(schoolbookPrefix) ? name.substr(schoolbookPrefix.size()) : name);
    if (format)
        return schoolbook(*format);
    if (name.starts_with(schoolbookPrefix) || format.error().text.starts_with("the format"))
        return std::unexpected(format.error());
    return fail("tensor/unknown", "'" + oneLine(name, 40) + "' is not a built-in scheme",
        "there are strassen, winograd and schoolbook:NxMxP");
}

bool isSchemeName(std::string_view name)
{
    const bool isFormat = !name.empty() && name.find_first_not_of("0123456789x,") == std::string_view::npos;
    return name == "strassen" || name == "winograd" || name.starts_with(schoolbookPrefix) || isFormat;
}

} // namespace tilewright::tensor
