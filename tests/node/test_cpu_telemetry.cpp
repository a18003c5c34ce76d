// SPDX-License-Identifier: GPL-3.0-or-later
// What is read of a core's frequency, heat and throttling from sysfs, and what is not known.
#include "core/node/core_clock.h"
#include "tests/test_program.h"

#include <QTemporaryDir>
#include <QTest>
#include <fstream>

using namespace tilewright;

namespace {

struct System {
    QTemporaryDir folder;
    std::filesystem::path root = folder.path().toStdString();

    void write(const std::string& file, const std::string& text) const
    {
        std::filesystem::create_directories((root / file).parent_path());
        std::ofstream(root / file) << text;
    }
};

} // namespace

class TestCpuTelemetry : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void whatIsThereIsRead()
    {
        const System system;
        system.write("devices/system/cpu/cpu3/cpufreq/scaling_cur_freq", "3612345\n");
        system.write("devices/system/cpu/cpu3/thermal_throttle/core_throttle_count", "7\n");
        system.write("class/hwmon/hwmon0/name", "nvme\n");
        system.write("class/hwmon/hwmon0/temp1_input", "31000\n");
        system.write("class/hwmon/hwmon1/name", "k10temp\n");
        system.write("class/hwmon/hwmon1/temp1_input", "61250\n");
        const CpuTelemetry reading = readCpuTelemetry(3, system.root);
        QCOMPARE(reading.mhz.value_or(0), 3612.345);
        QCOMPARE(reading.temperature.value_or(0), 61.25);
        QCOMPARE(reading.throttled, std::optional<std::int64_t>(7));
        QVERIFY(!readCpuTelemetry(4, system.root).mhz);
    }

    void aThermalZoneServesWhereThereIsNoSensor()
    {
        const System system;
        system.write("class/thermal/thermal_zone0/type", "acpitz\n");
        system.write("class/thermal/thermal_zone0/temp", "20000\n");
        system.write("class/thermal/thermal_zone1/type", "x86_pkg_temp\n");
        system.write("class/thermal/thermal_zone1/temp", "48000\n");
        QCOMPARE(readCpuTelemetry(0, system.root).temperature.value_or(0), 48.0);
    }

    void whatIsNotThereIsNotKnown()
    {
        const System system;
        const CpuTelemetry reading = readCpuTelemetry(0, system.root);
        QVERIFY(!reading.mhz && !reading.temperature && !reading.throttled);
    }
};

TILEWRIGHT_TEST(TestCpuTelemetry)
#include "test_cpu_telemetry.moc"
