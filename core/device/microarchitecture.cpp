// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/device/microarchitecture.h"

#include <cstddef>

namespace tilewright {
namespace {

/// Models from first to last of one family.
struct Models {
    int family, first, last;
    const char* name;
};

constexpr Models amd[] = {
    {0x17, 0x00, 0x2f, "Zen or Zen+"},
    {0x17, 0x50, 0x5f, "Zen or Zen+"},
    {0x17, 0x30, 0x4f, "Zen 2"},
    {0x17, 0x60, 0xaf, "Zen 2"},
    {0x19, 0x00, 0x0f, "Zen 3"},
    {0x19, 0x10, 0x1f, "Zen 4"},
    {0x19, 0x20, 0x5f, "Zen 3"},
    {0x19, 0x60, 0xaf, "Zen 4"},
    {0x1a, 0x00, 0x2f, "Zen 5"},
    {0x1a, 0x40, 0x4f, "Zen 5"},
    {0x1a, 0x60, 0x7f, "Zen 5"},
};

constexpr Models intel[] = {
    {6, 0x3c, 0x3c, "Haswell"},
    {6, 0x3d, 0x3d, "Broadwell"},
    {6, 0x3f, 0x3f, "Haswell"},
    {6, 0x45, 0x46, "Haswell"},
    {6, 0x47, 0x47, "Broadwell"},
    {6, 0x4e, 0x4e, "Skylake"},
    {6, 0x4f, 0x4f, "Broadwell"},
    {6, 0x55, 0x55, "Skylake, Cascade Lake or Cooper Lake (server)"},
    {6, 0x56, 0x56, "Broadwell"},
    {6, 0x5e, 0x5e, "Skylake"},
    {6, 0x6a, 0x6a, "Ice Lake (server)"},
    {6, 0x6c, 0x6c, "Ice Lake (server)"},
    {6, 0x7d, 0x7e, "Ice Lake"},
    {6, 0x8c, 0x8d, "Tiger Lake"},
    {6, 0x8e, 0x8e, "Kaby Lake or one of its successors"},
    {6, 0x8f, 0x8f, "Sapphire Rapids"},
    {6, 0x97, 0x97, "Alder Lake"},
    {6, 0x9a, 0x9a, "Alder Lake"},
    {6, 0x9e, 0x9e, "Kaby Lake or one of its successors"},
    {6, 0xa5, 0xa6, "Comet Lake"},
    {6, 0xa7, 0xa7, "Rocket Lake"},
    {6, 0xaa, 0xaa, "Meteor Lake"},
    {6, 0xad, 0xae, "Granite Rapids"},
    {6, 0xb7, 0xb7, "Raptor Lake"},
    {6, 0xba, 0xba, "Raptor Lake"},
    {6, 0xbf, 0xbf, "Raptor Lake"},
    {6, 0xcf, 0xcf, "Emerald Rapids"},
};

template <std::size_t N> std::string nameIn(const Models (&known)[N], int family, int model)
{
    for (const Models& models : known)
        if (models.family == family && model >= models.first && model <= models.last)
            return models.name;
    return {};
}

} // namespace

std::string microarchitectureOf(const std::string& vendor, int family, int model)
{
    if (vendor == "AuthenticAMD")
        return nameIn(amd, family, model);
    return vendor == "GenuineIntel" ? nameIn(intel, family, model) : std::string();
}

} // namespace tilewright
