// SPDX-License-Identifier: Apache-2.0
// What measuring says, as a member of an event or of a message (core/base/json_members.h).
#pragma once

#include "core/base/json_members.h"
#include "core/model/measurement/evaluation.h"

#include <stdexcept>

namespace tilewright {

/// Words of a later version are none.
template <> struct JsonForm<Outcome> {
    static nlohmann::json write(Outcome outcome) { return nameOf(outcome); }
    static Outcome read(const nlohmann::json& json) { return outcomeFromName(json.get<std::string>()); }
};
template <> struct JsonForm<Verdict> {
    static nlohmann::json write(Verdict verdict) { return nameOf(verdict); }
    static Verdict read(const nlohmann::json& json) { return verdictFromName(json.get<std::string>()); }
};
template <> struct JsonForm<Purpose> {
    static nlohmann::json write(Purpose purpose) { return nameOf(purpose); }
    static Purpose read(const nlohmann::json& json) { return purposeFromName(json.get<std::string>()); }
};
template <> struct JsonForm<std::optional<Interval>> {
    static nlohmann::json write(const std::optional<Interval>& value)
    {
        return value ? value->json() : nlohmann::json();
    }
    static std::optional<Interval> read(const nlohmann::json& json) { return Interval::fromJson(json); }
};
template <> struct JsonForm<EvaluationResult> {
    static nlohmann::json write(const EvaluationResult& result) { return result.json(); }
    static EvaluationResult read(const nlohmann::json& json)
    {
        auto result = EvaluationResult::fromJson(json);
        return result ? std::move(*result) : throw std::runtime_error(result.error().text);
    }
};

} // namespace tilewright
