// SPDX-License-Identifier: Apache-2.0
#include "core/base/ids.h"

#include <charconv>
#include <cstdio>

namespace tilewright {

std::string candidateName(CandidateId id)
{
    if (!id)
        return {};
    char text[32];
    std::snprintf(text, sizeof text, "c-%04lld", static_cast<long long>(id.value));
    return text;
}

CandidateId candidateFromName(const std::string& name)
{
    CandidateId id;
    if (name.size() < 3 || name.compare(0, 2, "c-") != 0)
        return id;
    std::int64_t value = 0;
    const auto [end, problem] = std::from_chars(name.data() + 2, name.data() + name.size(), value);
    if (problem == std::errc() && end == name.data() + name.size() && value > 0)
        id.value = value;
    return id;
}

std::string islandLetter(IslandId id)
{
    std::string letters;
    for (std::int64_t n = id.value; n > 0; n = (n - 1) / 26)
        letters.insert(letters.begin(), static_cast<char>('A' + (n - 1) % 26));
    return letters;
}

IslandId islandFromLetter(std::string_view letters)
{
    constexpr std::size_t longest = 6; // far beyond any run, and no number overflows
    IslandId id;
    if (letters.size() > longest)
        return id;
    for (const char letter : letters) {
        if (letter < 'A' || letter > 'Z')
            return {};
        id.value = id.value * 26 + (letter - 'A') + 1;
    }
    return id;
}

} // namespace tilewright
