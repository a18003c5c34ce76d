// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/input.h"

#include "core/base/files.h"

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

} // namespace tilewright::cli
