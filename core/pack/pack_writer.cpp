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
        const std::string why = errno ? std::strerror(errno) : "the disk took only a part of it";
        return fail(
            "file/unwritable", path.string() + " cannot be written: " + why, "choose a folder that you may write to");
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
    return "The tolerance is that of a sum over " + tolerance.value("reduction", "")
        + " already (numeric.tau of task.json is " + generalText(tolerance.value("tau", 0.0), 3)
        + "). The kernel computes something else than the reference at this size, or it rounds worse than such a sum: "
          "then add up in double, or in several partial sums. If the sum runs over another dimension, name that: "
          "--tolerance sum:DIMENSION, or 'Tolerance' in the window."
        + (inputs == "normal" ? ""
                              : " If your program never meets inputs like these, leave '" + inputs
                    + "' out of --inputs, or of 'Inputs' in the window.");
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
            "choose another name, or another place");
    fs::create_directories(folder, problem);
    if (problem)
        return fail("file/unwritable", folder.string() + " cannot be made: " + problem.message(),
            "choose a folder that you may write to");
    putWord(folder, notCheckedYet, {});
    for (const auto& [name, text] : packTexts(description))
        if (auto done = putDown(folder / name, text); !done)
            return std::unexpected(done.error());
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
    constexpr const char* onlyByTheRules = "The kernel breaks a rule for programs on the GPU; the words above name it.";
    // By code, or by the rule that a text of the check begins with.
    static constexpr std::array remedies{
        Remedy{"build/constructor",
            "An object is made before the kernel runs: a global with a constructor, or <iostream>. "
            "Take it out."},
        Remedy{"build/writable-data",
            "The kernel keeps something between two calls in a global or static variable. Make it "
            "const, or local."},
        Remedy{"build/tls", "The kernel keeps something in a thread-local variable. Make it local."},
        Remedy{"build/undefined-symbol",
            "The kernel calls something that it does not bring along. Only memcpy and its kin "
            "and the mathematical functions of <cmath> are there: no heap, no output, no "
            "library, no threads."},
        Remedy{"build/library", "The kernel needs a library. It has to be one file that stands for itself."},
        Remedy{"build/include",
            "The kernel includes a file that is not the compiler's own. Put what it needs into the file."},
        Remedy{"build/limit",
            "Compiling takes more time or memory than it may: is there a table or a template that grows, or a loop "
            "that "
            "is unrolled far? More time can be given in limits.build_s of task.json."},
        Remedy{"build/crash", "The compiler itself crashed on this text. Write it more plainly."},
        Remedy{"build/plan",
            "How the kernel is launched has to be known while it is compiled. Look at the grid, the block and the "
            "shared memory in its description."},
        Remedy{"build/",
            "The compiler does not accept the text. It is compiled as C++20 for the CPU, without exceptions."},
        Remedy{"verify/poison",
            "An element of an output is never written at this size, or the kernel reads what stood there before it "
            "sets it: outputs arrive full of nonsense. A kernel has to write all of them, and to read what it needs of "
            "before from an input of its own."},
        Remedy{"verify/nan",
            "An output holds NaN or infinity. Either the kernel reads what stood in an output before it sets it: "
            "outputs arrive full of nonsense, so read it from an input of its own. Or it cannot take these inputs: "
            "then leave that kind of inputs out."},
        Remedy{"verify/determinism",
            "The result depends on what stood in the output or in fresh memory before. Set what you add to, or read "
            "what was there from an input of its own."},
        Remedy{"verify/norm",
            "The kernel computes something else than the reference at this size. Put the one right that is "
            "wrong; are the shapes of the tensors those that the kernel means? If it is the rounding of a sum: "
            "--tolerance sum:DIMENSION, or 'Tolerance' in the window."},
        Remedy{"verify/elementwise",
            "An element is off by more than rounding explains. Put the kernel or the reference right, or, where it "
            "sums, choose the tolerance of a sum: --tolerance sum:DIMENSION, or 'Tolerance' in the window."},
        Remedy{"verify/exact",
            "The result is not the same to the bit. Choose a tolerance that allows rounding, if that is "
            "what you mean."},
        Remedy{"verify/out-of-bounds",
            "The kernel reaches outside of its tensors at this size. Look at the loop's ends, and "
            "whether the shapes are described as the kernel means them. If it takes only sizes that are a multiple of "
            "a number, say that: --dimension n=8,8, or 'Multiple of' in the window."},
        Remedy{"verify/input-write",
            "The kernel writes to an input. Inputs stay as they are: read from it, and write the result to an output "
            "of its own."},
        Remedy{"run/timeout", "The kernel did not come back in time at this size. Does it end for every size?"},
        Remedy{"run/crash", "The kernel crashed at this size. Look at what it reads and writes, and at the shapes."},
        Remedy{"task/reference",
            "The reference gives no number, or does not build. If it reads outside of its tensors, put their shapes "
            "right; if it cannot take a kind of inputs, leave that kind out."},
        Remedy{
            "task/loose", "A cheat would pass as correct: the task would prove nothing. Make the tolerance smaller."},
        Remedy{"task/tight", "An honest result would be refused. Make the tolerance larger."},
        Remedy{"node/crash",
            "The process that checks ended: most likely the reference reaches outside of its tensors. Look at the "
            "shapes of the tensors."},
    };
    // Where the GPU has another reason for the same rule.
    static constexpr std::array onGpu{
        Remedy{"build/undefined-symbol",
            "The kernel calls something that it does not bring along. On the GPU there is no heap and no output: take "
            "malloc, new and printf out."},
        Remedy{"build/include",
            "The kernel includes a file that is none of CUDA's headers for device code. Put what it needs into the "
            "file."},
        Remedy{"build/instruction",
            "The kernel uses an instruction that would let a program cheat the clock or the cache. Take it out."},
        Remedy{"build/error",
            "The compiler does not accept the text. It is compiled as C++20 for the GPU, by NVRTC: of CUDA's "
            "headers those of device code are there, of the standard library only what Tilewright stands in for."},
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
