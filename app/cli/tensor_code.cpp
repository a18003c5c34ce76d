// SPDX-License-Identifier: GPL-3.0-or-later
// tilewright-cli tensor code: a scheme as a program of CPU GEMM tasks.
#include "app/cli/tensor_commands.h"

#include "core/base/files.h"
#include "core/source/saved_program.h"
#include "core/tensor/code.h"

#include <cstdio>
#include <filesystem>

namespace tilewright::cli {
Result<tensor::CodeOptions> codeOptionsOf(const Options& options)
{
    constexpr std::int64_t mostLevels = 4, largestCutoff = 65536;
    tensor::CodeOptions code;
    const std::int64_t levels = options.count("--levels", code.levels), cutoff = options.count("--cutoff", code.cutoff);
    if (levels < 1 || levels > mostLevels)
        return fail("usage", "--levels takes a number from 1 to 4");
    if (cutoff < 1 || cutoff > largestCutoff)
        return fail("usage", "--cutoff takes a number from 1 to 65536");
    code.levels = static_cast<int>(levels);
    code.cutoff = static_cast<int>(cutoff);
    if (!options.has("--leaf"))
        return code;
    const auto leaf = readText(options.text("--leaf"));
    if (!leaf)
        return std::unexpected(leaf.error());
    code.leaf = programInSaved(*leaf);
    code.leafName = std::filesystem::path(options.text("--leaf")).filename().string();
    return code;
}

int writeSchemeCode(const std::vector<std::string>& words, const Options& options)
{
    const auto imported = schemeNamed(words[0], options);
    if (!imported)
        return refuseTensor(imported.error());
    const auto code = codeOptionsOf(options);
    if (!code)
        return refuseTensor(code.error());
    const auto program = tensor::programOf(imported->scheme, *code);
    const auto test = program ? tensor::selfTestOf(imported->scheme, *code) : program;
    if (!test)
        return refuseTensor(test.error());
    for (const auto& [option, text] : {std::pair{"--out", &*program}, {"--self-test", &*test}})
        if (options.has(option))
            if (const auto written = saveNewFile(options.text(option), *text); !written)
                return refuseTensor(written.error());
    if (options.has("--json"))
        printJson({{"format", tensor::textOf(imported->scheme.format)}, {"rank", imported->scheme.rank()},
            {"levels", code->levels}, {"cutoff", code->cutoff}, {"bytes", program->size()},
            {"program", options.has("--out") ? nlohmann::json(options.text("--out")) : nlohmann::json(*program)}});
    else if (!options.has("--out"))
        std::fputs(program->c_str(), stdout);
    return Done;
}

} // namespace tilewright::cli
