// SPDX-License-Identifier: GPL-3.0-or-later
// What the models file and the catalogue have in common: their mistakes, all of them told at once, and the fields that
// stand in both. Pure.
#pragma once

#include "core/base/json_fields.h"
#include "core/base/json_text.h"
#include "core/base/result.h"
#include "core/llm/model_endpoint.h"
#include "core/llm/usage.h"

#include <string>
#include <utility>
#include <vector>

namespace tilewright {

/// Reads on behind a mistake.
class FieldMistakes
{
public:
    std::vector<FieldError>& all() { return m_all; }
    /// Runs what belongs together: its first mistake ends it. True if there was none.
    template <typename Read> bool take(Read read)
    {
        try {
            read();
            return true;
        } catch (const FieldError& mistake) {
            m_all.push_back(mistake);
            return false;
        }
    }

private:
    std::vector<FieldError> m_all;
};

/// models/field, with every mistake. Evidence: file; field and reason of the first; mistakes: [{field, reason}].
Error mistakesIn(const std::string& fileName, const std::vector<FieldError>& mistakes);
/// models/syntax.
Error syntaxErrorIn(const std::string& fileName, const SyntaxError& problem);
/// models/syntax; the library's own words could quote a pasted key.
Error numberErrorIn(const std::string& fileName);

/// Runs a reader; what it throws, and the mistakes that it takes, become an error that names the file.
template <typename Read>
auto checkedReading(const std::string& fileName, Read read) -> Result<decltype(read(std::declval<FieldMistakes&>()))>
{
    FieldMistakes mistakes;
    try {
        auto value = read(mistakes);
        if (mistakes.all().empty())
            return value;
    } catch (const FieldError& problem) {
        mistakes.all().push_back(problem);
    } catch (const SyntaxError& problem) {
        return std::unexpected(syntaxErrorIn(fileName, problem));
    } catch (const JsonFields::Json::exception&) {
        return std::unexpected(numberErrorIn(fileName));
    }
    return std::unexpected(mistakesIn(fileName, mistakes.all()));
}

/// "models[2]".
std::string placed(const std::string& list, std::size_t i);
/// A list with at least one entry, or a FieldError is thrown.
const JsonFields::Json& listOf(const JsonFields& fields, const std::string& key);
/// `can` with what the object says.
Capabilities readCapabilities(
    const JsonFields::Json& json, const std::string& path, Capabilities can, FieldMistakes& mistakes);
TokenPrice readPrice(const JsonFields::Json& json, const std::string& path, FieldMistakes& mistakes);

constexpr double mostUsd = 1e6; ///< of a limit, and of a million tokens

} // namespace tilewright
