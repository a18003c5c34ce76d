// SPDX-License-Identifier: Apache-2.0
#include "core/node/nvml.h"

#include "core/model/measurement/conditions.h"

#include <dlfcn.h>
#include <type_traits>
#include <utility>

namespace tilewright {
namespace {

constexpr int sensorGpu = 0, clockSm = 1;
constexpr unsigned long long eventXid = 8;
constexpr int isLost = 15; // NVML_ERROR_GPU_IS_LOST
constexpr int mostReports = 64; ///< taken at once
constexpr std::pair<std::uint64_t, const char*> slowdowns[] = {{0x08, "hardware slowdown"},
    {0x20, "software thermal slowdown"}, {0x40, "hardware thermal slowdown"}, {0x80, "power brake"}};

} // namespace

std::unique_ptr<Nvml> Nvml::open(const std::string& uuid, const char* libraryName)
{
    void* library = dlopen(libraryName, RTLD_NOW | RTLD_LOCAL);
    if (!library)
        return nullptr;
    std::unique_ptr<Nvml> nvml(new Nvml);
    bool complete = true;
    const auto bind = [&](const char* name, auto& function) {
        function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(library, name));
        complete &= function != nullptr;
    };
    int (*init)() = nullptr;
    int (*version)(char*, unsigned) = nullptr;
    int (*byUuid)(const char*, Device*) = nullptr;
    bind("nvmlInit_v2", init);
    bind("nvmlSystemGetDriverVersion", version);
    bind("nvmlDeviceGetHandleByUUID", byUuid);
    bind("nvmlDeviceGetTemperature", nvml->m_temperature);
    bind("nvmlDeviceGetPowerUsage", nvml->m_power);
    bind("nvmlDeviceGetClockInfo", nvml->m_clock);
    bind("nvmlDeviceGetCurrentClocksThrottleReasons", nvml->m_reasons);
    if (!complete || init() != 0 || byUuid(uuid.c_str(), &nvml->m_device) != 0)
        return nullptr;
    if (char text[96] = ""; version(text, sizeof text) == 0)
        nvml->m_driverVersion = text;
    const auto minorOf = reinterpret_cast<int (*)(Device, unsigned*)>(dlsym(library, "nvmlDeviceGetMinorNumber"));
    if (unsigned number = 0; minorOf && minorOf(nvml->m_device, &number) == 0)
        nvml->m_minor = number;
    nvml->m_energy
        = reinterpret_cast<int (*)(Device, unsigned long long*)>(dlsym(library, "nvmlDeviceGetTotalEnergyConsumption"));
    nvml->listen(library);
    return nvml;
}

Nvml::~Nvml()
{
    if (m_next.valid())
        m_next.wait();
    if (m_events)
        m_freeSet(m_events);
}

/// Xids are told to whoever listens, root or not; where they are not, only CUDA's codes tell of a fault.
void Nvml::listen(void* library)
{
    const auto create = reinterpret_cast<int (*)(EventSet*)>(dlsym(library, "nvmlEventSetCreate"));
    const auto listenTo
        = reinterpret_cast<int (*)(Device, unsigned long long, EventSet)>(dlsym(library, "nvmlDeviceRegisterEvents"));
    m_freeSet = reinterpret_cast<int (*)(EventSet)>(dlsym(library, "nvmlEventSetFree"));
    for (const char* version : {"nvmlEventSetWait_v2", "nvmlEventSetWait"})
        if (!m_wait)
            m_wait = reinterpret_cast<int (*)(EventSet, Event*, unsigned)>(dlsym(library, version));
    EventSet events = nullptr;
    if (!create || !listenTo || !m_freeSet || !m_wait || create(&events) != 0)
        return;
    if (listenTo(m_device, eventXid, events) == 0)
        m_events = events;
    else
        m_freeSet(events);
}

GpuReports Nvml::reports()
{
    GpuReports reports;
    Event event;
    int code = 0;
    for (int i = 0; m_events && i < mostReports && (code = m_wait(m_events, &event, 0)) == 0; ++i)
        if (event.type == eventXid && event.device == m_device)
            reports.xids.push_back(static_cast<unsigned>(event.data));
    unsigned value = 0;
    reports.isLost = code == isLost || m_temperature(m_device, sensorGpu, &value) == isLost;
    return reports;
}

GpuTelemetry Nvml::read() const
{
    GpuTelemetry reading;
    unsigned value = 0;
    unsigned long long bits = 0;
    if (m_temperature(m_device, sensorGpu, &value) == 0)
        reading.temperature = value;
    if (m_power(m_device, &value) == 0)
        reading.watts = value / 1000.0;
    if (m_clock(m_device, clockSm, &value) == 0)
        reading.smMhz = value;
    if (m_reasons(m_device, &bits) == 0)
        reading.reasons = bits;
    return reading;
}

std::optional<double> Nvml::consumedJoules() const
{
    unsigned long long millijoules = 0;
    if (!m_energy || m_energy(m_device, &millijoules) != 0)
        return std::nullopt;
    return static_cast<double>(millijoules) / 1000;
}

const GpuTelemetry& Nvml::recent()
{
    const auto now = std::chrono::steady_clock::now();
    const auto age = now - m_recentAt;
    const bool afterAPause = age > std::chrono::seconds(1);
    if (m_next.valid() && (afterAPause || m_next.wait_for(std::chrono::seconds(0)) == std::future_status::ready))
        m_recent = m_next.get();
    if (afterAPause)
        m_recent = read();
    else if (!m_next.valid() && age > std::chrono::milliseconds(100))
        m_next = std::async(std::launch::async, [this] { return read(); });
    else
        return m_recent;
    m_recentAt = now;
    return m_recent;
}

std::string Nvml::slowdown(std::uint64_t reasons)
{
    for (const auto& [bit, name] : slowdowns)
        if (reasons & bit)
            return name;
    return {};
}

std::string Nvml::throttling(std::uint64_t reasons)
{
    Conditions now;
    now.throttling = throttlingOf(reasons);
    return now.throttlingWords();
}

} // namespace tilewright
