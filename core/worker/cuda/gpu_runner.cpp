// SPDX-License-Identifier: Apache-2.0
#include "core/worker/cuda/gpu_runner.h"

#include <cstdio>

namespace tilewright {

std::string gpuUuid(const cu::Driver& driver, cu::Device device)
{
    cu::Uuid uuid{};
    driver.deviceGetUuid(&uuid, device);
    std::string text = "GPU-";
    for (int i = 0; i < 16; ++i) {
        char digits[4];
        std::snprintf(digits, sizeof digits, "%02x", uuid.bytes[i]);
        text += (i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "") + std::string(digits);
    }
    return text;
}

Result<cu::Device> gpuNamed(const cu::Driver& driver, const std::string& uuid)
{
    int count = 0;
    driver.deviceGetCount(&count);
    for (int i = 0; i < count; ++i)
        if (cu::Device device = 0; driver.deviceGet(&device, i) == 0 && gpuUuid(driver, device) == uuid)
            return device;
    return fail("device/lost", "the GPU " + uuid + " is no longer available");
}

Result<void> enterGpu(const cu::Driver& driver, cu::Device device)
{
    cu::Context context = nullptr;
    driver.primaryCtxSetFlags(device, cu::schedSpin);
    cu::Code code = driver.primaryCtxRetain(&context, device);
    if (code == 0)
        code = driver.ctxSetCurrent(context);
    if (code != 0)
        return std::unexpected(driver.error(code, "the GPU cannot be used"));
    return {};
}

} // namespace tilewright
