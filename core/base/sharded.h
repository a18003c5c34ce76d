// SPDX-License-Identifier: GPL-3.0-or-later
// A map by hash in 256 shared parts: copying costs a pointer a part, changing copies one part at most, and only when a
// snapshot still holds it. Not thread-safe to change; copies may be read from any thread.
#pragma once

#include "core/base/hash.h"

#include <algorithm>
#include <array>
#include <map>
#include <memory>

namespace tilewright {

template <typename Value> class Sharded
{
public:
    /// Null where nothing stands.
    const Value* find(const Hash& key) const
    {
        const auto& part = m_parts[partOf(key)];
        if (!part)
            return nullptr;
        const auto found = part->find(key);
        return found == part->end() ? nullptr : &found->second;
    }
    bool contains(const Hash& key) const { return find(key) != nullptr; }
    /// Keeps what stands there already.
    void add(const Hash& key, Value value)
    {
        if (contains(key))
            return;
        ownPart(key)->emplace(key, std::move(value));
        ++m_size;
    }
    /// Nothing stands there any more.
    void remove(const Hash& key)
    {
        if (!contains(key))
            return;
        auto& part = ownPart(key);
        part->erase(key);
        if (part->empty())
            part.reset(); // as if it had never been
        --m_size;
    }
    std::size_t size() const { return m_size; }

    bool operator==(const Sharded& other) const
    {
        const auto same = [](const std::shared_ptr<Part>& a, const std::shared_ptr<Part>& b) {
            return a == b || (a && b && *a == *b);
        };
        return m_size == other.m_size && std::equal(m_parts.begin(), m_parts.end(), other.m_parts.begin(), same);
    }

private:
    using Part = std::map<Hash, Value>;
    /// The part of the key, which no copy holds as well.
    std::shared_ptr<Part>& ownPart(const Hash& key)
    {
        auto& part = m_parts[partOf(key)];
        if (!part)
            part = std::make_shared<Part>();
        else if (part.use_count() > 1)
            part = std::make_shared<Part>(*part);
        return part;
    }
    static std::size_t partOf(const Hash& key) { return static_cast<std::size_t>(key.bytes[0]); }

    std::array<std::shared_ptr<Part>, 256> m_parts;
    std::size_t m_size = 0;
};

} // namespace tilewright
