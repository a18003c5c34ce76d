// SPDX-License-Identifier: GPL-3.0-or-later
// Runs a fuzz target without libFuzzer: on files, on the files of a corpus, or on random mutations of these and of
// built-in texts.
//   replay FILE…      replay --corpus FOLDER LEAST      replay --random SEED COUNT [FOLDER]
#include "tests/fuzz/fuzz_target.h"

#include "core/base/files.h"
#include "core/base/random.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <vector>

using namespace tilewright;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

/// The files of a folder in the order of their names; leaves with 2 if one cannot be read.
std::vector<std::string> filesOf(const char* folder)
{
    std::vector<std::filesystem::path> paths;
    std::error_code problem;
    for (const auto& entry : std::filesystem::directory_iterator(folder, problem))
        paths.push_back(entry.path());
    std::ranges::sort(paths);
    std::vector<std::string> inputs;
    for (const auto& path : paths) {
        auto input = readFile(path);
        if (!input) {
            std::fprintf(stderr, "replay: %s\n", input.error().text.c_str());
            std::exit(2);
        }
        inputs.push_back(std::move(*input));
    }
    return inputs;
}

std::string mutated(std::uint64_t seed, std::uint64_t ordinal, const std::vector<std::string>& corpus)
{
    CounterRandom random(seed, 0, ordinal);
    const std::uint64_t which = random.below(builtInTexts.size() + corpus.size());
    std::string text(1, static_cast<char>(random.below(16)));
    if (which < builtInTexts.size())
        text += builtInTexts[which];
    else
        text = corpus[which - builtInTexts.size()];
    if (text.empty())
        text = "\n";
    for (std::uint64_t i = random.below(10); i > 0; --i) {
        const std::size_t at = std::min<std::size_t>(1 + random.below(text.size()), text.size());
        switch (random.below(4)) {
        case 0:
            text.erase(at, random.below(40));
            break;
        case 1:
            text.insert(at, text.substr(random.below(text.size()), random.below(80)));
            break;
        case 2:
            text.insert(at, insertedPieces[random.below(insertedPieces.size())]);
            break;
        default:
            text.insert(at, 1, static_cast<char>(random.below(256)));
        }
    }
    return text;
}

void run(const std::string& input)
{
    LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(input.data()), input.size());
}

} // namespace

int main(int argc, char** argv)
{
    if ((argc == 4 || argc == 5) && std::strcmp(argv[1], "--random") == 0) {
        const std::uint64_t seed = std::strtoull(argv[2], nullptr, 10), count = std::strtoull(argv[3], nullptr, 10);
        const std::vector<std::string> corpus = argc == 5 ? filesOf(argv[4]) : std::vector<std::string>();
        if (std::getenv("REPLAY_SHOW"))
            std::printf("%s\n", mutated(seed, count, corpus).c_str());
        for (std::uint64_t i = 0; i < count; ++i)
            run(mutated(seed, i, corpus));
        std::printf("%llu inputs of seed %llu\n", static_cast<unsigned long long>(count),
            static_cast<unsigned long long>(seed));
        return 0;
    }
    if (argc == 4 && std::strcmp(argv[1], "--corpus") == 0) {
        const std::vector<std::string> corpus = filesOf(argv[2]);
        for (const std::string& input : corpus)
            run(input);
        std::printf("%zu files\n", corpus.size());
        return corpus.size() >= std::strtoull(argv[3], nullptr, 10) ? 0 : 1;
    }
    for (int i = 1; i < argc; ++i) {
        const auto input = readFile(argv[i]);
        if (!input) {
            std::fprintf(stderr, "replay: %s\n", input.error().text.c_str());
            return 2;
        }
        run(*input);
    }
    return 0;
}
