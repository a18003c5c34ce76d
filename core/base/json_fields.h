// SPDX-License-Identifier: Apache-2.0
// Reading a JSON file that a user wrote: every field checked, an unknown one refused, each complaint with the field's
// path. A reader throws FieldError inside and turns it into an Error at its border.
#pragma once

#include "core/base/format.h"
#include "core/base/names.h"

#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

namespace tilewright {

/// Thrown and caught inside one parse function only.
struct FieldError {
    std::string field, reason;
};

[[noreturn]] inline void complain(const std::string& field, const std::string& reason)
{
    throw FieldError{field, reason};
}

/// An object with the fields it may have; reading by path, complaining by path.
class JsonFields
{
public:
    using Json = nlohmann::ordered_json; // keeps the order of what a user wrote

    /// `root` is what an object without a path is called: the file's name.
    JsonFields(const Json& json, std::string path, const std::set<std::string>& known, const std::string& root = {})
        : m_json(json)
        , m_path(std::move(path))
    {
        if (!json.is_object())
            complain(m_path.empty() ? root : m_path, "must be an object");
        for (const FieldError& unknown : unknownOf(known))
            throw unknown;
    }

    /// The same, but fields that there may not be go to `mistakes`: the others are read all the same.
    JsonFields(const Json& json, std::string path, const std::set<std::string>& known, const std::string& root,
        std::vector<FieldError>& mistakes)
        : m_json(json)
        , m_path(std::move(path))
    {
        if (!json.is_object())
            complain(m_path.empty() ? root : m_path, "must be an object");
        for (FieldError& unknown : unknownOf(known))
            mistakes.push_back(std::move(unknown));
    }

    std::string pathOf(const std::string& key) const { return m_path.empty() ? key : m_path + "." + key; }
    bool has(const std::string& key) const { return m_json.contains(key) && !m_json.at(key).is_null(); }

    const Json& at(const std::string& key) const
    {
        if (!m_json.contains(key))
            complain(pathOf(key), "is missing");
        return m_json.at(key);
    }

    std::string text(const std::string& key) const
    {
        const Json& value = at(key);
        if (!value.is_string() || value.get<std::string>().empty())
            complain(pathOf(key), "must be a text that is not empty");
        return value.get<std::string>();
    }

    std::string textOr(const std::string& key, const std::string& otherwise) const
    {
        return has(key) ? text(key) : otherwise;
    }

    double number(const std::string& key, double least, double most) const
    {
        const Json& value = at(key);
        if (!value.is_number())
            complain(pathOf(key), "must be a number");
        const double number = value.get<double>();
        if (!(number >= least && number <= most))
            complain(pathOf(key), "must be between " + brief(least) + " and " + brief(most));
        return number;
    }

    double numberOr(const std::string& key, double otherwise, double least, double most) const
    {
        return has(key) ? number(key, least, most) : otherwise;
    }

    std::int64_t integerOr(const std::string& key, std::int64_t otherwise, std::int64_t least, std::int64_t most) const
    {
        if (!has(key))
            return otherwise;
        if (!at(key).is_number_integer())
            complain(pathOf(key), "must be a whole number");
        return static_cast<std::int64_t>(number(key, static_cast<double>(least), static_cast<double>(most)));
    }

    bool truthOr(const std::string& key, bool otherwise) const
    {
        if (!has(key))
            return otherwise;
        if (!at(key).is_boolean())
            complain(pathOf(key), "must be true or false");
        return at(key).get<bool>();
    }

    std::vector<std::string> texts(const std::string& key) const
    {
        const Json& value = at(key);
        if (!value.is_array())
            complain(pathOf(key), "must be a list of texts");
        std::vector<std::string> texts;
        for (const Json& item : value) {
            if (!item.is_string())
                complain(pathOf(key), "must be a list of texts");
            texts.push_back(item.get<std::string>());
        }
        return texts;
    }

    template <typename Enum, std::size_t N> Enum choice(const std::string& key, const NameTable<Enum, N>& table) const
    {
        return choiceOf(text(key), pathOf(key), table);
    }

    template <typename Enum, std::size_t N>
    Enum choiceOr(const std::string& key, Enum otherwise, const NameTable<Enum, N>& table) const
    {
        return has(key) ? choice(key, table) : otherwise;
    }

    template <typename Enum, std::size_t N>
    static Enum choiceOf(const std::string& name, const std::string& path, const NameTable<Enum, N>& table)
    {
        if (const auto value = valueIn(table, name))
            return *value;
        std::string known;
        for (const auto& [value, text] : table)
            known += (known.empty() ? "" : ", ") + std::string(text);
        complain(path, "'" + name + "' is not one of " + known);
    }

private:
    std::vector<FieldError> unknownOf(const std::set<std::string>& known) const
    {
        std::string names;
        for (const std::string& name : known)
            names += (names.empty() ? "" : ", ") + name;
        std::vector<FieldError> unknown;
        for (const auto& [key, value] : m_json.items())
            if (!known.contains(key))
                unknown.push_back({pathOf(key), "unknown field; known fields are " + names});
        return unknown;
    }

    static std::string brief(double value)
    {
        return std::abs(value) >= 1e5 && std::floor(value) == value ? fixedText(value, 0) : generalText(value);
    }

    const Json& m_json;
    std::string m_path;
};

} // namespace tilewright
