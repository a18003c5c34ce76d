// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tensor/scheme_file.h"

#include "core/base/files.h"
#include "core/base/text.h"
#include "core/tensor/known_schemes.h"
#include "core/tensor/scheme_expressions.h"
#include "core/tensor/scheme_json.h"
#include "core/tensor/scheme_npz.h"

namespace tilewright::tensor {
namespace {

Result<SchemeDraft> draftIn(std::string_view bytes, const std::optional<Format>& format)
{
    if (bytes.starts_with("PK"))
        return draftInNpz(bytes, format);
    const auto text = tilewright::textOf(bytes, "the file");
    if (!text)
        return fail(
            "tensor/file", "the file is neither text nor a .npz archive", "schemes are .json, .npz or .exp files");
    const std::string_view content = trimmed(*text);
    if (content.empty())
        return fail("tensor/file", "the file is empty");
    if (content.front() == '{' || content.front() == '[')
        return draftInJson(content);
    return draftInExpressions(*text);
}

} // namespace

Result<ImportedScheme> schemeInBytes(std::string_view bytes, const std::optional<Format>& format)
{
    const auto draft = draftIn(bytes, format);
    if (!draft)
        return std::unexpected(draft.error());
    if (format && *format != draft->format)
        return fail(
            "tensor/which", "the file has a scheme of " + textOf(draft->format) + ", not of " + textOf(*format));
    return importedScheme(*draft);
}

Result<ImportedScheme> schemeAt(const std::string& nameOrPath, const std::optional<Format>& format)
{
    std::error_code none;
    if (isSchemeName(nameOrPath) && !std::filesystem::exists(nameOrPath, none)) {
        auto scheme = knownScheme(nameOrPath);
        if (!scheme)
            return std::unexpected(scheme.error());
        return ImportedScheme{std::move(*scheme), OutputLayout::Plain, false};
    }
    const auto bytes = readFile(nameOrPath, largestSchemeFile);
    if (!bytes)
        return std::unexpected(bytes.error());
    auto imported = schemeInBytes(*bytes, format);
    if (!imported) {
        Error error = imported.error();
        error.text = oneLine(nameOrPath, 200) + ": " + error.text;
        return std::unexpected(error);
    }
    if (imported->scheme.name.empty())
        imported->scheme.name = oneLine(std::filesystem::path(nameOrPath).stem().string(), 80);
    return imported;
}

Result<std::string> bytesOf(const Scheme& scheme, SchemeForm form)
{
    if (form == SchemeForm::Npz)
        return npzOf(scheme);
    return form == SchemeForm::Json      ? ownJson(scheme)
        : form == SchemeForm::Collection ? collectionJson(scheme)
                                         : expressionsOf(scheme);
}

SchemeForm formFor(const std::filesystem::path& path)
{
    const std::string ending = lowered(path.extension().string());
    return ending == ".npz"                    ? SchemeForm::Npz
        : ending == ".exp" || ending == ".txt" ? SchemeForm::Expressions
                                               : SchemeForm::Json;
}

} // namespace tilewright::tensor
