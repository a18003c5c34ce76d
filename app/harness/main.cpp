// SPDX-License-Identifier: Apache-2.0
// tilewright-harness: verifies and times the program of an export bundle again, by the code that a Tilewright node
// runs, and says whether it is right, whether it is slower than it was, and how this machine differs.
#include "app/harness/verification.h"
#include "core/base/files.h"
#include "core/base/folders.h"
#include "core/base/format.h"
#include "core/base/json_text.h"
#include "core/base/last_resort.h"
#include "core/base/text.h"
#include "core/export/bundle.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <unistd.h>

namespace {

using namespace tilewright;
using namespace tilewright::harness;
namespace fs = std::filesystem;

enum ExitCode { Verified = 0, Wrong = 1, Usage = 2, Slower = 3, NotJudged = 6 };

constexpr const char* help
    = "tilewright-harness [--bundle DIR] [--program FILE] [--device ID] [--quick] [--json]\n"
      "\n"
      "Builds the program of an export bundle, checks its results and times it beside the task's baseline and the "
      "vendor\n"
      "library, by the same protocol as Tilewright.\n"
      "\n"
      "  --bundle DIR    the folder that holds report.json (default: the folder above this program's)\n"
      "  --program FILE  another program in the place of source/program.*; it is timed beside the exported one\n"
      "  --device ID     cpu0, or a GPU's UUID (default: the first that fits the task)\n"
      "  --quick         a first check and few samples on train shapes: says whether it is right, not how fast it is\n"
      "  --json          print one JSON object on standard output\n"
      "\n"
      "Exit codes: 0 right, and as fast as recorded · 1 wrong: it does not build, or a rule refused it · 2 usage, or "
      "a\n"
      "damaged bundle · 3 right, but slower · 6 not judged: compiler, device or library missing, or the machine is "
      "too\n"
      "busy to time on\n";

struct Options {
    fs::path bundle, program;
    std::string device;
    bool quick = false, json = false;
};

void complain(const std::string& text) { std::fprintf(stderr, "tilewright-harness: %s\n", printable(text).c_str()); }

/// The options, or the exit code to end with.
std::variant<Options, int> optionsOf(int argc, char** argv)
{
    Options options;
    options.bundle = programFolder().parent_path().parent_path().parent_path(); // BUNDLE/harness/out/bin
    for (int i = 1; i < argc; ++i) {
        const std::string word = argv[i];
        if (word == "--help" || word == "-h") {
            std::fputs(help, stdout);
            return int(Verified);
        }
        const bool takesValue = word == "--bundle" || word == "--program" || word == "--device";
        if (takesValue && i + 1 == argc) {
            complain(word + " needs a value (see --help)");
            return int(Usage);
        }
        if (word == "--bundle")
            options.bundle = argv[++i];
        else if (word == "--program")
            options.program = argv[++i];
        else if (word == "--device")
            options.device = argv[++i];
        else if (word == "--quick")
            options.quick = true;
        else if (word == "--json")
            options.json = true;
        else {
            complain("unknown option " + word + " (see --help)");
            return int(Usage);
        }
    }
    return options;
}

/// The only pack in the bundle's task folder.
Result<TaskPack> packOf(const fs::path& bundle)
{
    std::error_code problem;
    for (const fs::directory_entry& entry : fs::directory_iterator(bundle / "task", problem))
        if (entry.is_directory(problem))
            return loadTaskPack(entry.path());
    return fail(
        "file/missing", (bundle / "task").string() + " contains no task", "name the bundle's folder: --bundle DIR");
}

Result<Subject> subjectOf(const Options& options)
{
    auto pack = packOf(options.bundle);
    if (!pack)
        return std::unexpected(pack.error());
    const std::string extension = fs::path(pack->task.sources.front()).extension().string();
    auto exported = readTextFile(options.bundle / "harness" / ("exported" + extension), 64 << 20);
    auto program = readTextFile(
        options.program.empty() ? options.bundle / "source" / ("program" + extension) : options.program, 64 << 20);
    if (!exported || !program)
        return std::unexpected(exported ? program.error() : exported.error());
    return Subject{std::move(*pack), std::move(*program), std::move(*exported), options.device,
        options.quick ? Extent::Quick : Extent::Confirm};
}

/// A private folder that goes with this object.
class PrivateFolder
{
public:
    PrivateFolder()
    {
        std::string pattern = (temporaryFolder() / "tilewright-harness-XXXXXX").string();
        if (mkdtemp(pattern.data()))
            m_path = pattern;
    }
    PrivateFolder(const PrivateFolder&) = delete;
    PrivateFolder& operator=(const PrivateFolder&) = delete;
    ~PrivateFolder()
    {
        std::error_code problem;
        if (!m_path.empty())
            fs::remove_all(m_path, problem);
    }
    const fs::path& path() const { return m_path; }

private:
    fs::path m_path;
};

std::string intervalText(const std::optional<Interval>& interval)
{
    return interval
        ? fixedText(interval->value, 3) + " [" + fixedText(interval->lo, 3) + ", " + fixedText(interval->hi, 3) + "]"
        : "-";
}

std::string padded(std::string text, std::size_t width)
{
    const auto shown = static_cast<std::size_t>(
        std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
    return text + std::string(shown < width ? width - shown : 1, ' ');
}

void printTable(const Verification& verification, const Claim& claim)
{
    std::printf("%s%s%s%s%s%s\n", padded("shape", 18).c_str(), padded("split", 9).c_str(), padded("time", 12).c_str(),
        padded("× baseline", 26).c_str(), padded("× vendor library", 24).c_str(), "recorded × vendor library");
    for (const ShapeResult& shape : verification.result.shapes) {
        const auto recorded = std::ranges::find(claim.result.shapes, shape.shape, &ShapeResult::shape);
        std::printf("%s%s%s%s%s%s\n", padded(shapeText(shape.shape), 18).c_str(),
            padded(nameOf(shape.split), 9).c_str(), padded(durationText(shape.candidateNs), 12).c_str(),
            padded(intervalText(shape.versusBaseline), 26).c_str(),
            padded(intervalText(shape.versusVendor), 24).c_str(),
            recorded == claim.result.shapes.end() ? "-" : intervalText(recorded->versusVendor).c_str());
    }
    const auto row = [](const char* name, const std::optional<Interval>& now, const std::optional<Interval>& recorded) {
        std::printf("%s%s recorded %s\n", padded(name, 34).c_str(), padded(intervalText(now), 26).c_str(),
            intervalText(recorded).c_str());
    };
    std::printf("\n");
    row("train shapes, × baseline", verification.result.score, claim.result.score);
    row("train shapes, × vendor library", verification.result.vsVendor, claim.result.vsVendor);
    row("held-out shapes, × baseline", verification.result.heldoutScore, claim.result.heldoutScore);
    row("held-out shapes, × vendor library", verification.result.heldoutVsVendor, claim.result.heldoutVsVendor);
    if (!verification.isExported)
        std::printf("%s%s\n", padded("× exported program, side by side", 34).c_str(),
            intervalText(verification.result.versusIncumbent).c_str());
}

const char* wordOf(HarnessVerdict judgement)
{
    return judgement == HarnessVerdict::Verified ? "verified"
        : judgement == HarnessVerdict::Slower    ? "slower"
                                                 : "wrong";
}

void report(const Options& options, const Claim& claim, const Verification& verification, const Judged& verdict,
    const std::vector<std::string>& differences, const std::vector<std::string>& changed)
{
    const EvaluationResult& result = verification.result;
    if (options.json) {
        nlohmann::json json = result.json();
        json["judgement"] = wordOf(verdict.judgement);
        json["reasons"] = verdict.reasons;
        json["passed"] = verification.passed;
        json["is_exported_program"] = verification.isExported;
        json["machine_differs"] = differences;
        json["changed_files"] = changed;
        json["device"] = verification.device.name;
        json["log"] = verification.log;
        std::printf("%s\n", dumped(json).c_str());
        return;
    }
    std::printf("%s on %s, isolation %s%s\n", claim.candidate.c_str(), printable(verification.device.name).c_str(),
        printable(verification.device.isolation).c_str(),
        verification.isExported ? "" : "; the program is not the exported one");
    std::printf("rules passed: %s\n\n", joined(verification.passed, ", ").c_str());
    if (!verification.log.empty())
        std::printf("%s\n", printable(verification.log).c_str());
    if (!result.shapes.empty())
        printTable(verification, claim);
    std::printf("\n");
    for (const std::string& difference : differences)
        std::printf("this machine differs: %s\n", printable(difference).c_str());
    if (differences.empty())
        std::printf("this machine has the recorded device, compiler and libraries\n");
    for (const std::string& path : changed)
        std::printf("changed since the export: %s\n", printable(path).c_str());
    std::printf("%s", wordOf(verdict.judgement));
    for (const std::string& reason : verdict.reasons)
        std::printf("%s%s", &reason == &verdict.reasons.front() ? ": " : "; ", printable(reason).c_str());
    std::printf("\n");
}

/// On a terminal one line that is written over.
void showProgress(const std::string& stage, double share)
{
    if (isatty(STDERR_FILENO))
        std::fprintf(stderr, "\r\033[K%s %s", printable(stage).c_str(), share > 0 ? percentText(share).c_str() : "");
}

int run(const Options& options)
{
    const auto claim = claimOf(options.bundle);
    const auto changed = claim ? damagedFilesIn(options.bundle) : std::unexpected(claim.error());
    const auto subject = changed ? subjectOf(options) : std::unexpected(changed.error());
    if (!subject) {
        complain(subject.error().line());
        return Usage;
    }
    if (sha256(subject->exported).hex() != claim->sourceHash) {
        complain("harness/exported differs from the program in report.json: the bundle is damaged");
        return Usage;
    }
    const PrivateFolder cache;
    auto node = cache.path().empty() ? Result<NodeClient>(fail("machine/folder", "no temporary folder can be created"))
                                     : NodeClient::start(programFolder() / "tilewright-node", cache.path());
    const auto verification
        = node ? verify(*node, *subject, showProgress) : Result<Verification>(std::unexpected(node.error()));
    if (isatty(STDERR_FILENO))
        std::fputs("\r\033[K", stderr);
    if (!verification) {
        complain("not judged: " + verification.error().line());
        return NotJudged;
    }
    const std::vector<std::string> differences = differencesOf(*claim, verification->device);
    const Judged verdict = judged(*verification, *claim, differences, subject->extent);
    report(options, *claim, *verification, verdict, differences, *changed);
    return static_cast<int>(verdict.judgement);
}

} // namespace

int main(int argc, char** argv)
{
    installLastResort("tilewright-harness", NotJudged);
    const auto options = optionsOf(argc, argv);
    if (const int* code = std::get_if<int>(&options))
        return *code;
    return run(std::get<Options>(options));
}
