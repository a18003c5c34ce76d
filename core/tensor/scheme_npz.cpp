// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tensor/scheme_npz.h"

#include "core/base/text.h"
#include "core/tensor/numpy_array.h"
#include "core/tensor/zip_archive.h"

#include <algorithm>
#include <cmath>

namespace tilewright::tensor {
namespace {

constexpr std::string_view arrayEnding = ".npy";

Result<Factor> factorOfArray(const NumpyArray& array, const char* name, int entries)
{
    if (array.shape.size() != 2 || array.shape[0] != static_cast<std::size_t>(entries) || array.isList()
        || array.shape[1] < 1 || array.shape[1] > std::size_t(mostProducts))
        return fail("tensor/file",
            std::string("the array of ") + name + " must be of " + std::to_string(entries) + " x R numbers, R up to "
                + std::to_string(mostProducts));
    const int products = static_cast<int>(array.shape[1]);
    Factor factor(entries, products);
    for (int entry = 0; entry < entries; ++entry)
        for (int product = 0; product < products; ++product)
            factor.at(entry, product) = array.values[static_cast<std::size_t>(entry * products + product)];
    return factor;
}

Result<SchemeDraft> draftOfArrays(const std::vector<NumpyArray>& arrays, const Format& format)
{
    SchemeDraft draft;
    draft.format = format;
    const auto u = factorOfArray(arrays[0], "u", format.aEntries());
    const auto v = factorOfArray(arrays[1], "v", format.bEntries());
    const auto w = factorOfArray(arrays[2], "w", format.cEntries());
    for (const auto* factor : {&u, &v, &w})
        if (!*factor)
            return std::unexpected(factor->error());
    draft.u = *u;
    draft.v = *v;
    draft.w = *w;
    draft.layout = OutputLayout::Transposed;
    draft.origin = "NumPy archive";
    return draft;
}

/// An array of shape (3, entries, R) as three, or the three that it holds.
std::vector<NumpyArray> parted(NumpyArray array)
{
    if (array.isList())
        return std::move(array.arrays);
    if (array.shape.size() != 3 || array.shape[0] != 3)
        return {};
    const auto size = static_cast<std::ptrdiff_t>(array.shape[1] * array.shape[2]);
    std::vector<NumpyArray> parts;
    for (std::ptrdiff_t i = 0; i < 3; ++i)
        parts.push_back({{array.shape[1], array.shape[2]},
            {array.values.begin() + i * size, array.values.begin() + (i + 1) * size}, {}});
    return parts;
}

Result<NumpyArray> arrayIn(std::string_view bytes, const std::string& name)
{
    const auto unpacked = unpackedFromZip(bytes, name);
    return unpacked ? numpyArrayIn(*unpacked) : std::unexpected(unpacked.error());
}

/// Arrays u, v and w: their numbers of rows are n·m, m·p and n·p, which gives the format.
Result<SchemeDraft> draftOfThree(std::string_view bytes)
{
    std::vector<NumpyArray> arrays;
    for (const char* name : {"u.npy", "v.npy", "w.npy"}) {
        auto array = arrayIn(bytes, name);
        if (!array)
            return std::unexpected(array.error());
        if (array->shape.size() != 2 || array->shape[0] > std::size_t(mostEntries))
            return fail("tensor/file",
                std::string("the array ") + name + " must have two dimensions, with up to "
                    + std::to_string(mostEntries) + " rows");
        arrays.push_back(std::move(*array));
    }
    const auto rows = [&](std::size_t i) { return static_cast<double>(arrays[i].shape[0]); };
    const int n = static_cast<int>(std::lround(std::sqrt(rows(0) * rows(2) / std::max(rows(1), 1.0))));
    const int m = n > 0 ? static_cast<int>(arrays[0].shape[0]) / n : 0;
    const Format format{n, m, n > 0 ? static_cast<int>(arrays[2].shape[0]) / n : 0};
    if (const auto checked = checkFormat(format); !checked)
        return std::unexpected(checked.error());
    return draftOfArrays(arrays, format);
}

NumpyArray arrayOf(const Factor& factor)
{
    NumpyArray array{{static_cast<std::size_t>(factor.entries()), static_cast<std::size_t>(factor.products())}, {}, {}};
    for (int entry = 0; entry < factor.entries(); ++entry)
        for (int product = 0; product < factor.products(); ++product)
            array.values.push_back(factor.at(entry, product));
    return array;
}

} // namespace

Result<SchemeDraft> draftInNpz(std::string_view bytes, const std::optional<Format>& wanted)
{
    const auto names = namesInZip(bytes);
    if (!names)
        return std::unexpected(names.error());
    if (std::ranges::find(*names, "u.npy") != names->end() && std::ranges::find(*names, "v.npy") != names->end()
        && std::ranges::find(*names, "w.npy") != names->end())
        return draftOfThree(bytes);
    std::vector<std::pair<Format, std::string>> found;
    std::vector<std::string> shown;
    for (const std::string& name : *names) {
        if (!name.ends_with(arrayEnding))
            continue;
        const auto format = formatIn(std::string_view(name).substr(0, name.size() - arrayEnding.size()));
        if (!format)
            continue;
        found.emplace_back(*format, name);
        shown.push_back(textOf(*format));
    }
    if (found.empty())
        return fail("tensor/file",
            "the archive has no array that is named as a format, such as 2,2,2.npy, of a supported size");
    const auto chosen = std::ranges::find_if(
        found, [&](const auto& each) { return wanted ? each.first == *wanted : found.size() == 1; });
    if (chosen == found.end())
        return fail("tensor/which",
            wanted ? "the archive has no scheme of " + textOf(*wanted)
                   : "the archive has " + std::to_string(found.size()) + " schemes",
            "name one of them with --format: " + oneLine(joined(shown, ", "), 800));
    auto array = arrayIn(bytes, chosen->second);
    if (!array)
        return std::unexpected(array.error());
    const auto parts = parted(std::move(*array));
    if (parts.size() != 3)
        return fail("tensor/file", "the array of " + textOf(chosen->first) + " does not hold U, V and W");
    return draftOfArrays(parts, chosen->first);
}

Result<std::string> npzOf(const Scheme& scheme)
{
    const Factor w = withOtherLayout(scheme.w, scheme.format.n, OutputLayout::Plain);
    const Format& format = scheme.format;
    const NumpyArray list{{3}, {}, {arrayOf(scheme.u), arrayOf(scheme.v), arrayOf(w)}};
    const std::string bytes = numpyBytes(list);
    if (const auto again = numpyArrayIn(bytes); !again || *again != list)
        return fail("tensor/coefficient",
            "a coefficient of the scheme is no floating-point number: it cannot be written as .npz",
            "write it as .json or .exp");
    return zipOf(
        {{std::to_string(format.n) + "," + std::to_string(format.m) + "," + std::to_string(format.p) + ".npy", bytes}});
}

} // namespace tilewright::tensor
