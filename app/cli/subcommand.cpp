// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/subcommand.h"

#include "core/base/json_text.h"
#include "core/protocol/gpu_trouble.h"
#include "core/protocol/killed.h"

#include <cstdio>

namespace tilewright::cli {

void complain(const Error& error)
{
    const auto mistakes = error.evidence.is_object() ? error.evidence.find("mistakes") : error.evidence.end();
    if (mistakes == error.evidence.end() || mistakes->size() < 2) {
        complain(error.line());
        return;
    }
    std::string text = error.evidence.value("file", "") + ": " + std::to_string(mistakes->size()) + " mistakes";
    for (const nlohmann::json& mistake : *mistakes) {
        const std::string field = mistake.value("field", "");
        text += "\n  " + (field.empty() ? "" : field + ": ") + mistake.value("reason", "");
    }
    complain(text + "\n  " + error.hint);
}

void complain(const std::string& text) { std::fprintf(stderr, "tilewright-cli: %s\n", text.c_str()); }

int exitCodeOf(const std::string& code)
{
    if (code == "session/locked" || code == "lineage/locked")
        return Locked;
    if (code == "session/missing" || code == "time/unstable" || code == "file/missing" || code == "node/missing"
        || isKilledFromOutside(code) || code.starts_with("device/") || code.starts_with("machine/")
        || lacksCompiler(code) || code == "session/driver" || code == "session/full" || code == "session/read-only"
        || code == "file/unwritable" || code == "replay/missing" || code == "manual/folder" || code == "prompt/missing"
        || code == "models/missing" || code == "llm/no-model" || code.starts_with("llm/key") || code == "tool/missing"
        || code == "lineage/missing" || code == "lineage/unwritable" || code == "lineage/foreign-owner"
        || code == "lineage/full" || code == "session/closing" || code == "export/no-harness"
        || code.starts_with("control/"))
        return Missing;
    if (code.starts_with("session/") || code.starts_with("task/") || code.starts_with("file/")
        || code.starts_with("event/") || code.starts_with("proposer/") || code.starts_with("replay/")
        || code.starts_with("prompt/") || code.starts_with("models/"))
        return Usage;
    if (code == "lineage/not-ours" || code == "lineage/other-session" || code == "lineage/diverged"
        || code == "lineage/newer" || code == "lineage/damaged")
        return Usage;
    if (code == "usage" || code == "review/unknown" || code == "review/reason" || code == "review/limit"
        || code == "island/unknown" || code == "island/strategy" || code == "island/itself" || code == "island/value"
        || code == "candidate/unknown" || code == "mark/boost" || code == "mark/tag" || code == "mark/note"
        || code == "mark/contradiction" || code == "wish/count" || code == "wish/idea" || code == "inject/empty"
        || code == "inject/text" || code == "rerun/repeats" || code == "shapes/words" || code == "shapes/dimension"
        || code == "shapes/large" || code == "shapes/many" || code == "shapes/twice" || code == "shapes/train"
        || code == "listing/form" || code == "listing/record" || code == "model/unknown" || code == "hint/long"
        || code == "inquiry/empty" || code == "inquiry/too-large" || code == "undo/unknown" || code == "undo/none"
        || code == "export/exists" || code == "export/name" || code.starts_with("compare/")
        || code.starts_with("sweep/") || code.starts_with("crossover/") || code == "tune/constraint")
        return Usage;
    if (code.starts_with("patch/") || code == "duplicate" || code.starts_with("duplicate/")
        || code == "review/no-change" || code == "inject/no-change")
        return PatchRefused;
    if (code == "lineage/changed")
        return RefusedByRule;
    if (code == "tensor/interrupted")
        return Interrupted;
    if (code.starts_with("tensor/")) {
        const bool isOfTheScheme = code == "tensor/wrong" || code == "tensor/ring" || code == "tensor/mod2"
            || code == "tensor/large" || code == "tensor/unsolved" || code == "tensor/complex"
            || code == "tensor/fraction" || code == "tensor/no-lift" || code == "tensor/not-found";
        return isOfTheScheme ? RefusedByRule : Usage;
    }
    if (code.starts_with("review/") || code.starts_with("island/") || code.starts_with("mark/")
        || code.starts_with("wish/") || code.starts_with("place/") || code.starts_with("inject/")
        || code.starts_with("rerun/") || code.starts_with("shapes/") || code.starts_with("judge/")
        || code.starts_with("budget/") || code.starts_with("static/") || code == "listing/refused"
        || code == "listing/not-yet" || code.starts_with("model/") || code.starts_with("inquiry/")
        || code.starts_with("export/") || code.starts_with("wait/") || code.starts_with("undo/")
        || code.starts_with("request/") || code == "run/running") // it goes on by itself and takes no step
        return RefusedByRule;
    // Of a program, or of one that it is measured against; a node that a program takes down is a run that failed.
    if (code.starts_with("time/") || code.starts_with("run/") || code.starts_with("build/")
        || code.starts_with("verify/") || code.starts_with("listing/") || code.starts_with("tool/")
        || code == "node/crash" || code == "node/lost" || code == "node/silent" || code == "node/garbage")
        return BuildOrRunFailed;
    return Internal;
}

void printJson(const nlohmann::json& json)
{
    const std::string text = dumped(json);
    std::fwrite(text.data(), 1, text.size(), stdout);
    std::fputc('\n', stdout);
    std::fflush(stdout);
}

} // namespace tilewright::cli
