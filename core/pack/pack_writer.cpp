// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/pack/pack_writer.h"

#include "core/base/files.h"
#include "core/base/folders.h"
#include "core/base/format.h"
#include "core/base/hash.h"
#include "core/base/text.h"
#include "core/pack/pack_texts.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <map>

namespace tilewright {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t largestKernelFile = 4 << 20;

/// Whole or not at all: a temporary file takes the name when it is complete.
Result<void> putDown(const fs::path& path, const std::string& text)
{
    const auto refuse = [&] {
        const std::string why = errno ? std::strerror(errno) : "the disk wrote only a part of it";
        return fail("file/unwritable", path.string() + " cannot be written: " + why, "choose a writable folder");
    };
    const fs::path draft = path.string() + ".part";
    errno = 0;
    std::ofstream file(draft, std::ios::binary | std::ios::trunc);
    if (!(file << text) || !file.flush())
        return refuse();
    file.close();
    std::error_code problem;
    fs::rename(draft, path, problem);
    if (problem)
        return refuse();
    return {};
}

constexpr std::string_view notCheckedYet = "It was written and not checked yet.", writtenAs = "Written as ";

/// Of all files of a pack but the word on its check.
std::string fingerprintOf(const fs::path& folder)
{
    std::error_code problem;
    std::map<std::string, std::string> texts;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder, problem))
        if (entry.is_regular_file(problem) && entry.path() != folder / uncheckedFile)
            texts[entry.path().string()] = readFile(entry.path(), largestKernelFile).value_or("unreadable");
    std::string all;
    for (const auto& [path, text] : texts)
        all += fs::path(path).lexically_relative(folder).string() + '\0' + text + '\0';
    return sha256(all).hex();
}

/// The line of a pack's word that holds the fingerprint; "" if there is none.
std::string writtenLineOf(const std::string& word)
{
    for (const std::string_view line : splitLines(word))
        if (line.starts_with(writtenAs))
            return std::string(line);
    return {};
}

std::string wordOn(const fs::path& folder)
{
    return readFile(folder / uncheckedFile, largestKernelFile).value_or(std::string());
}

constexpr std::string_view headOfWord = "This pack has not passed its check.\n", endOfWhy = "\nTo check it: ";

void putWord(const fs::path& folder, std::string_view why, const std::string& written)
{
    (void)putDown(folder / uncheckedFile,
        std::string(headOfWord) + std::string(why) + std::string(endOfWhy)
            + "tilewright-cli tasks --check THIS-FOLDER --run\n" + (written.empty() ? "" : written + "\n"));
}

/// Its README says so, or there is nothing yet but the word on its check: writing it was cut off.
bool isOurs(const fs::path& folder)
{
    if (const auto readme = readFile(folder / "README.md", largestKernelFile))
        return readme->starts_with(packMark);
    std::error_code problem;
    return std::ranges::all_of(fs::directory_iterator(folder, problem), [](const fs::directory_entry& entry) {
        return entry.path().filename() == uncheckedFile || entry.path().extension() == ".part";
    });
}

/// Where the tolerance of a sum is exceeded that the task has already; empty elsewhere.
std::string remedyOfASum(const Error& error)
{
    const nlohmann::json tolerance
        = error.evidence.is_object() ? error.evidence.value("tolerance", nlohmann::json()) : nlohmann::json();
    if (!tolerance.is_object() || !tolerance.contains("tau") || tolerance.value("reduction", "").empty())
        return {};
    const std::string inputs = error.evidence.value("inputs", std::string("normal"));
    return "The tolerance is already that of a sum over " + tolerance.value("reduction", "")
        + " (numeric.tau of task.json is " + generalText(tolerance.value("tau", 0.0), 3)
        + "). The kernel computes something else than the reference at this size, or it rounds worse than such a sum: "
          "then add up in double, or in several partial sums. If the sum runs over another dimension, name that: "
          "--tolerance sum:DIMENSION, or 'Tolerance' in the window."
        + (inputs == "normal" ? ""
                              : " If your program never has such inputs, remove '" + inputs
                    + "' from --inputs, or from 'Inputs' in the window.");
}

} // namespace

Result<std::string> readKernelFile(const fs::path& path) { return readTextFile(path, largestKernelFile); }

Result<fs::path> writePack(const KernelDescription& description, const fs::path& parent, std::int64_t memoryBytes)
{
    if (const auto findings = findingsIn(description, memoryBytes); !findings.empty())
        return fail("own/description", findings.front().field + ": " + findings.front().text, findings.front().remedy,
            {{"field", findings.front().field}, {"findings", findings.size()}});
    const fs::path folder = parent / description.name, shipped = sharedFolder() / "kernels" / description.name;
    std::error_code problem;
    if (fs::exists(shipped, problem) && !fs::equivalent(shipped, folder, problem))
        return fail("own/taken", "'" + description.name + "' is the name of a task that comes with Tilewright",
            "choose another name");
    if (fs::exists(folder, problem) && !fs::is_empty(folder, problem) && !isOurs(folder))
        return fail("own/taken", folder.string() + " exists and was not written from a kernel",
            "choose another name, or another folder");
    fs::create_directories(folder, problem);
    if (problem)
        return fail("file/unwritable", folder.string() + " cannot be created: " + problem.message(),
            "choose a writable folder");
    putWord(folder, notCheckedYet, {});
    const std::map<std::string, std::string> texts = packTexts(description);
    for (const fs::directory_entry& entry : fs::directory_iterator(folder / "moves", problem))
        if (!texts.contains("moves/" + entry.path().filename().string())
            && entry.path().filename().string().starts_with("generic-"))
            fs::remove(entry.path(), problem); // of the kernel as it was before
    for (const auto& [name, text] : texts) {
        fs::create_directories((folder / name).parent_path(), problem);
        if (auto done = putDown(folder / name, text); !done)
            return std::unexpected(done.error());
    }
    fs::remove(folder / "moves", problem); // where it is empty
    putWord(folder, notCheckedYet, std::string(writtenAs) + fingerprintOf(folder));
    return folder;
}

void markPackChecked(const fs::path& folder)
{
    std::error_code problem;
    fs::remove(folder / uncheckedFile, problem);
}

void markPackUnchecked(const fs::path& folder, const std::string& why)
{
    putWord(folder, why, writtenLineOf(wordOn(folder)));
}

bool isFailedTry(const fs::path& folder)
{
    const std::string word = wordOn(folder), written = writtenLineOf(word);
    return !written.empty() && !word.contains(notCheckedYet) && isOurs(folder)
        && written == std::string(writtenAs) + fingerprintOf(folder);
}

bool isPackUnchecked(const fs::path& folder)
{
    std::error_code problem;
    return fs::exists(folder / uncheckedFile, problem);
}

std::string whyUnchecked(const fs::path& folder)
{
    const std::string word = wordOn(folder);
    const std::size_t end = word.find(endOfWhy);
    if (!word.starts_with(headOfWord) || end == std::string::npos || end < headOfWord.size())
        return {};
    std::string why = word.substr(headOfWord.size(), end - headOfWord.size());
    std::ranges::replace(why, '\n', ' ');
    return std::string(trimmed(why));
}

std::string plainRemedy(const Error& error)
{
    struct Remedy {
        std::string_view sign, text;
    };
    constexpr const char* onlyByTheRules = "The kernel violates a rule for GPU programs; the text above names it.";
    // By code, or by the rule that a text of the check begins with.
    static constexpr std::array remedies{
        Remedy{"build/constructor",
            "An object is constructed before the kernel runs: a global with a constructor, or <iostream>. Remove it."},
        Remedy{"build/writable-data",
            "The kernel keeps state between two calls in a global or static variable. Make it const, or local."},
        Remedy{"build/tls", "The kernel keeps state in a thread-local variable. Make it local."},
        Remedy{"build/undefined-symbol",
            "The kernel calls a function that is not in the file. Only memcpy and similar functions and the "
            "mathematical functions of <cmath> are available: no heap, no output, no library, no threads."},
        Remedy{"build/library", "The kernel needs a library. It must be one self-contained file."},
        Remedy{"build/include",
            "The kernel includes a file that is not part of the compiler. Put the code it needs into the file."},
        Remedy{"build/limit",
            "Compilation exceeds its time or memory limit: check for a growing table or template, or a loop that is "
            "unrolled too far. limits.build_s of task.json sets the time limit."},
        Remedy{"build/crash", "The compiler crashed on this text. Simplify it."},
        Remedy{"build/plan",
            "The launch of the kernel must be known at compile time. Check the grid, the block and the shared memory "
            "in its description."},
        Remedy{"build/", "The compiler rejects the text. It is compiled as C++20 for the CPU, without exceptions."},
        Remedy{"verify/poison",
            "An element of an output is never written at this size, or the kernel reads an output before it sets it: "
            "outputs contain arbitrary values. A kernel must write all elements, and read earlier values from a "
            "separate input."},
        Remedy{"verify/nan",
            "An output contains NaN or infinity. If the kernel reads an output before it sets it: outputs contain "
            "arbitrary values, so read from a separate input. If the kernel does not support these inputs: remove that "
            "kind of inputs."},
        Remedy{"verify/determinism",
            "The result depends on the previous contents of the output or of fresh memory. Set a value before adding "
            "to it, or read earlier values from a separate input."},
        Remedy{"verify/norm",
            "The results of the kernel and the reference differ at this size. Correct the wrong one; check that the "
            "shapes of the tensors are those that the kernel uses. If it is the rounding of a sum: --tolerance "
            "sum:DIMENSION, or 'Tolerance' in the window."},
        Remedy{"verify/elementwise",
            "The error of an element is above the tolerance. Correct the kernel or the reference, or, if it computes a "
            "sum, choose the tolerance of a sum: --tolerance sum:DIMENSION, or 'Tolerance' in the window."},
        Remedy{"verify/exact",
            "The result is not bit-exact. Choose a tolerance that allows rounding if rounding is acceptable."},
        Remedy{"verify/out-of-bounds",
            "The kernel accesses memory outside of its tensors at this size. Check the loop bounds, and that the "
            "shapes are those that the kernel uses. If it supports only multiples of a number, specify that: "
            "--dimension n=8,8, or 'Multiple of' in the window."},
        Remedy{"verify/input-write",
            "The kernel writes to an input. Inputs are never changed: read from it, and write the result to a separate "
            "output."},
        Remedy{"run/timeout", "The kernel did not return in time at this size. Check that it ends for every size."},
        Remedy{"run/crash", "The kernel crashed at this size. Check its memory accesses and the shapes."},
        Remedy{"task/reference",
            "The reference returns no finite number, or does not build. If it reads outside of its tensors, correct "
            "their shapes; if it does not support a kind of inputs, remove that kind."},
        Remedy{"task/loose", "A cheating kernel would be accepted as correct. Reduce the tolerance."},
        Remedy{"task/tight", "A correct result would be refused. Increase the tolerance."},
        Remedy{"node/crash",
            "The checking process ended: most likely the reference accesses memory outside of its tensors. Check the "
            "shapes of the tensors."},
    };
    // Where the GPU has another reason for the same rule.
    static constexpr std::array onGpu{
        Remedy{"build/undefined-symbol",
            "The kernel calls a function that is not in the file. There is no heap and no output on the GPU: remove "
            "malloc, new and printf."},
        Remedy{"build/include",
            "The kernel includes a file that is not one of CUDA's headers for device code. Put the code it needs into "
            "the file."},
        Remedy{"build/instruction",
            "The kernel uses an instruction that could manipulate the clock or the cache. Remove it."},
        Remedy{"build/error",
            "The compiler rejects the text. It is compiled as C++20 for the GPU, by NVRTC: CUDA's headers for device "
            "code are available; of the standard library, only the parts that Tilewright provides."},
    };
    if (const std::string remedy = remedyOfASum(error); !remedy.empty())
        return remedy;
    const auto says = [&](std::string_view sign, const char* before) {
        return error.text.find(before + std::string(sign)) != std::string::npos;
    };
    for (const Remedy& remedy : onGpu)
        if (says(remedy.sign, ".cu: "))
            return std::string(remedy.text);
    if (error.code.starts_with("build/no-") && !error.hint.empty()) // what to install on this machine
        return error.hint;
    for (const Remedy& remedy : remedies)
        if (error.code.starts_with(remedy.sign) || says(remedy.sign, ": "))
            return remedy.sign == "build/" && says("build/", ".cu: ") ? onlyByTheRules : std::string(remedy.text);
    return error.hint;
}

namespace {

bool takesTheSame(const KernelDescription& a, const KernelDescription& b)
{
    return a.function == b.function && a.target == b.target
        && std::ranges::equal(
            a.parameters, b.parameters, [](const DescribedParameter& one, const DescribedParameter& other) {
                return one.name == other.name && one.type == other.type;
            });
}

} // namespace

std::optional<KernelDescription> reread(
    const KernelDescription& wasRead, const KernelDescription& byHand, const KernelDescription& isRead)
{
    if (!takesTheSame(wasRead, isRead))
        return std::nullopt;
    KernelDescription merged = isRead;
    const auto keep = [&](auto... fields) {
        const bool isSaid = (... || !(wasRead.*fields == byHand.*fields));
        if (isSaid)
            ((merged.*fields = byHand.*fields), ...);
    };
    using D = KernelDescription;
    keep(&D::name);
    keep(&D::title);
    keep(&D::launch);
    // Shapes are in names of dimensions, sizes and cost in their order: they belong together.
    keep(&D::parameters, &D::dims, &D::train, &D::heldout, &D::verify, &D::flops, &D::bytes);
    keep(&D::truth, &D::referenceFileName, &D::referenceSource, &D::referenceFunction);
    keep(&D::tolerance, &D::reduction, &D::toleranceSaid, &D::tau);
    keep(&D::inputs);
    return merged;
}

} // namespace tilewright
