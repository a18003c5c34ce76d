// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/guarded_application.h"

#include "core/base/last_resort.h"

#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QMessageBox>
#include <QTextStream>
#include <cstring>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

namespace tilewright::gui {

bool guarded(const std::function<bool()>& deliver, const std::function<void(const QString&)>& report)
{
    try {
        return deliver();
    } catch (...) {
        report(QString::fromStdString(whatFailed(std::current_exception())));
        return false;
    }
}

bool GuardedApplication::notify(QObject* receiver, QEvent* event)
{
    return guarded(
        [&] { return QApplication::notify(receiver, event); }, [this](const QString& what) { Q_EMIT failed(what); });
}

void showFailures(GuardedApplication& application)
{
    auto* shown = new QObject(&application); // its thread is the window's
    QObject::connect(
        &application, &GuardedApplication::failed, shown,
        [seen = QStringList()](const QString& what) mutable {
            if (seen.contains(what))
                return;
            seen << what;
            const QString text = GuardedApplication::tr("Internal error: %1").arg(what);
            QTextStream(stderr) << "tilewright: " << text << Qt::endl;
            auto* box = new QMessageBox(QMessageBox::Critical, GuardedApplication::tr("Internal error"), text,
                QMessageBox::Close, QApplication::activeWindow());
            box->setObjectName(QStringLiteral("internalError"));
            box->setInformativeText(GuardedApplication::tr("Recorded data in the session file is safe. Close the "
                                                           "session, open it again, and report this message."));
            box->setAttribute(Qt::WA_DeleteOnClose);
            box->open();
        },
        Qt::QueuedConnection);
}

namespace {

using namespace Qt::StringLiterals;

bool listens(const QByteArray& path, bool abstract)
{
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    const std::size_t start = abstract ? 1 : 0;
    const auto size = static_cast<std::size_t>(path.size());
    if (size + start >= sizeof address.sun_path)
        return false;
    std::memcpy(address.sun_path + start, path.constData(), size);
    const int file = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (file < 0)
        return false;
    const auto length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + start + size + (abstract ? 0 : 1));
    const bool connected = ::connect(file, reinterpret_cast<const sockaddr*>(&address), length) == 0;
    ::close(file);
    return connected;
}

} // namespace

QString displayProblem()
{
    if (!qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM") && qEnvironmentVariable("QT_QPA_PLATFORM") != u"xcb"_s)
        return {};
    const QString advice = u"start it in a desktop session, or use tilewright --screenshot DIR or tilewright-cli"_s;
    const QString display = qEnvironmentVariable("DISPLAY");
    if (display.isEmpty())
        return qEnvironmentVariableIsEmpty("WAYLAND_DISPLAY")
            ? u"there is no display (DISPLAY and WAYLAND_DISPLAY are not set): "_s + advice
            : QString();
    if (!display.startsWith(u':'))
        return {}; // another host: Qt finds out
    const QByteArray path = "/tmp/.X11-unix/X" + display.mid(1).section(u'.', 0, 0).toLatin1();
    if (listens(path, true) || listens(path, false))
        return {};
    return u"the display %1 does not respond: "_s.arg(display) + advice;
}

std::unique_ptr<QTemporaryFile> useUnseenScreen(const QSize& size)
{
    const QJsonObject screen{{u"name"_s, u"unseen"_s}, {u"x"_s, 0}, {u"y"_s, 0}, {u"width"_s, size.width()},
        {u"height"_s, size.height()}, {u"logicalDpi"_s, 96}, {u"logicalBaseDpi"_s, 96}, {u"dpr"_s, 1.0}};
    const QJsonObject all{{u"synchronousWindowSystemEvents"_s, false}, {u"windowFrameMargins"_s, true},
        {u"screens"_s, QJsonArray{screen}}};
    auto file = std::make_unique<QTemporaryFile>();
    const QByteArray text = QJsonDocument(all).toJson();
    const bool isWritten = file->open() && file->write(text) == text.size() && file->flush();
    qputenv("QT_QPA_PLATFORM", isWritten ? "offscreen:configfile=" + file->fileName().toLocal8Bit() : "offscreen");
    return file;
}

} // namespace tilewright::gui
