// SPDX-License-Identifier: GPL-3.0-or-later
// Whatever bytes a kernel file holds, reading it answers: a text, or a code with line and offset; of a text functions
// and descriptions that a pack can be written of, or a reason why not. The first byte chooses between C++ and CUDA.
#include "core/base/files.h"
#include "core/base/json_text.h"
#include "core/base/text.h"
#include "core/pack/kernel_description.h"
#include "core/pack/pack_texts.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

using namespace tilewright;

namespace {

void require(bool holds, const char* what)
{
    if (holds)
        return;
    std::fprintf(stderr, "does not hold: %s\n", what);
    std::abort();
}

bool decodes(std::string_view text)
{
    for (; !text.empty(); text.remove_prefix(sequenceLength(text)))
        if (sequenceLength(text) == 0)
            return false;
    return true;
}

void requireAPlace(const Error& error, std::string_view bytes)
{
    require(error.code == "file/not-text" && !error.hint.empty() && decodes(error.text), "a refusal says why");
    const auto offset = error.evidence.at("offset").get<std::size_t>(),
               line = error.evidence.at("line").get<std::size_t>();
    require(offset < bytes.size() && line >= 1, "the place is in the text");
    const std::string_view before = bytes.substr(0, offset);
    require(decodes(before) && before.find('\0') == std::string_view::npos, "what stands in front of it is text");
    const std::string ends = withUnixLineEnds(before);
    require(line == 1 + static_cast<std::size_t>(std::ranges::count(ends, '\n')), "the line is that of the offset");
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    if (size < 1)
        return 0;
    const std::string file = data[0] & 1 ? "kernel.cu" : "kernel.cpp";
    const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
    const auto text = textOf(bytes, file);
    if (!text) {
        requireAPlace(text.error(), bytes);
        return 0;
    }
    require(decodes(*text) && text->find('\r') == std::string::npos && text->find('\0') == std::string::npos,
        "what is read is text with LF line ends");
    const CompiledText compiled = asCompiled(*text, builtinMacros(data[0] & 1));
    require(compiled.text.size() == text->size(), "what is not compiled keeps its place");
    for (std::size_t i = 0; i < text->size(); ++i)
        require(compiled.text[i] == (*text)[i] || (compiled.text[i] == ' ' && (*text)[i] != '\n'),
            "what is not compiled is blank, and nothing else");
    int described = 0;
    for (const KernelFunction& function : kernelChoices(file, *text)) {
        require(!function.name.empty() && function.line >= 1, "a function has a name and a line");
        (void)dumped(nlohmann::json(objectionTo(function).line()));
        constexpr int most = 3; // the texts of a pack take their time
        if (++described > most)
            break;
        auto derived = describeKernel(file, *text, function.name);
        if (!derived) {
            require(!derived.error().code.empty() && !derived.error().text.empty(), "a refusal says why");
            continue;
        }
        KernelDescription& description = derived->description;
        for (DescribedParameter& parameter : description.parameters)
            if (parameter.kind == ParameterKind::Constant)
                parameter.value = "1";
        if (!findingsIn(description, std::int64_t(1) << 34).empty())
            continue;
        for (const auto& [name, content] : packTexts(description))
            require(decodes(content), "the files of a pack are text");
        const auto task = parseTask(taskJsonOf(description));
        require(task.has_value(), task ? "" : task.error().text.c_str());
    }
    return 0;
}
