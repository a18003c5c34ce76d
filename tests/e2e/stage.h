// SPDX-License-Identifier: GPL-3.0-or-later
// A window on a real engine, with settings and data folder of its own, and the command line to hold it against.
#pragma once

#include "ui/session/threaded_engine_client.h"
#include "ui/shell/main_window.h"

#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>
#include <string>

namespace tilewright::test {

class Stage
{
public:
    Stage();
    ~Stage();

    QString file(const QString& name) const { return m_folder.filePath(name); }
    template <typename T> T* find(const QString& name) const { return window->findChild<T*>(name); }
    /// What is said beside the menus.
    QString message() const;
    /// The first of the messages with these words that were said, also where another has taken its place; empty: none.
    QString saidWith(const QString& words) const;
    /// A model at this address, set up on the Settings screen and chosen to propose.
    void setUpModel(const std::string& url);
    /// A new session as a user makes it: the page filled in, Start or Create paused pressed. False if it cannot be.
    bool create(const QString& file, int evaluations, const QString& button);

private:
    QTemporaryDir m_folder;

public:
    ui::Settings settings{file(QStringLiteral("settings.ini"))};
    std::unique_ptr<ui::ThreadedEngineClient> client;
    std::unique_ptr<ui::MainWindow> window;
};

/// What a model says for an edit of the first constant of a program; each number another program.
std::string replyWith(int rows, int rowsBefore = 1);
/// `tilewright-cli show FILE --json --all`; empty if it failed.
QJsonObject shown(const QString& file);
/// The same of the session that the window shows, at the moment that it shows: the node's greeting is an event as well.
QJsonObject recordOf(Stage& stage);
/// A tilewright-cli process with the node for tests.
void startCli(QProcess& process, const QStringList& arguments);

/// For main(): the user's own sessions and packs are not looked at. Keep it as long as the program.
std::unique_ptr<QTemporaryDir> privateDataFolder();

} // namespace tilewright::test
