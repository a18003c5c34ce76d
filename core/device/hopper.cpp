// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/device/hopper.h"

namespace tilewright {

CudaFacts h200Facts()
{
    CudaFacts facts;
    facts.name = "NVIDIA H200";
    facts.major = 9;
    facts.sms = 132;
    facts.l2Bytes = 60 << 20;
    facts.sharedPerBlock = 232448;
    facts.sharedPerSm = 233472;
    facts.reservedSharedPerBlock = 1024;
    facts.registersPerSm = 65536;
    facts.threadsPerSm = 2048;
    facts.blocksPerSm = 32;
    facts.clockKhz = 1980000;
    facts.memoryClockKhz = 3201000;
    facts.memoryBusBits = 6144;
    return facts;
}

} // namespace tilewright
