// SPDX-License-Identifier: GPL-3.0-or-later
// Processes take turns on a device, and none measures where no turn can be taken.
#include "core/node/device_lock.h"

#include <QTemporaryDir>
#include <QTest>
#include <sys/stat.h>

using namespace tilewright;

namespace {

bool never() { return false; }

} // namespace

class TestDeviceLock : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void whoeverComesSecondWaitsUntilTheFirstIsDone()
    {
        const QTemporaryDir folder;
        const DeviceLockFile mine("gpu", folder.path().toStdString()), theirs("gpu", folder.path().toStdString());
        std::optional<DeviceLock> first(std::in_place, mine, never, [] {});
        QVERIFY(first->held());
        int waits = 0;
        const DeviceLock second(theirs, never, [&] {
            if (++waits == 2)
                first.reset();
        });
        QVERIFY(second.held());
        QCOMPARE(waits, 2);
    }

    void aCancelEndsTheWait()
    {
        const QTemporaryDir folder;
        const DeviceLockFile mine("gpu", folder.path().toStdString()), theirs("gpu", folder.path().toStdString());
        const DeviceLock first(mine, never, [] {});
        int asked = 0;
        const DeviceLock second(
            theirs, [&] { return ++asked == 2; }, [] {});
        QVERIFY(!second.held());
        QCOMPARE(second.whyNot().code, std::string("cancelled"));
    }

    void otherDevicesAreFree()
    {
        const QTemporaryDir folder;
        const DeviceLockFile one("cpu1", folder.path().toStdString()), other("cpu2", folder.path().toStdString());
        const DeviceLock first(one, never, [] {}), second(other, never, [] {});
        QVERIFY(first.held() && second.held());
    }

    void everybodyMayOpenTheFileWhateverTheUmask()
    {
        const QTemporaryDir folder;
        const mode_t before = umask(0077);
        const DeviceLockFile file("gpu", folder.path().toStdString());
        umask(before);
        struct stat status {
        };
        QCOMPARE(stat((folder.path() + QStringLiteral("/tilewright-gpu.lock")).toUtf8().constData(), &status), 0);
        QCOMPARE(status.st_mode & 0777, mode_t(0666));
    }

    void withoutAFileNothingIsHeldAndThePlaceIsNamed()
    {
        const DeviceLockFile file("gpu", "/nowhere/at/all");
        const DeviceLock lock(file, never, [] {});
        QVERIFY(!lock.held());
        QCOMPARE(lock.whyNot().code, std::string("machine/folder"));
        QVERIFY(lock.whyNot().text.contains("/nowhere/at/all/tilewright-gpu.lock"));
    }
};

QTEST_GUILESS_MAIN(TestDeviceLock)
#include "test_device_lock.moc"
