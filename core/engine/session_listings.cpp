// SPDX-License-Identifier: GPL-3.0-or-later
// Listings of a session's candidates: by the node that measures it; by one of its own where the session is read only.
#include "core/engine/session.h"

namespace tilewright {

quint64 Session::askForListing(CandidateId candidate, std::optional<ListingForm> form, Listings::Answer answer)
{
    const auto request = listingRequestFor(state(), m_pack->task, candidate, form);
    if (!request) {
        QTimer::singleShot(
            0, this, [answer = std::move(answer), error = request.error()] { answer(std::unexpected(error)); });
        return 0;
    }
    if (!m_node) {
        m_node = std::make_unique<NodeConnection>();
        m_node->setCommand(m_nodeCommand);
        m_node->setSilenceLimit(m_silenceLimit);
        m_node->setBlobSource([this](const Hash& hash) { return text(hash); });
        m_listings = std::make_unique<Listings>(*m_node);
        m_node->start();
    }
    return m_listings->ask(*request, std::move(answer));
}

void Session::dropListing(quint64 number)
{
    if (m_listings)
        m_listings->drop(number);
}

} // namespace tilewright
