// SPDX-License-Identifier: Apache-2.0
// What the numeric checks of one evaluation measured: of each check the value nearest to its limit, and the shape and
// inputs that gave it. The node records them, the record of an evaluation holds them ("measured_checks" of its
// environment), and the evidence of a candidate shows them. One entry a check, so the list stays short. Pure.
#pragma once

#include "core/model/task/task.h"

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace tilewright {

/// Name of the check of every launch that is timed.
inline constexpr const char* timedLaunchesCheck = "timed-launches";

struct MeasuredCheck {
    std::string check; ///< name of its rule without the stage: "norm", "timed-launches"
    double measured = 0, limit = 0; ///< of "norm" the relative error; of all others a multiple of the bound, limit 1
    Shape shape = {};
    std::string inputs = {}; ///< kind of the inputs' contents; "" where there is one kind only

    /// measured / limit.
    double share() const;
    bool operator==(const MeasuredCheck&) const = default;
};

class MeasuredChecks
{
public:
    /// Keeps of each check the entry with the largest share of its limit.
    void add(MeasuredCheck check);
    void add(const MeasuredChecks& others);
    /// The same values as measured on this shape with these inputs.
    MeasuredChecks on(const Shape& shape, const std::string& inputs) const;
    /// The largest share as one entry of another check, which all of these are a part of; nothing for nothing.
    MeasuredChecks asPartOf(const std::string& check) const;

    const std::vector<MeasuredCheck>& all() const { return m_all; }
    const MeasuredCheck* find(std::string_view check) const;

    nlohmann::json json() const; ///< [{"check", "measured", "limit", "shape", "inputs"}]; "inputs" only where known
    /// What of it can be read: a record may come from another machine. At most mostChecks entries.
    static MeasuredChecks fromJson(const nlohmann::json& json);
    static constexpr std::size_t mostChecks = 32;

    bool operator==(const MeasuredChecks&) const = default;

private:
    std::vector<MeasuredCheck> m_all; ///< in the order in which the checks first measured something
};

/// The checks that a program passed, by name, and what they measured.
struct PassedChecks {
    std::vector<std::string> names;
    MeasuredChecks measured = {};

    bool operator==(const PassedChecks&) const = default;
};

} // namespace tilewright
