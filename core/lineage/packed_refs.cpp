// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lineage/packed_refs.h"

#include "core/base/text.h"

#include <algorithm>

namespace tilewright {
namespace {

constexpr std::size_t idDigits = 40;

bool isHexadecimal(std::string_view text)
{
    return std::ranges::all_of(text, [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
}

} // namespace

Result<RefNames> parsedRefs(std::string_view text)
{
    RefNames refs;
    for (const std::string_view line : splitLines(text)) {
        if (line.empty() || line.starts_with('#') || line.starts_with('^'))
            continue;
        if (line.size() < idDigits + 2 || line[idDigits] != ' ' || !isHexadecimal(line.substr(0, idDigits)))
            return fail("lineage/damaged", "packed-refs of the repository cannot be read: " + oneLine(line, 80),
                "remove the repository and write it again");
        refs[std::string(line.substr(idDigits + 1))] = line.substr(0, idDigits);
    }
    return refs;
}

std::string packedRefsText(const RefNames& refs)
{
    std::string text = "# pack-refs with: peeled sorted \n";
    for (const auto& [name, id] : refs)
        text.append(id).append(" ").append(name) += '\n';
    return text;
}

} // namespace tilewright
