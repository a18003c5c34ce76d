// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/measuring_device.h"

#include "core/base/text.h"
#include "core/protocol/device_names.h"

#include <array>

namespace tilewright {
namespace {

/// Figures depend on these: a device of another model is another device, and another compiler makes other programs.
constexpr std::array decisive{
    "name", "arch", "microarchitecture", "features", "compiler", "openblas", "nvrtc", "driver", "cuda_driver"};

const char* classOf(const std::string& id) { return isGpuId(id) ? "gpu" : "cpu"; }

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

Result<void> checkSameDevice(const RunState& state, const std::string& id, const nlohmann::json& facts)
{
    if (state.evaluations.empty() || state.device.empty())
        return {};
    bool same = std::string_view(classOf(state.device)) == classOf(id);
    const std::string there = deviceWords(state.device, state.deviceFacts), here = deviceWords(id, facts);
    std::string differs; // what the words for the two devices do not show
    for (const char* key : decisive) {
        const std::string then = factText(state.deviceFacts, key), now = factText(facts, key);
        if (then.empty() || now.empty() || then == now)
            continue;
        same = false;
        if (there == here)
            differs += std::string(differs.empty() ? " (" : "; ") + key + " was " + then + " and is " + now;
    }
    if (same)
        return {};
    return fail("device/other",
        "this session was measured on " + there + ", and here is " + here + (differs.empty() ? "" : differs + ")")
            + ": their figures cannot stand side by side",
        "go on with it where it was measured; or measure its programs anew in a new session here: 'tilewright-cli "
        "evolve --task "
            + state.settings.taskName + " --proposer replay:FILE'",
        {{"recorded", state.deviceFacts}, {"found", facts}});
}

nlohmann::json environmentOf(const nlohmann::json& measured, const std::string& id, const nlohmann::json& facts,
    const Task& task, std::vector<std::string> passed)
{
    nlohmann::json environment{{"device_id", id}, {"class", isGpuId(id) ? factText(facts, "arch") : "cpu"},
        {"mode", task.timingMode}, {"threads", task.threads}};
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
                passed.push_back(rule.get<std::string>());
    environment["rules_passed"] = std::move(passed);
    return environment;
}

} // namespace tilewright
