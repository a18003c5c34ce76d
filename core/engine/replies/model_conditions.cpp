// SPDX-License-Identifier: GPL-3.0-or-later
// How each model does, in words: from the record (rests, pauses) and from what is in flight (tries, silence).
#include "core/base/format.h"
#include "core/base/text.h"
#include "core/engine/replies/model_reply_source.h"

#include <QDateTime>
#include <algorithm>

namespace tilewright {
namespace {

using namespace std::chrono;

/// Without a byte for so long a model counts as slow.
constexpr seconds slowAfter{60};

std::string failuresText(int count) { return counted(count, "failure", "failures"); }

/// "20 requests and 40000 tokens a minute".
std::string limitsText(const ModelEndpoint& endpoint)
{
    const PaceLimits& limits = endpoint.perMinute;
    std::string text;
    if (limits.requests > 0)
        text = counted(limits.requests, "request", "requests");
    if (limits.tokens > 0)
        text += (text.empty() ? "" : " and ") + std::to_string(limits.tokens) + " tokens";
    return text + " a minute";
}

QDateTime timeOf(const std::string& utc)
{
    return QDateTime::fromString(QString::fromStdString(utc), Qt::ISODateWithMs);
}

} // namespace

std::vector<IslandId> ModelReplySource::islandsAsking(const std::string& model) const
{
    std::vector<IslandId> islands;
    for (const Island& island : m_sink.state().islands) {
        const auto weights = weightsOf(island.id);
        const auto own = weights.find(model);
        if (own != weights.end() && own->second > 0)
            islands.push_back(island.id);
    }
    return islands;
}

/// What the requests under way say: a try that failed, or a long silence.
void ModelReplySource::describeFlights(ModelStatus& status) const
{
    const nanoseconds now = m_clock.monotonic();
    nanoseconds silent{0};
    for (const auto& [id, flight] : m_flights) {
        if (flight.model != status.name)
            continue;
        ++status.inFlight;
        if (!flight.trouble.empty() && status.condition != ModelCondition::Waiting) {
            status.condition = ModelCondition::Waiting;
            status.failuresInRow = std::max(status.failuresInRow, flight.tries);
            status.text = failuresText(flight.tries) + ", waiting " + remainingText(flight.triesAgainAt - now) + ": "
                + flight.trouble;
        }
        if (flight.trouble.empty() && flight.tries > 0)
            silent = std::max(silent, now - flight.lastSign);
    }
    if (status.condition == ModelCondition::Ready && silent > slowAfter) {
        status.condition = ModelCondition::Slow;
        status.text = "no data for " + elapsedText(silent);
    }
}

std::vector<ModelStatus> ModelReplySource::models() const
{
    std::vector<ModelStatus> all;
    const std::string utc = m_clock.utc();
    const ModelStatisticsMap& statisticsByModel = m_sink.state().statisticsByModel;
    for (const ModelSpec& spec : m_models.models) {
        const auto known = statisticsByModel.find(spec.name);
        const ModelStatistics statistics = known == statisticsByModel.end() ? ModelStatistics{} : known->second;
        ModelStatus status;
        status.name = spec.name;
        status.endpoint = spec.endpoint;
        status.servedAs = spec.model;
        status.weight = spec.weight;
        status.priced = spec.price.has_value();
        status.failuresInRow = statistics.failuresInRow;
        status.limits = m_client->serverLimits(spec.name);
        describeFlights(status);
        if (!statistics.pausedBecause.empty()) {
            status.condition = ModelCondition::Paused;
            status.text = "paused: " + statistics.pausedBecause;
        } else if (statistics.restsUntilUtc > utc) {
            status.condition = ModelCondition::Resting;
            status.text = failuresText(statistics.failuresInRow) + ", waiting "
                + remainingText(milliseconds(timeOf(utc).msecsTo(timeOf(statistics.restsUntilUtc)))) + ": "
                + statistics.lastError;
        }
        if (const auto wait = paceWait(spec.name, 1); wait.count() > 0 && status.condition == ModelCondition::Ready) {
            const std::string told = m_client->serversHold(spec.name, 1);
            status.condition = ModelCondition::Waiting;
            status.text = (told.empty() ? "limited to " + limitsText(*m_models.endpoint(spec.endpoint)) : told)
                + ", next in " + remainingText(wait);
        }
        if (status.condition != ModelCondition::Ready)
            status.islands = islandsAsking(spec.name);
        all.push_back(std::move(status));
    }
    return all;
}

} // namespace tilewright
