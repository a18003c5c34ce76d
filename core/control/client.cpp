// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/control/client.h"

#include "core/base/json_text.h"
#include "core/control/address.h"

#include <QElapsedTimer>
#include <QLocalSocket>

namespace tilewright {

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
            "start it by 'tilewright-cli resume' or open it in the window");
    socket.write(QByteArray::fromStdString(dumped(request) + "\n"));
    while (!socket.canReadLine())
        if (!socket.waitForReadyRead(left()))
            return fail("control/silent", "the program that runs " + sessionPath + " does not answer",
                socket.state() == QLocalSocket::ConnectedState ? "it may be busy; try again"
                                                               : "it has ended meanwhile");
    auto answer = parsedJson(socket.readLine().toStdString());
    if (!answer.is_object())
        return fail("control/silent", "the program that runs " + sessionPath + " answered something else",
            "is it of the same version?");
    return answer;
}

} // namespace tilewright
