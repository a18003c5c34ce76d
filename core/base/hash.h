// SPDX-License-Identifier: Apache-2.0
// SHA-256 (FIPS 180-4) and HMAC (RFC 2104): content addresses and unguessable seeds.
// Own code because the node may link nothing but the standard library; checked against the standards' vectors.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace tilewright {

struct Hash {
    std::array<std::uint8_t, 32> bytes{};

    auto operator<=>(const Hash&) const = default;
    bool isNull() const { return *this == Hash{}; }
    std::string hex() const;
    /// All-zero for anything that is not 64 hexadecimal digits.
    static Hash fromHex(std::string_view hex);
};

Hash sha256(std::string_view bytes);
Hash hmacSha256(std::string_view key, std::string_view message);
/// First eight bytes, little endian.
std::uint64_t leading64(const Hash& hash);

} // namespace tilewright

template <> struct std::hash<tilewright::Hash> {
    std::size_t operator()(const tilewright::Hash& h) const noexcept { return tilewright::leading64(h); }
};
