// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tensor/scheme_library.h"

#include "core/base/files.h"
#include "core/base/hash.h"
#include "core/base/json_members.h"
#include "core/tensor/known_schemes.h"
#include "core/tensor/scheme_file.h"
#include "core/tensor/scheme_json.h"

#include <algorithm>
#include <tuple>

namespace tilewright {

template <> struct JsonNames<tensor::Provenance::Kind> {
    using Kind = tensor::Provenance::Kind;
    static constexpr NameTable<Kind, 3> table{
        {{Kind::BuiltIn, "built in"}, {Kind::Found, "found"}, {Kind::Imported, "imported"}}};
};

template <> struct JsonMembers<tensor::Provenance> {
    using P = tensor::Provenance;
    static constexpr std::tuple list{required("kind", &P::kind), rare("date", &P::date), rare("seed", &P::seed),
        rare("threads", &P::threads), rare("seconds", &P::seconds), rare("version", &P::version),
        rare("file", &P::file), rare("sha256", &P::sha256)};
};

namespace tensor {

namespace {

namespace fs = std::filesystem;

constexpr int libraryFormat = 1;

std::string libraryJson(const Scheme& scheme, const Provenance& from)
{
    return dumped(nlohmann::json{{"library", libraryFormat}, {"from", jsonOf(from)},
                      {"scheme", parsedJson(ownJson(scheme))}},
               1)
        + "\n";
}

Result<LibraryScheme> readLibraryFile(const fs::path& path)
{
    const auto damaged = [&](const std::string& why) {
        return fail("tensor/library", path.filename().string() + " in the library of schemes is damaged: " + why,
            "it is left as it is; remove it, or put it right: " + path.string());
    };
    const auto bytes = readFile(path, largestSchemeFile);
    if (!bytes)
        return damaged(bytes.error().text);
    const nlohmann::json json = parsedJson(*bytes);
    if (!json.is_object() || json.value("library", nlohmann::json()) != libraryFormat || !json.contains("from")
        || !json.contains("scheme"))
        return damaged("this is no scheme of the library");
    LibraryScheme kept;
    try {
        kept.from = fromJson<Provenance>(json.at("from"));
    } catch (const std::exception& problem) {
        return damaged(problem.what());
    }
    auto scheme = schemeInBytes(dumped(json.at("scheme")), std::nullopt); // verified anew
    if (!scheme)
        return damaged(scheme.error().text);
    kept.scheme = std::move(scheme->scheme);
    kept.file = path;
    return kept;
}

} // namespace

std::vector<LibraryScheme> builtInSchemes()
{
    std::vector<LibraryScheme> all;
    for (const Scheme& each : {strassen(), winogradVariant(), schoolbook({2, 2, 2}), schoolbook({3, 3, 3})})
        all.push_back({each, {}, {}});
    return all;
}

SchemeLibrary schemesIn(const fs::path& folder)
{
    SchemeLibrary library;
    std::error_code problem;
    for (fs::directory_iterator entry(folder, problem), end; !problem && entry != end; entry.increment(problem)) {
        if (entry->path().extension() != ".json")
            continue;
        if (auto kept = readLibraryFile(entry->path()))
            library.schemes.push_back(std::move(*kept));
        else
            library.damaged.push_back(kept.error());
    }
    std::ranges::sort(library.schemes, {}, [](const LibraryScheme& each) {
        const Format& format = each.scheme.format;
        return std::tuple(format.naiveRank(), format.n, format.m, each.scheme.rank(), each.from.date, each.file);
    });
    return library;
}

Result<LibraryScheme> keepScheme(const fs::path& folder, const Scheme& scheme, const Provenance& from)
{
    std::error_code problem;
    fs::create_directories(folder, problem);
    if (problem)
        return fail("tensor/library", "the folder " + folder.string() + " cannot be made: " + problem.message(),
            "free its path");
    Provenance timeless = from; // the same scheme from the same place at another time is no other one
    timeless.date.clear();
    timeless.seconds = 0;
    const std::string name = textOf(scheme.format) + "-" + std::to_string(scheme.rank()) + "-"
        + sha256(libraryJson(scheme, timeless)).hex().substr(0, 12) + ".json";
    if (const fs::path there = folder / name; fs::exists(there, problem))
        return readLibraryFile(there);
    if (const auto saved = saveFile(folder / name, libraryJson(scheme, from)); !saved)
        return std::unexpected(saved.error());
    return LibraryScheme{scheme, from, folder / name};
}

Result<void> removeScheme(const LibraryScheme& scheme)
{
    std::error_code problem;
    if (scheme.file.empty())
        return fail("tensor/library", "a scheme that is built in cannot be removed");
    fs::remove(scheme.file, problem);
    if (problem)
        return fail("tensor/library", scheme.file.string() + " cannot be removed: " + problem.message());
    return {};
}

} // namespace tensor
} // namespace tilewright
