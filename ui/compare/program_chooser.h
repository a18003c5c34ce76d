// SPDX-License-Identifier: GPL-3.0-or-later
// How a program comes into the comparison: from a list of the open session's, from a file, or from another session,
// which is read off the GUI thread. GUI thread.
#pragma once

#include "ui/compare/comparing.h"

class QWidget;

namespace tilewright::ui {

class ProgramChooser : public QObject
{
    Q_OBJECT

public:
    /// `over`: what lists and dialogs stand above.
    ProgramChooser(const ViewContext& context, Comparing& comparing, QWidget* over);
    void popUpBy(const QWidget& button);
    void addFile(const QString& path);
    /// Reads it, then offers its programs.
    void addSession(const QString& path);

Q_SIGNALS:
    void failed(const QString& text, const QString& hint);

private:
    void askForFile();
    void askForSession();
    void offer(const std::shared_ptr<const OtherSession>& other);
    void addOther(const std::shared_ptr<const OtherSession>& other, CandidateId candidate);
    void add(ComparedChoice choice);

    ViewContext m_context;
    Comparing& m_comparing;
    QWidget* m_over;
};

} // namespace tilewright::ui
