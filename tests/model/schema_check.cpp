// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/model/schema_check.h"

#include <algorithm>
#include <regex>
#include <set>

namespace tilewright::testing {
namespace {

using Json = nlohmann::json;

bool isOfType(const Json& value, const std::string& type)
{
    return (type == "object" && value.is_object()) || (type == "array" && value.is_array())
        || (type == "string" && value.is_string()) || (type == "number" && value.is_number())
        || (type == "integer" && value.is_number_integer()) || (type == "boolean" && value.is_boolean())
        || (type == "null" && value.is_null());
}

class Check
{
public:
    explicit Check(const Json& root)
        : m_root(root)
    {
    }

    std::string operator()(const Json& schema, const Json& value, const std::string& path) const
    {
        static const std::set<std::string> silent{
            "$schema", "$id", "$comment", "$defs", "title", "description", "default", "then", "else"};
        for (const auto& [keyword, rule] : schema.items()) {
            if (silent.contains(keyword))
                continue;
            std::string where = path;
            if (!holds(schema, keyword, rule, value, where))
                return where.find(": ") == std::string::npos ? where + ": " + keyword : where;
        }
        return {};
    }

private:
    /// Where a part does not fit, `path` says so afterwards.
    bool within(const Json& schema, const Json& value, std::string& path, const std::string& step) const
    {
        const std::string inner = (*this)(schema, value, path.empty() ? step : path + "." + step);
        if (inner.empty())
            return true;
        path = inner;
        return false;
    }

    bool holds(
        const Json& schema, const std::string& keyword, const Json& rule, const Json& value, std::string& path) const
    {
        if (keyword == "$ref")
            return within(m_root.at(Json::json_pointer(rule.get<std::string>().substr(1))), value, path, "");
        if (keyword == "type")
            return rule.is_string()
                ? isOfType(value, rule)
                : std::ranges::any_of(rule, [&](const Json& type) { return isOfType(value, type); });
        if (keyword == "const")
            return value == rule;
        if (keyword == "enum")
            return std::ranges::find(rule, value) != rule.end();
        if (keyword == "anyOf")
            return std::ranges::any_of(rule, [&](const Json& each) { return (*this)(each, value, path).empty(); });
        if (keyword == "if") {
            const char* branch = (*this)(rule, value, path).empty() ? "then" : "else";
            return !schema.contains(branch) || within(schema.at(branch), value, path, "");
        }
        if (value.is_number() && (keyword == "minimum" || keyword == "maximum"))
            return keyword == "minimum" ? value >= rule : value <= rule;
        if (value.is_string() && keyword == "pattern")
            return std::regex_search(value.get<std::string>(), std::regex(rule.get<std::string>()));
        if (value.is_string() && (keyword == "minLength" || keyword == "maxLength"))
            return (keyword == "minLength") == (value.get<std::string>().size() >= rule.get<std::size_t>())
                || value.get<std::string>().size() == rule.get<std::size_t>();
        if (value.is_array())
            return holdsForArray(schema, keyword, rule, value, path);
        if (value.is_object())
            return holdsForObject(schema, keyword, rule, value, path);
        static const std::set<std::string> known{"minimum", "maximum", "pattern", "minLength", "maxLength", "minItems",
            "maxItems", "uniqueItems", "items", "prefixItems", "contains", "required", "properties",
            "additionalProperties", "propertyNames", "minProperties"};
        return known.contains(keyword); // of another type than this value's
    }

    bool holdsForArray(
        const Json& schema, const std::string& keyword, const Json& rule, const Json& value, std::string& path) const
    {
        if (keyword == "minItems" || keyword == "maxItems")
            return keyword == "minItems" ? value.size() >= rule.get<std::size_t>()
                                         : value.size() <= rule.get<std::size_t>();
        if (keyword == "uniqueItems")
            return std::set<Json>(value.begin(), value.end()).size() == value.size();
        if (keyword == "contains")
            return std::ranges::any_of(value, [&](const Json& item) { return (*this)(rule, item, path).empty(); });
        const std::size_t fixed = schema.contains("prefixItems") ? schema.at("prefixItems").size() : 0;
        for (std::size_t i = 0; i < value.size(); ++i)
            if (keyword == "items" && i >= fixed && !within(rule, value[i], path, std::to_string(i)))
                return false;
        for (std::size_t i = 0; i < std::min(fixed, value.size()); ++i)
            if (keyword == "prefixItems" && !within(rule[i], value[i], path, std::to_string(i)))
                return false;
        return keyword == "items" || keyword == "prefixItems";
    }

    bool holdsForObject(
        const Json& schema, const std::string& keyword, const Json& rule, const Json& value, std::string& path) const
    {
        if (keyword == "required")
            return std::ranges::all_of(rule, [&](const Json& name) { return value.contains(name.get<std::string>()); });
        if (keyword == "minProperties")
            return value.size() >= rule.get<std::size_t>();
        for (const auto& [name, item] : value.items()) {
            const bool named = schema.contains("properties") && schema.at("properties").contains(name);
            if (keyword == "properties" && named && !within(rule.at(name), item, path, name))
                return false;
            if (keyword == "propertyNames" && !within(rule, name, path, name))
                return false;
            if (keyword == "additionalProperties" && !named
                && (rule.is_boolean() ? !rule.get<bool>() : !within(rule, item, path, name)))
                return false;
        }
        return keyword == "properties" || keyword == "propertyNames" || keyword == "additionalProperties";
    }

    const Json& m_root;
};

} // namespace

std::string objectionOf(const Json& schema, const Json& value) { return Check(schema)(schema, value, ""); }

} // namespace tilewright::testing
