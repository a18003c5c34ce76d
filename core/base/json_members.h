// SPDX-License-Identifier: Apache-2.0
// A type's members as JSON, both ways from one list:
//   template <> struct JsonMembers<Budget> {
//       static constexpr std::tuple list{always("tokens", &Budget::tokens), rare("no_gain", &Budget::noGain)};
//   };
// A member that is absent keeps the value that the type begins with; one that is required throws.
#pragma once

#include "core/base/hash.h"
#include "core/base/ids.h"
#include "core/base/json_text.h"
#include "core/base/names.h"

#include <concepts>
#include <map>
#include <optional>
#include <stdexcept>
#include <tuple>
#include <vector>

namespace tilewright {

/// Required: must be there. Always: is written always. Rare: is written where it is not what the type begins with.
enum class Presence { Required, Always, Rare };

template <typename Owner, typename Value> struct JsonMember {
    const char* key;
    Value Owner::*at;
    Presence presence;
};
/// A value whose own members stand among those of its owner.
template <typename Owner, typename Value> struct JsonPart {
    Value Owner::*at;
};

template <typename Owner, typename Value> constexpr auto required(const char* key, Value Owner::*at)
{
    return JsonMember<Owner, Value>{key, at, Presence::Required};
}
template <typename Owner, typename Value> constexpr auto always(const char* key, Value Owner::*at)
{
    return JsonMember<Owner, Value>{key, at, Presence::Always};
}
template <typename Owner, typename Value> constexpr auto rare(const char* key, Value Owner::*at)
{
    return JsonMember<Owner, Value>{key, at, Presence::Rare};
}
template <typename Owner, typename Value> constexpr auto part(Value Owner::*at) { return JsonPart<Owner, Value>{at}; }

/// `list`, a tuple of the above; and where absent members follow from others: `static void mend(const Json&, T&)`.
template <typename Type> struct JsonMembers;
/// `table`, the NameTable of an enumeration's words.
template <typename Enum> struct JsonNames;
/// How other types stand in JSON: `static Json write(const T&)` and `static T read(const Json&)`, which throws.
template <typename Type> struct JsonForm;

template <typename Type>
concept HasJsonMembers = requires
{
    JsonMembers<Type>::list;
};
template <typename Type>
concept HasJsonNames = requires
{
    JsonNames<Type>::table;
};
template <typename Type>
concept HasJsonForm = requires(const Type& value)
{
    JsonForm<Type>::write(value);
};

/// A word that an enumeration does not have.
struct UnknownWord : std::runtime_error {
    explicit UnknownWord(const nlohmann::json& word)
        : std::runtime_error("has the unknown value " + dumped(word))
    {
    }
};

template <typename Type> nlohmann::json jsonOf(const Type& value);
template <typename Type> Type fromJson(const nlohmann::json& json);

template <typename Tag> struct JsonForm<Id<Tag>> {
    static nlohmann::json write(Id<Tag> id) { return id.value; }
    static Id<Tag> read(const nlohmann::json& json) { return {json.get<std::int64_t>()}; }
};

/// Hexadecimal digits; "" for the null hash.
template <> struct JsonForm<Hash> {
    static nlohmann::json write(const Hash& hash) { return hash.isNull() ? std::string() : hash.hex(); }
    static Hash read(const nlohmann::json& json) { return Hash::fromHex(json.get<std::string>()); }
};

/// Null for none.
template <typename Value> struct JsonForm<std::optional<Value>> {
    static nlohmann::json write(const std::optional<Value>& value) { return value ? jsonOf(*value) : nlohmann::json(); }
    static std::optional<Value> read(const nlohmann::json& json)
    {
        return json.is_null() ? std::nullopt : std::optional<Value>(fromJson<Value>(json));
    }
};

template <typename Value> struct JsonForm<std::vector<Value>> {
    static nlohmann::json write(const std::vector<Value>& values)
    {
        nlohmann::json list = nlohmann::json::array();
        for (const Value& value : values)
            list.push_back(jsonOf(value));
        return list;
    }
    static std::vector<Value> read(const nlohmann::json& list)
    {
        std::vector<Value> values;
        for (const nlohmann::json& each : list)
            values.push_back(fromJson<Value>(each));
        return values;
    }
};

template <typename Owner, typename Value>
void writeMember(nlohmann::json& json, const Owner& owner, const JsonMember<Owner, Value>& member)
{
    if (member.presence == Presence::Rare) {
        static const Owner usual{};
        if (owner.*member.at == usual.*member.at)
            return;
    }
    json[member.key] = jsonOf(owner.*member.at);
}

template <typename Owner, typename Value>
void readMember(const nlohmann::json& json, Owner& owner, const JsonMember<Owner, Value>& member)
{
    const auto found = json.find(member.key);
    if (found == json.end()) {
        if (member.presence == Presence::Required)
            throw std::runtime_error("there is no '" + std::string(member.key) + "'");
        return;
    }
    try {
        owner.*member.at = fromJson<Value>(*found);
    } catch (const UnknownWord& problem) {
        throw std::runtime_error(std::string(member.key) + " " + problem.what());
    }
}

template <typename Owner, typename... Members>
void writeAll(nlohmann::json& json, const Owner& owner, const std::tuple<Members...>& members)
{
    std::apply([&](const auto&... each) { (writeMember(json, owner, each), ...); }, members);
}

template <typename Owner, typename... Members>
void readAll(const nlohmann::json& json, Owner& owner, const std::tuple<Members...>& members)
{
    if (!json.is_object())
        throw std::runtime_error("an object with members was expected");
    std::apply([&](const auto&... each) { (readMember(json, owner, each), ...); }, members);
    if constexpr (requires { JsonMembers<Owner>::mend(json, owner); })
        JsonMembers<Owner>::mend(json, owner);
}

template <typename Owner, typename Value>
void writeMember(nlohmann::json& json, const Owner& owner, const JsonPart<Owner, Value>& part)
{
    if constexpr (HasJsonMembers<Value>)
        writeAll(json, owner.*part.at, JsonMembers<Value>::list);
    else
        json.update(jsonOf(owner.*part.at));
}

template <typename Owner, typename Value>
void readMember(const nlohmann::json& json, Owner& owner, const JsonPart<Owner, Value>& part)
{
    owner.*part.at = fromJson<Value>(json);
}

template <typename Type> nlohmann::json jsonOf(const Type& value)
{
    if constexpr (HasJsonMembers<Type>) {
        nlohmann::json json = nlohmann::json::object();
        writeAll(json, value, JsonMembers<Type>::list);
        return json;
    } else if constexpr (HasJsonNames<Type>) {
        return nameIn(JsonNames<Type>::table, value);
    } else if constexpr (HasJsonForm<Type>) {
        return JsonForm<Type>::write(value);
    } else {
        return value;
    }
}

template <typename Type> Type fromJson(const nlohmann::json& json)
{
    if constexpr (HasJsonMembers<Type>) {
        Type value{};
        readAll(json, value, JsonMembers<Type>::list);
        return value;
    } else if constexpr (HasJsonNames<Type>) {
        const auto value = json.is_string() ? valueIn(JsonNames<Type>::table, json.get<std::string>()) : std::nullopt;
        if (!value)
            throw UnknownWord(json);
        return *value;
    } else if constexpr (HasJsonForm<Type>) {
        return JsonForm<Type>::read(json);
    } else {
        return json.get<Type>();
    }
}

/// The entry of a table, a tuple, whose `Of` is this type. A type without one does not compile.
template <typename Type, const auto& table, std::size_t At = 0> constexpr const auto& entryOf()
{
    using Table = std::remove_cvref_t<decltype(table)>;
    static_assert(At < std::tuple_size_v<Table>, "this type has no entry in the table");
    if constexpr (std::is_same_v<typename std::tuple_element_t<At, Table>::Of, Type>)
        return std::get<At>(table);
    else
        return entryOf<Type, table, At + 1>();
}

/// A message: its word, which stands beside its members as "op".
template <typename Message, typename... Members> struct MessageKind {
    using Of = Message;
    std::string_view op;
    std::tuple<Members...> members;
};
template <typename Message, typename... Members> constexpr auto message(std::string_view op, Members... members)
{
    return MessageKind<Message, Members...>{op, {members...}};
}
template <const auto& table, typename Message> nlohmann::json messageJson(const Message& message)
{
    const auto& kind = entryOf<Message, table>();
    nlohmann::json json{{"op", kind.op}};
    writeAll(json, message, kind.members);
    return json;
}
template <typename Message, const auto& table> Message messageFrom(const nlohmann::json& json)
{
    Message message{};
    readAll(json, message, entryOf<Message, table>().members);
    return message;
}

} // namespace tilewright
