// SPDX-License-Identifier: GPL-3.0-or-later
// NVML of one GPU, "GPU-fake", whose Xids, loss and reasons of its clocks a test decides on.
#include <atomic>
#include <cstdio>
#include <cstring>
#include <deque>

namespace {

constexpr int fine = 0, notFound = 6, timeout = 10, lost = 15;
int gpu = 0, events = 0;
bool isLost = false;
std::atomic<unsigned long long> clockReasons{0}; // read aside
std::deque<unsigned> xids;
unsigned long long energy = 0;

struct Event {
    void* device;
    unsigned long long type, data;
    unsigned gpuInstance, computeInstance;
};

} // namespace

extern "C" {

void fakeXid(unsigned xid) { xids.push_back(xid); }
void fakeReasons(unsigned long long now) { clockReasons = now; }
void fakeEnergy(unsigned long long millijoules) { energy = millijoules; }
void fakeLoss(int now) { isLost = now != 0; }

int nvmlInit_v2() { return fine; }
int nvmlDeviceGetMinorNumber(void*, unsigned* number)
{
    *number = 1;
    return fine;
}
int nvmlSystemGetDriverVersion(char* text, unsigned size)
{
    std::snprintf(text, size, "580.0");
    return fine;
}
int nvmlDeviceGetHandleByUUID(const char* uuid, void** device)
{
    *device = &gpu;
    return std::strcmp(uuid, "GPU-fake") == 0 ? fine : notFound;
}
int nvmlDeviceGetTemperature(void*, int, unsigned* celsius)
{
    *celsius = 40;
    return isLost ? lost : fine;
}
int nvmlDeviceGetPowerUsage(void*, unsigned*) { return notFound; }
int nvmlDeviceGetTotalEnergyConsumption(void*, unsigned long long* millijoules)
{
    *millijoules = energy;
    return fine;
}
int nvmlDeviceGetClockInfo(void*, int, unsigned*) { return notFound; }
int nvmlDeviceGetCurrentClocksThrottleReasons(void*, unsigned long long* reasons)
{
    *reasons = clockReasons;
    return fine;
}
int nvmlEventSetCreate(void** set)
{
    *set = &events;
    return fine;
}
int nvmlDeviceRegisterEvents(void*, unsigned long long types, void*) { return types == 8 ? fine : notFound; }
int nvmlEventSetFree(void*) { return fine; }
int nvmlEventSetWait_v2(void*, Event* event, unsigned)
{
    if (xids.empty())
        return timeout;
    *event = {&gpu, 8, xids.front(), 0, 0};
    xids.pop_front();
    return fine;
}
}
