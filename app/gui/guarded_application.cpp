// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/guarded_application.h"

#include "core/base/last_resort.h"

#include <QMessageBox>
#include <QTextStream>

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
            box->setInformativeText(GuardedApplication::tr("What is recorded in the session file stays. Close the "
                                                           "session and open it again, and report this message."));
            box->setAttribute(Qt::WA_DeleteOnClose);
            box->open();
        },
        Qt::QueuedConnection);
}

} // namespace tilewright::gui
