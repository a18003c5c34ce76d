// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/urgency.h"

namespace tilewright {
namespace {

template <typename... Kinds> bool isOneOf(const EventBody& body)
{
    return (std::holds_alternative<Kinds>(body) || ...);
}

} // namespace

bool mustReachDisk(const EventBody& body)
{
    if (const auto* proposed = std::get_if<events::Proposed>(&body))
        return static_cast<bool>(proposed->proposal.inquiry);
    return !isOneOf<events::IslandCreated, events::DeviceFound, events::ProposalRefused, events::CandidateMade,
        events::EvaluationStarted, events::StageReached, events::Evaluated, events::Admitted, events::Migrated,
        events::NoiseMeasured, events::Noted, events::ArmChanged, events::TriedAgain, events::ReviewAsked,
        events::FeatureUsed, events::WorkDone, events::TurnsWaived>(body);
}

} // namespace tilewright
