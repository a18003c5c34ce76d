// SPDX-License-Identifier: GPL-3.0-or-later
// A vector in shared chunks: copying costs one pointer a chunk, changing an element copies its chunk only when a
// snapshot still holds it. So publishing a state to the window costs O(changes). Not thread-safe to change; copies may
// be read from any thread.
#pragma once

#include <array>
#include <cstddef>
#include <iterator>
#include <memory>
#include <vector>

namespace tilewright {

template <typename T, std::size_t ChunkSize = 128> class Chunked
{
public:
    std::size_t size() const { return m_size; }
    bool empty() const { return m_size == 0; }
    const T& operator[](std::size_t i) const { return (*m_chunks[i / ChunkSize])[i % ChunkSize]; }
    const T& back() const { return (*this)[m_size - 1]; }

    /// The element for changing; its chunk becomes this object's own first.
    T& edit(std::size_t i) { return own(i / ChunkSize)[i % ChunkSize]; }

    void push_back(T value)
    {
        if (m_size % ChunkSize == 0)
            m_chunks.push_back(std::make_shared<Chunk>());
        own(m_size / ChunkSize)[m_size % ChunkSize] = std::move(value);
        ++m_size;
    }

    bool operator==(const Chunked& other) const
    {
        if (m_size != other.m_size)
            return false;
        for (std::size_t i = 0; i < m_size; ++i)
            if (!((*this)[i] == other[i]))
                return false;
        return true;
    }

    class Iterator
    {
    public:
        using iterator_category = std::forward_iterator_tag;
        using value_type = T;
        using difference_type = std::ptrdiff_t;
        using pointer = const T*;
        using reference = const T&;
        Iterator() = default;
        Iterator(const Chunked* owner, std::size_t at)
            : m_owner(owner)
            , m_at(at)
        {
        }
        const T& operator*() const { return (*m_owner)[m_at]; }
        const T* operator->() const { return &(*m_owner)[m_at]; }
        Iterator& operator++()
        {
            ++m_at;
            return *this;
        }
        Iterator operator++(int)
        {
            Iterator before = *this;
            ++m_at;
            return before;
        }
        bool operator==(const Iterator&) const = default;

    private:
        const Chunked* m_owner = nullptr;
        std::size_t m_at = 0;
    };
    Iterator begin() const { return {this, 0}; }
    Iterator end() const { return {this, m_size}; }

private:
    using Chunk = std::array<T, ChunkSize>;

    Chunk& own(std::size_t chunk)
    {
        std::shared_ptr<Chunk>& held = m_chunks[chunk];
        if (held.use_count() > 1)
            held = std::make_shared<Chunk>(*held);
        return *held;
    }

    std::vector<std::shared_ptr<Chunk>> m_chunks;
    std::size_t m_size = 0;
};

} // namespace tilewright
