// SPDX-License-Identifier: Apache-2.0
#include "core/node/gpu_tool_output.h"

#include "core/base/files.h"
#include "core/base/format.h"
#include "core/base/text.h"

#include <algorithm>
#include <cstdlib>
#include <dlfcn.h>

namespace tilewright {
namespace {

/// Without the marks that compute-sanitizer puts before each of its lines; empty for other lines.
std::string_view saidBy(std::string_view line)
{
    constexpr std::string_view mark = "=========";
    return line.starts_with(mark) ? trimmed(line.substr(mark.size())) : std::string_view();
}

/// The fields of one line of comma-separated values; a quotation mark inside one is written twice.
std::vector<std::string> fieldsOf(std::string_view line)
{
    std::vector<std::string> fields(1);
    bool quoted = false;
    for (std::size_t i = 0; i < line.size(); ++i) {
        const char c = line[i];
        if (quoted && c == '"' && i + 1 < line.size() && line[i + 1] == '"')
            fields.back() += line[++i];
        else if (c == '"')
            quoted = !quoted;
        else if (c == ',' && !quoted)
            fields.emplace_back();
        else if (c != '\r')
            fields.back() += c;
    }
    return fields;
}

/// "1,234.5" as ncu writes it.
std::optional<double> numberOf(std::string text)
{
    std::erase(text, ',');
    return decimalOf(text);
}

} // namespace

Result<std::optional<MemcheckFinding>> readMemcheck(std::string_view output)
{
    MemcheckFinding finding;
    bool ended = false;
    for (const std::string_view raw : splitLines(output)) {
        const std::string_view line = saidBy(raw);
        if (line.starts_with("ERROR SUMMARY:")) {
            ended = true;
            finding.errors = std::atoi(std::string(line.substr(14)).c_str());
        } else if (finding.what.empty()
            && (line.starts_with("Invalid ") || line.starts_with("Misaligned ") || line.starts_with("Out-of-range ")
                || line.starts_with("Program hit "))) {
            finding.what = line;
        } else if (!finding.what.empty() && finding.where.find("thread") == std::string::npos
            && (line.starts_with("at ") || line.starts_with("by thread "))) {
            finding.where += (finding.where.empty() ? "" : ", ") + std::string(line.substr(3));
        }
    }
    // An error without a name is the tool's own, "Internal Sanitizer Error" and the like: nobody is refused for it.
    if (!ended || (finding.errors > 0 && finding.what.empty()))
        return fail("tool/output",
            ended ? "compute-sanitizer reports an unnamed error" : "compute-sanitizer did not end", "",
            {{"output", std::string(output.substr(0, 1000))}});
    if (finding.errors == 0)
        return std::optional<MemcheckFinding>();
    return std::optional(std::move(finding));
}

nlohmann::json LaunchCounters::json() const
{
    nlohmann::json list = nlohmann::json::array();
    for (std::size_t i = 0; i < values.size(); ++i)
        list.push_back({{"name", values[i].first}, {"value", values[i].second}, {"unit", units[i]}});
    return {{"kernel", kernel}, {"counters", list}};
}

const std::vector<std::string>& counterNames()
{
    static const std::vector<std::string> names = [] {
        std::vector<std::string> list{"gpu__time_duration.sum", "sm__throughput.avg.pct_of_peak_sustained_elapsed",
            "dram__throughput.avg.pct_of_peak_sustained_elapsed", "l1tex__throughput.avg.pct_of_peak_sustained_active",
            "lts__throughput.avg.pct_of_peak_sustained_elapsed", "dram__bytes.sum", "lts__t_sector_hit_rate.pct",
            "sm__warps_active.avg.pct_of_peak_sustained_active", "smsp__issue_active.avg.pct_of_peak_sustained_active",
            "l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum", "l1tex__data_pipe_lsu_wavefronts_mem_shared.sum",
            "smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.pct", "sm__inst_executed.sum"};
        for (const char* reason : {"barrier", "branch_resolving", "dispatch_stall", "drain", "gmma", "imc_miss",
                 "lg_throttle", "long_scoreboard", "math_pipe_throttle", "membar", "mio_throttle", "no_instruction",
                 "not_selected", "selected", "short_scoreboard", "sleeping", "tex_throttle", "wait"})
            list.push_back("smsp__average_warps_issue_stalled_" + std::string(reason) + "_per_issue_active.ratio");
        return list;
    }();
    return names;
}

std::vector<std::string> counterNamesOf(int major)
{
    std::vector<std::string> names = counterNames();
    std::erase_if(names, [major](const std::string& name) {
        return (name.find("_stalled_gmma_") != std::string::npos && major != 9)
            || (name.find("_stalled_imc_miss_") != std::string::npos && major > 9);
    });
    return names;
}

std::vector<std::string> commonCounterNames()
{
    return {"gpu__time_duration.sum", "sm__throughput.avg.pct_of_peak_sustained_elapsed",
        "dram__throughput.avg.pct_of_peak_sustained_elapsed", "l1tex__throughput.avg.pct_of_peak_sustained_active",
        "lts__throughput.avg.pct_of_peak_sustained_elapsed", "dram__bytes.sum",
        "sm__warps_active.avg.pct_of_peak_sustained_active", "l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum",
        "sm__inst_executed.sum"};
}

Result<std::vector<LaunchCounters>> readCounters(std::string_view output)
{
    if (output.find("ERR_NVGPUCTRPERM") != std::string_view::npos)
        return fail("tool/permission", "the driver allows only administrators to read the GPU's counters",
            "an administrator can allow it: NVreg_RestrictProfilingToAdminUsers=0");
    std::vector<std::vector<std::string>> rows;
    for (const std::string_view line : splitLines(output))
        if (line.starts_with("\"ID\",") || (!rows.empty() && line.starts_with('"')))
            rows.push_back(fieldsOf(line));
    const auto unreadable = [&](const char* why) {
        return fail("tool/output", std::string("ncu's report cannot be read: ") + why, "",
            {{"output", std::string(output.substr(0, 1000))}});
    };
    if (rows.size() < 3)
        return unreadable("it contains no launch");
    const auto& names = rows[0];
    const auto& units = rows[1];
    const auto kernel = std::ranges::find(names, "Kernel Name") - names.begin();
    if (units.size() != names.size() || static_cast<std::size_t>(kernel) == names.size())
        return unreadable("its columns are unexpected");
    std::vector<LaunchCounters> launches;
    for (std::size_t row = 2; row < rows.size(); ++row) {
        if (rows[row].size() != names.size())
            return unreadable("a line is incomplete");
        LaunchCounters launch;
        launch.kernel = rows[row][static_cast<std::size_t>(kernel)];
        for (const std::string& wanted : counterNames()) {
            const auto column = static_cast<std::size_t>(std::ranges::find(names, wanted) - names.begin());
            if (column == names.size())
                continue; // this GPU has no such counter
            if (const auto value = numberOf(rows[row][column])) {
                launch.values.emplace_back(wanted, *value);
                launch.units.push_back(units[column]);
            }
        }
        launches.push_back(std::move(launch));
    }
    return launches;
}

std::optional<DriverFacts> readDriverFacts()
{
    DriverFacts facts;
    if (void* library = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL)) {
        const auto init = reinterpret_cast<int (*)()>(dlsym(library, "nvmlInit_v2"));
        const auto version = reinterpret_cast<int (*)(char*, unsigned)>(dlsym(library, "nvmlSystemGetDriverVersion"));
        const auto cuda = reinterpret_cast<int (*)(int*)>(dlsym(library, "nvmlSystemGetCudaDriverVersion_v2"));
        if (init && version && init() == 0) {
            if (char text[96] = ""; version(text, sizeof text) == 0)
                facts.version = text;
            if (int number = 0; cuda && cuda(&number) == 0) // 12040 is 12.4
                facts.cuda = std::to_string(number / 1000) + "." + std::to_string(number % 1000 / 10);
        }
    }
    if (facts.version.empty())
        if (const auto text = readFile("/sys/module/nvidia/version", 256))
            facts.version = text->substr(0, text->find('\n'));
    return facts.version.empty() ? std::nullopt : std::optional(std::move(facts));
}

std::vector<std::pair<std::string, std::string>> gpuVisibility()
{
    std::vector<std::pair<std::string, std::string>> set;
    for (const char* name : {"CUDA_VISIBLE_DEVICES", "CUDA_DEVICE_ORDER"})
        if (const char* value = std::getenv(name))
            set.emplace_back(name, value);
    return set;
}

Error withVisibility(Error noGpu)
{
    const char* visible = std::getenv("CUDA_VISIBLE_DEVICES");
    if (!visible || noGpu.code != "device/missing")
        return noGpu;
    return {noGpu.code, "CUDA_VISIBLE_DEVICES='" + std::string(visible) + "' hides every GPU of this machine",
        "unset it, or use numbers or ids that 'nvidia-smi -L' shows", nullptr};
}

} // namespace tilewright
