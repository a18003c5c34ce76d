// SPDX-License-Identifier: Apache-2.0
#include "core/node/builder.h"

#include "core/base/files.h"
#include "core/base/text.h"
#include "core/device/cpu.h"
#include "core/node/child_process.h"
#include "core/node/compiler_end.h"
#include "core/node/disassembler.h"
#include "core/node/elf_rules.h"
#include "core/node/loop_digest.h"
#include "core/node/machine_trouble.h"
#include "core/source/candidate_header.h"
#include "core/source/compiled_rules.h"
#include "core/source/program_text.h"

#include <algorithm>
#include <cerrno>
#include <csignal>

namespace tilewright {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t longestLog = 64 << 10;
constexpr std::size_t largestObject = 16 << 20;
constexpr const char* cacheFormat = "8"; // change when the meaning of an entry changes

/// Model and instruction sets of this processor.
const std::string& nativeTarget()
{
    static const std::string target = [] {
        const CpuFacts facts = readCpuFacts();
        std::string text = facts.model;
        for (const std::string& feature : facts.features)
            text += ' ' + feature;
        return text;
    }();
    return target;
}

/// Only files of the system's include folders may have been read: line by line of the compiler's -MD list.
std::string foreignInclude(const std::string& dependencies)
{
    std::string word;
    for (const char c : dependencies + " ") {
        if (c != ' ' && c != '\n' && c != '\\') {
            word += c;
            continue;
        }
        const bool known = word.empty() || word.ends_with(':') || word == "candidate.cpp" || word == "unit.cpp"
            || word == "unit.so:" || word == "unit.so-unit.s"
            || (word.ends_with(".s") && word.find("/cc") != std::string::npos) // the compiler's own draft
            || ((word.starts_with("/usr/include/") || word.starts_with("/usr/lib/gcc/"))
                && word.find("..") == std::string::npos);
        if (!known)
            return word;
        word.clear();
    }
    return {};
}

BuildOutcome outcomeOf(const Error& error)
{
    BuildOutcome outcome;
    outcome.rule = error.code;
    outcome.text = error.text;
    outcome.hint = error.hint;
    outcome.evidence = error.evidence;
    return outcome;
}

std::string compilerVersion()
{
    ChildSetup setup;
    setup.command = {"g++", "-dumpfullversion"};
    const auto result = runUndisturbed(setup, std::chrono::seconds(10), 4096);
    return result && result->status.clean() ? "g++ " + std::string(trimmed(result->output)) : std::string();
}

/// The rules on fast math for what the compiler left of a program in this folder.
Result<void> checkCompiledMath(const Task& task, const fs::path& folder)
{
    const auto expanded = readFile(folder / "unit.so-unit.ii", largestObject),
               assembly = readFile(folder / "unit.so-unit.s", largestObject);
    if (!expanded || !assembly)
        return fail("machine/folder",
            "the compiler's output disappeared: " + (expanded ? assembly : expanded).error().text,
            "check whether another program cleans up the temporary folder");
    if (auto allowed = checkMath(task, findFastMathExpanded(*expanded)); !allowed)
        return allowed;
    return checkMath(task, findFastMathInAssembly(*assembly));
}

} // namespace

Builder::Builder(const Sandbox& sandbox, fs::path cache, std::vector<int> cpus, StaticRules rules)
    : m_sandbox(sandbox)
    , m_cache(std::move(cache), ".so")
    , m_cpus(std::move(cpus))
    , m_rules(rules)
    , m_compiler(compilerVersion())
{
}

BuildOutcome Builder::buildCandidate(const Task& task, const std::string& source, const Cancelled& cancelled) const
{
    if (const auto allowed = checkSource(task, source); !allowed)
        return outcomeOf(allowed.error());
    Job job;
    job.fileName = "candidate.cpp";
    job.text = candidateHeader(task, job.fileName) + source;
    job.source = source;
    job.options = task.buildOptions;
    if (!task.numeric.allowFastMath)
        job.options.push_back("-fno-fast-math");
    job.seconds = task.limits.buildSeconds;
    job.mathOf = task.numeric.allowFastMath ? nullptr : &task;
    BuildOutcome outcome = compile(job, true, cancelled);
    if (outcome.ok)
        outcome.resources["code_bytes"] = codeBytes(source);
    return outcome;
}

Result<fs::path> Builder::buildReference(const TaskPack& pack) const
{
    Job job;
    job.fileName = "reference.cpp";
    job.text
        = referenceHeader(pack.task, job.fileName) + pack.files.at(pack.task.reference) + referenceFooter(pack.task);
    job.options = {"-O3", "-march=native"};
    job.seconds = 60;
    const BuildOutcome outcome = compile(job, false);
    if (isMachineTrouble(outcome.rule))
        return fail(outcome.rule, outcome.text, outcome.hint, outcome.evidence);
    if (!outcome.ok)
        return fail(
            "task/reference", "the task's reference does not build: " + outcome.text, "", {{"log", outcome.log}});
    return artifactPath(outcome.artifact);
}

Result<fs::path> Builder::artifactPath(const Hash& artifact) const { return m_cache.objectPath(artifact); }

BuildOutcome Builder::compile(const Job& job, bool candidate, const Cancelled& cancelled) const
{
    std::vector<std::string> command{"g++", "-std=c++20", "-fno-exceptions", "-fno-rtti", "-fPIC", "-shared",
        "-nostartfiles", "-fno-asynchronous-unwind-tables", "-fno-stack-protector", "-fno-threadsafe-statics",
        "-fmax-errors=20", "-fdiagnostics-color=never", "-Wall", "-Wl,-z,now", "-Wl,-z,relro", "-Wl,-z,text",
        "-Wl,--build-id=none", "-MD", "-MF", "unit.d", "-Wa,--MD,unit.s.d"};
    if (job.mathOf)
        command.emplace_back("-save-temps=obj"); // unit.so-unit.ii and unit.so-unit.s
    command.insert(command.end(), job.options.begin(), job.options.end());
    for (const char* word : {"unit.cpp", "-o", "unit.so", "-lm"})
        command.emplace_back(word);
    // "-march=native" means another machine's instructions where the cache is shared between machines.
    std::string identity = std::string(cacheFormat) + (candidate ? "c" : "r")
        + (m_rules == StaticRules::Off ? "off" : "") + m_compiler + '\0' + nativeTarget();
    for (const std::string& word : command)
        identity += '\0' + word;
    const Hash key = sha256(identity + '\0' + job.text);
    if (auto known = m_cache.find(key))
        return *known;

    BuildOutcome outcome;
    if (m_compiler.empty()) {
        outcome.rule = "build/no-compiler";
        outcome.text = "there is no g++ on this machine";
        return outcome;
    }
    const auto scratch = ScratchFolder::make("tilewright-build");
    if (!scratch)
        return outcomeOf(scratch.error());
    const ScratchFolder& folder = *scratch;
    if (auto written = writeText("the temporary folder", folder.path() / "unit.cpp", job.text); !written)
        return outcomeOf(written.error());
    const auto memory = memoryForACompiler();
    if (!memory)
        return outcomeOf(memory.error());
    const long endedBefore = endedForMemory();
    ChildSetup setup;
    SandboxRequest request;
    request.command = command;
    request.writable = folder.path();
    request.environment = {{"PATH", "/usr/bin:/bin"}, {"LC_ALL", "C.UTF-8"},
        {"TMPDIR", m_sandbox.isFull() ? "/tmp" : folder.path().string()}};
    setup.command = m_sandbox.wrap(request);
    if (!m_sandbox.isFull())
        setup.command.insert(setup.command.begin(), {"/usr/bin/env", "-C", folder.path().string()});
    setup.cpus = m_cpus;
    setup.memoryBytes = *memory;
    setup.cpuSeconds = static_cast<int>(processorTimeFor(job.seconds).count());
    setup.fileBytes = largestObject;
    setup.niceness = 5;
    const auto run
        = runToEnd(setup, std::chrono::milliseconds(static_cast<long>(job.seconds * 1000)), longestLog, cancelled);
    if (!run)
        return outcomeOf(run.error());
    if (run->cancelled) {
        outcome.rule = "cancelled";
        outcome.text = "the build was cancelled";
        return outcome;
    }
    outcome.log = printable(run->output);
    auto dependencies = readFile(folder.path() / "unit.d");
    if (const auto assembled = readFile(folder.path() / "unit.s.d"); assembled && dependencies) // .incbin and .include
        *dependencies += "\n" + *assembled;
    if (const std::string foreign = dependencies ? foreignInclude(*dependencies) : ""; !foreign.empty()) {
        outcome.rule = "build/include";
        outcome.text = "only headers of the compiler and the system may be included, not " + foreign;
        outcome.log.clear(); // it may quote the file
        return outcome;
    }
    if (!run->status.clean()) {
        const ExitStatus status = withoutWrapper(run->status);
        const auto room = speaksOfRoom(outcome.log) ? folder.checkRoom() : Result<void>();
        if (!room)
            return outcomeOf(room.error());
        const CompilerVerdict verdict
            = verdictOf({status, outcome.log, *memory, false, endedForMemory() > endedBefore});
        outcome.rule = verdict.rule;
        outcome.text = verdict.text;
        outcome.evidence = {{"exit", status.text()}};
        if (verdict.rule == killedFromOutside)
            return outcomeOf(endedFromOutside("a compiler", status.signal != 0 ? status.signal : SIGKILL));
        if (isMachineTrouble(verdict.rule))
            return outcomeOf(noMemory(verdict.text, ENOMEM));
        return verdict.isKept ? kept(key, std::move(outcome), {}, {}) : outcome;
    }
    const auto object = readFile(folder.path() / "unit.so", largestObject);
    if (!object && object.error().code == "file/too-large")
        return outcomeOf({"build/limit", "the built object is too large: " + object.error().text, "", nullptr});
    if (!object) // the compiler was content, and what it wrote is gone
        return outcomeOf({"machine/folder", "the compiler's output disappeared: " + object.error().text,
            "check whether another program cleans up the temporary folder", nullptr});
    BuildOutcome inspected;
    if (candidate)
        inspected = inspect(*object, cancelled);
    else
        inspected.ok = true;
    if (const auto allowed
        = inspected.ok && job.mathOf ? checkCompiledMath(*job.mathOf, folder.path()) : Result<void>();
        !allowed) {
        if (isMachineTrouble(allowed.error().code))
            return outcomeOf(allowed.error());
        inspected = outcomeOf(allowed.error());
    }
    inspected.log = outcome.log;
    inspected.artifact = inspected.ok ? sha256(*object) : Hash{};
    if (outcome.log.find("warning:") != std::string::npos)
        inspected.warnings.emplace_back("static/compiler-warning");
    return kept(key, std::move(inspected), *object, job.source);
}

BuildOutcome Builder::kept(
    const Hash& key, BuildOutcome outcome, const std::string& object, const std::string& source) const
{
    const auto stored = m_cache.store(key, outcome, object, source);
    return stored ? std::move(outcome) : outcomeOf(stored.error());
}

BuildOutcome Builder::inspect(const std::string& object, const Cancelled& cancelled) const
{
    BuildOutcome outcome;
    const auto facts = checkObject(object);
    const bool cannotBeLoaded
        = !facts && (facts.error().code == "build/no-entry" || facts.error().code == "build/object");
    outcome.ok = facts.has_value() || (m_rules == StaticRules::Off && !cannotBeLoaded);
    if (facts) {
        outcome.resources = {{"text_bytes", facts->textBytes}, {"rodata_bytes", facts->readOnlyBytes},
            {"code_sha256", facts->code.hex()}};
        // Where objdump is missing, or does not understand the object, nothing is known of the loops.
        const Disassembler disassembler(m_sandbox, m_cpus);
        if (const auto shown = disassembler.disassembly(ListingForm::Assembly, object, cancelled))
            if (const auto loop = hottestLoop(shown->text))
                outcome.resources["hot_loop"] = loop->json();
    } else if (!outcome.ok) {
        outcome.rule = facts.error().code;
        outcome.text = facts.error().text;
        outcome.evidence = facts.error().evidence;
    }
    return outcome;
}

} // namespace tilewright
