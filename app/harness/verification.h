// SPDX-License-Identifier: Apache-2.0
// One program through the node as Tilewright measures it: build, check, and timing in pairs with the exported program,
// the baseline and the vendor library. And what the result says beside the record of the export.
#pragma once

#include "app/harness/node_client.h"
#include "core/model/measurement/evaluation.h"
#include "core/model/task/task.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace tilewright::harness {

/// What a bundle says of the exported program.
struct Claim {
    std::string candidate; ///< "c-0035"
    EvaluationResult result; ///< of its confirmation
    nlohmann::json deviceFacts;
    std::string sourceHash; ///< SHA-256 of the exported program's text
};
/// From a bundle's report.json. Errors: file/missing, bundle/report.
Result<Claim> claimOf(const std::filesystem::path& bundle);

/// How many samples: Confirm as the figures of a session that are confirmed; Quick is a first check and a screening on
/// train shapes, which judges whether a program is right but gives no verdict on its speed.
enum class Extent { Confirm, Quick };

struct Subject {
    TaskPack pack;
    std::string program; ///< the text that is verified
    std::string exported; ///< the text that was exported: the same, or what it is timed beside
    std::string device; ///< id; "" for the first that fits the task
    Extent extent = Extent::Confirm;
};

struct Verification {
    EvaluationResult result;
    HelloReply::Device device;
    std::vector<std::string> passed; ///< rules
    std::string log; ///< of the compiler, where building failed
    bool isExported = false; ///< the program is the exported one, letter for letter
};

/// Errors are the machine's: device/missing, time/unstable, node/…, machine/…; what is wrong with the program is a
/// result.
Result<Verification> verify(NodeClient& node, const Subject& subject, const OnProgress& onProgress);

/// The judgement in the end; its value is the exit code.
enum class HarnessVerdict { Verified = 0, Wrong = 1, Slower = 3 };
struct Judged {
    HarnessVerdict judgement = HarnessVerdict::Verified;
    std::vector<std::string> reasons; ///< sentences
};
/// differences: of this machine to the recorded one, as differencesOf() lists them; with any, figures of the two are
/// not compared.
Judged judged(
    const Verification& verification, const Claim& claim, const std::vector<std::string>& differences, Extent extent);

/// "compiler: recorded g++ 12.2.0, here g++ 14.1.0"; empty where nothing that figures depend on is known to differ.
std::vector<std::string> differencesOf(const Claim& claim, const HelloReply::Device& here);

/// A kernel must not lose more than this share of its recorded speed on a machine of the same kind.
inline constexpr double recordedMargin = 0.05;

} // namespace tilewright::harness
