// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/query.h"

#include <charconv>

namespace tilewright {

int lineOfComplaint(std::string_view complaint)
{
    for (std::size_t at = complaint.find_first_of(":("); at != std::string_view::npos;
         at = complaint.find_first_of(":(", at + 1)) {
        const char* begin = complaint.data() + at + 1;
        const char* end = complaint.data() + complaint.size();
        int line = 0;
        const auto [after, error] = std::from_chars(begin, end, line);
        const bool isClosed = after != end && *after == (complaint[at] == '(' ? ')' : ':');
        if (error == std::errc() && line > 0 && isClosed)
            return line;
    }
    constexpr std::string_view words = "line "; // "(line 5 of candidate.cu, for 64×64×64)"
    for (std::size_t at = complaint.find(words); at != std::string_view::npos; at = complaint.find(words, at + 1)) {
        int line = 0;
        const auto [after, error]
            = std::from_chars(complaint.data() + at + words.size(), complaint.data() + complaint.size(), line);
        const std::string_view rest(after, static_cast<std::size_t>(complaint.data() + complaint.size() - after));
        if (error == std::errc() && line > 0 && rest.starts_with(" of candidate."))
            return line;
    }
    return 0;
}

} // namespace tilewright
