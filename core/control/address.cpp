// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/control/address.h"

#include "core/base/folders.h"
#include "core/base/hash.h"
#include "core/base/json_text.h"

#include <QElapsedTimer>
#include <QLocalSocket>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

namespace tilewright {
namespace {

namespace fs = std::filesystem;

/// Characters of the session's name: the path of a socket has room for about a hundred bytes.
constexpr std::size_t nameLength = 24;

std::string folderOfUser()
{
    const char* runtime = std::getenv("XDG_RUNTIME_DIR");
    if (runtime && *runtime == '/' && isPrivateFolder(runtime))
        return std::string(runtime) + "/tilewright";
    return "/tmp/tilewright-" + std::to_string(geteuid());
}

constexpr const char* ending = ".control";

/// Nobody listens there, though a program once did.
bool isDead(const fs::path& path)
{
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    if (path.native().size() >= sizeof address.sun_path)
        return false;
    std::memcpy(address.sun_path, path.c_str(), path.native().size());
    const int socket = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (socket < 0)
        return false;
    const bool refused
        = connect(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 && errno == ECONNREFUSED;
    close(socket);
    return refused;
}

} // namespace

void removeDeadSockets(const std::string& address)
{
    std::error_code problem;
    for (const fs::directory_entry& entry : fs::directory_iterator(fs::path(address).parent_path(), problem))
        if (entry.path().extension() == ending && entry.path() != address && entry.is_socket(problem)
            && isDead(entry.path()))
            fs::remove(entry.path(), problem);
}

Result<std::string> controlAddress(const std::string& sessionPath)
{
    const std::string folder = folderOfUser();
    if (mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST)
        return fail("control/folder", "the folder " + folder + " cannot be created: " + std::strerror(errno),
            "set XDG_RUNTIME_DIR to a folder of your own");
    if (!isPrivateFolder(folder))
        return fail("control/folder", "the folder " + folder + " is not private to you",
            "remove it, or set XDG_RUNTIME_DIR to a folder of your own");
    std::error_code problem;
    const fs::path real = fs::weakly_canonical(sessionPath, problem);
    const std::string path = problem ? sessionPath : real.string();
    return folder + "/" + sha256(path).hex().substr(0, nameLength) + ending;
}

Result<nlohmann::json> tellSession(
    const std::string& sessionPath, const nlohmann::json& request, std::chrono::milliseconds limit)
{
    const auto address = controlAddress(sessionPath);
    if (!address)
        return std::unexpected(address.error());
    QElapsedTimer age;
    age.start();
    const auto left = [&] { return static_cast<int>(std::max<qint64>(limit.count() - age.elapsed(), 0)); };
    QLocalSocket socket;
    socket.connectToServer(QString::fromStdString(*address));
    if (!socket.waitForConnected(left()))
        return fail("control/nobody", "no program runs the session " + sessionPath,
            "start it with 'tilewright-cli resume', or open it in the window");
    socket.write(QByteArray::fromStdString(dumped(request) + "\n"));
    while (!socket.canReadLine())
        if (!socket.waitForReadyRead(left()))
            return fail("control/silent", "the program that runs " + sessionPath + " does not reply",
                socket.state() == QLocalSocket::ConnectedState ? "it may be busy; try again" : "it ended meanwhile");
    auto answer = parsedJson(socket.readLine().toStdString());
    if (!answer.is_object())
        return fail("control/silent", "the program that runs " + sessionPath + " sent an unexpected reply",
            "check that it has the same version");
    return answer;
}

} // namespace tilewright
