// SPDX-License-Identifier: GPL-3.0-or-later
// A person's text in the place of a candidate under review: checked first, unrecorded; then approved. One that is to be
// injected is checked in the same way.
#include "core/engine/session.h"

namespace tilewright {

quint64 Session::checkEdit(CandidateId candidate, const std::string& text, EditAs as, EditChecks::Answer answer)
{
    const auto refuse = [&](const Error& why) {
        m_edits->tell({EditCheckEnd::Refused, why, 0, {}}, std::move(answer));
        return quint64(0);
    };
    if (as == EditAs::Replacement)
        if (const auto waits = m_gate->waits(candidate); !waits)
            return refuse(waits.error());
    const auto program = as == EditAs::Child ? m_desk->injected(candidate, text) : m_desk->edited(candidate, text);
    if (!program)
        return refuse(program.error());
    return m_edits->ask(*program, state().settings.task, state().device, std::move(answer));
}

void Session::dropEditCheck(quint64 number)
{
    if (m_edits)
        m_edits->drop(number);
}

Result<void> Session::approveEdited(CandidateId candidate, const std::string& text, const std::string& reason)
{
    if (auto waits = m_gate->waits(candidate); !waits)
        return waits;
    const auto made = m_desk->edit(candidate, text, reason);
    return made ? m_gate->replace(candidate, *made, reason) : std::unexpected(made.error());
}

} // namespace tilewright
