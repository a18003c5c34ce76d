// SPDX-License-Identifier: Apache-2.0
// Programs that a GPU worker keeps loaded although another has their slot: those that lost it last. The node keeps the
// same list, by the same steps, and so knows which programs it may ask for without their cubins.
#pragma once

#include "core/base/hash.h"

#include <algorithm>
#include <deque>
#include <optional>
#include <utility>

namespace tilewright {

template <typename Program> class ParkedPrograms
{
public:
    /// The program of this cubin, which is no longer parked then.
    std::optional<Program> take(const Hash& cubin)
    {
        const auto found = std::ranges::find(m_programs, cubin, &std::pair<Hash, Program>::first);
        if (found == m_programs.end())
            return std::nullopt;
        std::optional<Program> program(std::move(found->second));
        m_programs.erase(found);
        return program;
    }
    /// What was parked longest is forgotten where there is no room.
    void park(const Hash& cubin, Program program)
    {
        (void)take(cubin);
        m_programs.emplace_front(cubin, std::move(program));
        if (m_programs.size() > most)
            m_programs.pop_back();
    }

private:
    static constexpr std::size_t most = 3;
    std::deque<std::pair<Hash, Program>> m_programs;
};

} // namespace tilewright
