// SPDX-License-Identifier: GPL-3.0-or-later
// Names of x86 micro-architectures by what CPUID tells: family and model, as the vendors' optimisation manuals and the
// Linux kernel (arch/x86/include/asm/intel-family.h, arch/x86/kernel/cpu/amd.c) list them. Pure.
#pragma once

#include <string>

namespace tilewright {

/// "Zen 4", "Sapphire Rapids"; "" for one that is not known here. vendor: as /proc/cpuinfo writes it.
std::string microarchitectureOf(const std::string& vendor, int family, int model);

} // namespace tilewright
