// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/input.h"

#include "core/base/files.h"
#include "core/base/text.h"

#include <filesystem>
#include <fstream>
#include <iostream>

namespace tilewright::cli {
namespace {

constexpr std::size_t largest = std::size_t(16) << 20;

Result<std::string> readStream(std::istream& stream, const std::string& name)
{
    std::string text;
    char buffer[65536];
    while (stream.read(buffer, sizeof buffer) || stream.gcount() > 0) {
        text.append(buffer, static_cast<std::size_t>(stream.gcount()));
        if (text.size() > largest)
            return fail("file/too-large", name + " has more than " + std::to_string(largest) + " bytes");
    }
    return text;
}

} // namespace

Result<std::string> readInput(const std::string& path)
{
    if (path == "-")
        return readStream(std::cin, "standard input");
    std::error_code problem;
    if (!std::filesystem::is_fifo(path, problem))
        return readFile(path, largest);
    std::ifstream pipe(path, std::ios::binary);
    return readStream(pipe, path);
}

Result<std::string> readText(const std::string& path, std::size_t most)
{
    auto text = readInput(path);
    if (!text)
        return text;
    const std::string name = path == "-" ? "standard input" : path;
    if (text->size() > most)
        return fail("file/too-large",
            name + " has " + std::to_string(text->size()) + " bytes, at most " + std::to_string(most) + " are taken",
            "is it the right file?");
    if (const std::size_t line = garbledLine(*text); line > 0)
        return fail("file/not-text", name + ", line " + std::to_string(line) + ": this is no text (UTF-8)",
            "is it the right file?");
    return text;
}

} // namespace tilewright::cli
