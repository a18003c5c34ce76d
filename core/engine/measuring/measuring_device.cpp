// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/measuring/measuring_device.h"

#include "core/base/text.h"
#include "core/model/measurement/conditions.h"
#include "core/protocol/device_names.h"

#include <algorithm>
#include <array>

namespace tilewright {
namespace {

/// Figures depend on these: a device of another model is another device, and another compiler makes other programs.
constexpr std::array decisive{
    "name", "arch", "microarchitecture", "features", "compiler", "openblas", "nvrtc", "driver", "cuda_driver"};

const char* classOf(const std::string& id) { return isGpuId(id) ? "gpu" : "cpu"; }

using Facts = std::pair<std::string, nlohmann::json>; ///< of a device, behind its id

std::string factText(const nlohmann::json& facts, const char* key)
{
    const auto found = facts.is_object() ? facts.find(key) : facts.end();
    if (!facts.is_object() || found == facts.end() || found->is_null())
        return {};
    return found->is_string() ? found->get<std::string>() : found->dump();
}

} // namespace

nlohmann::json factsOf(const HelloReply::Device& device)
{
    nlohmann::json facts = device.facts.is_object() ? device.facts : nlohmann::json::object();
    facts["name"] = device.name;
    facts["arch"] = device.arch;
    facts["isolation"] = device.isolation;
    return facts;
}

std::string deviceWords(const std::string& id, const nlohmann::json& facts)
{
    std::vector<std::string> words{classOf(id)};
    for (const char* key : {"arch", facts.is_object() && facts.contains("nvrtc") ? "nvrtc" : "compiler"})
        if (const std::string word = factText(facts, key); !word.empty() && word != "native")
            words.push_back(word);
    if (const std::string driver = factText(facts, "driver"); !driver.empty())
        words.push_back("driver " + driver);
    const std::string name = factText(facts, "name");
    return (name.empty() ? id : name) + " (" + joined(words, ", ") + ")";
}

namespace {

/// What a list of words has that another has not; empty where one of both is no such list.
std::string onlyIn(const nlohmann::json& facts, const nlohmann::json& others, const char* key)
{
    const nlohmann::json none = nlohmann::json::array();
    const nlohmann::json &list = facts.is_object() && facts.contains(key) ? facts.at(key) : none,
                         &other = others.is_object() && others.contains(key) ? others.at(key) : none;
    std::vector<std::string> words;
    if (list.is_array() && other.is_array())
        for (const nlohmann::json& word : list)
            if (word.is_string() && std::ranges::find(other, word) == other.end())
                words.push_back(word.get<std::string>());
    return joined(words, ", ");
}

/// "compiler was g++ 12 and is g++ 14"; of lists what only one of both has: "features only there: avx512f, only here:
/// sse4a".
std::string apartIn(const Facts& one, const Facts& other, const char* key, const char* then, const char* now)
{
    const std::string there = onlyIn(one.second, other.second, key), here = onlyIn(other.second, one.second, key);
    if (there.empty() && here.empty())
        return key + (then + factText(one.second, key)) + now + factText(other.second, key);
    return key + (there.empty() ? std::string() : " only on the other device: " + there)
        + (there.empty() || here.empty() ? "" : ",") + (here.empty() ? std::string() : " only on this device: " + here);
}

/// Nothing where figures of both may stand side by side; else what differs, as far as the words for both do not show
/// it.
std::optional<std::string> difference(const Facts& one, const Facts& other, const char* then, const char* now)
{
    bool same = std::string_view(classOf(one.first)) == classOf(other.first);
    const bool alike = deviceWords(one.first, one.second) == deviceWords(other.first, other.second);
    std::string differs;
    for (const char* key : decisive) {
        const std::string there = factText(one.second, key), here = factText(other.second, key);
        if (there.empty() || here.empty() || there == here)
            continue;
        same = false;
        if (alike)
            differs += (differs.empty() ? " (" : "; ") + apartIn(one, other, key, then, now);
    }
    if (same)
        return std::nullopt;
    return differs.empty() ? "" : differs + ")";
}

} // namespace

MissingDevice missingDevice(const RunState& state, Error why)
{
    if (why.code != "device/missing" || state.evaluations.empty() || state.device.empty())
        return {std::move(why), false};
    why.text = "this session was measured on " + deviceWords(state.device, state.deviceFacts) + "; " + why.text;
    why.hint = "the session can be viewed; continue it on the device it was measured on";
    return {std::move(why), true};
}

Result<void> checkSameDevice(const RunState& state, const std::string& id, const nlohmann::json& facts)
{
    if (state.evaluations.empty() || state.device.empty())
        return {};
    const auto apart = difference({state.device, state.deviceFacts}, {id, facts}, " was ", " and is ");
    if (!apart)
        return {};
    return fail("device/other",
        "this session was measured on " + deviceWords(state.device, state.deviceFacts) + ", and this device is "
            + deviceWords(id, facts) + *apart + ": their results are not comparable",
        "continue it on the device it was measured on; or measure its programs in a new session here: 'tilewright-cli "
        "evolve --task "
            + state.settings.taskName + " --proposer replay:FILE'",
        {{"recorded", state.deviceFacts}, {"found", facts}});
}

Result<void> checkAlike(const std::vector<const HelloReply::Device*>& devices)
{
    for (const HelloReply::Device* device : devices) {
        const HelloReply::Device* first = devices.front();
        const auto apart
            = difference({first->id, factsOf(*first)}, {device->id, factsOf(*device)}, " is ", " there and here ");
        if (apart)
            return fail("device/mixed",
                deviceWords(first->id, factsOf(*first)) + " and " + deviceWords(device->id, factsOf(*device)) + *apart
                    + " cannot measure one run together: their results are not comparable",
                "use devices of one kind, or start a session for each kind");
    }
    return {};
}

nlohmann::json environmentOf(const nlohmann::json& measured, const std::string& id, const nlohmann::json& facts,
    const Task& task, PassedChecks passed)
{
    nlohmann::json environment{{"device_id", id}, {"class", isGpuId(id) ? factText(facts, "arch") : "cpu"},
        {"mode", task.timingMode}, {"threads", task.threads}, {"protocol", measurementProtocol}};
    if (const std::string name = factText(facts, "name"); !name.empty())
        environment["device"] = name;
    for (const char* key : {"compiler", "openblas", "driver", "cuda_driver", "isolation"})
        if (facts.is_object() && facts.contains(key) && facts.at(key) != "")
            environment[key] = facts.at(key);
    if (measured.is_object())
        environment.update(measured);
    if (const auto timed = environment.find("rules_passed"); timed != environment.end() && timed->is_array())
        for (const nlohmann::json& rule : *timed)
            if (rule.is_string())
                passed.names.push_back(rule.get<std::string>());
    environment["rules_passed"] = std::move(passed.names);
    passed.measured.add(MeasuredChecks::fromJson(environment.value("measured_checks", nlohmann::json())));
    environment.erase("measured_checks");
    if (!passed.measured.all().empty())
        environment["measured_checks"] = passed.measured.json();
    return environment;
}

} // namespace tilewright
