// SPDX-License-Identifier: Apache-2.0
#include "core/node/device_lock.h"

#include "core/node/machine_trouble.h"

#include <cerrno>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

namespace tilewright {
namespace {

constexpr std::chrono::milliseconds betweenTries{200};

} // namespace

DeviceLockFile::DeviceLockFile(const std::string& name, const std::filesystem::path& folder)
{
    const std::filesystem::path path = folder / ("tilewright-" + name + ".lock");
    // Without O_CREAT first: in a sticky folder the system may refuse it for a file that somebody else has made.
    m_descriptor = open(path.c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW);
    if (m_descriptor < 0 && errno == ENOENT) {
        m_descriptor = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
        if (m_descriptor >= 0)
            fchmod(m_descriptor, 0666); // whatever the umask says; fails where another was faster, who did the same
    }
    if (m_descriptor < 0)
        m_trouble = cannotWrite("the lock that serialises processes on this device", path, errno);
}

DeviceLockFile::~DeviceLockFile()
{
    if (m_descriptor >= 0)
        close(m_descriptor);
}

DeviceLock::DeviceLock(
    const DeviceLockFile& file, const std::function<bool()>& cancelled, const std::function<void()>& waiting)
    : m_file(file)
{
    if (file.trouble())
        return;
    while (!(m_held = flock(file.descriptor(), LOCK_EX | LOCK_NB) == 0)) {
        if (cancelled())
            return;
        waiting();
        std::this_thread::sleep_for(betweenTries);
    }
}

DeviceLock::~DeviceLock()
{
    if (m_held)
        flock(m_file.descriptor(), LOCK_UN);
}

Error DeviceLock::whyNot() const
{
    return m_file.trouble().value_or(
        Error{"cancelled", "cancelled while another process held the device", "", nullptr});
}

} // namespace tilewright
