// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/program_file.h"

#include "core/base/files.h"
#include "core/source/saved_program.h"
#include "ui/models/format.h"

#include <QDate>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

ProgramFile::ProgramFile(Session& session, QWidget* window)
    : QObject(window)
    , m_session(session)
    , m_window(window)
{
    connect(&session, &Session::textReady, this, [this](quint64 tag, const QString& source) {
        if (m_wanted && m_wanted->tag == tag)
            write(source);
    });
}

void ProgramFile::askWhere(CandidateId candidate)
{
    const Snapshot& snapshot = m_session.snapshot();
    if (!snapshot.run.candidate(candidate))
        return;
    const bool isForGpu = snapshot.pack && snapshot.pack->task.target == Target::Cuda;
    const QString ending = isForGpu ? u"cu"_s : u"cpp"_s;
    const QDir folder = QFileInfo(text(snapshot.status.sessionPath)).dir();
    auto* dialog = new QFileDialog(m_window, tr("Save the program of %1").arg(nameOfCandidate(candidate)),
        folder.filePath(u"%1.%2"_s.arg(nameOfCandidate(candidate), ending)),
        isForGpu ? tr("CUDA C++ (*.cu);;All files (*)") : tr("C++ (*.cpp);;All files (*)"));
    dialog->setObjectName(u"programDialog"_s);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setDefaultSuffix(ending);
    connect(
        dialog, &QFileDialog::fileSelected, this, [this, candidate](const QString& path) { save(candidate, path); });
    dialog->open();
}

void ProgramFile::save(CandidateId candidate, const QString& path)
{
    const Candidate* chosen = m_session.run().candidate(candidate);
    if (chosen)
        m_wanted = {m_session.requestText(chosen->source), candidate, path};
}

void ProgramFile::write(const QString& source)
{
    const auto [tag, candidate, path] = *m_wanted;
    m_wanted.reset();
    const Snapshot& snapshot = m_session.snapshot();
    const Candidate* known = snapshot.run.candidate(candidate);
    const std::string text = known && snapshot.pack
        ? savedProgram(snapshot.run, *known, snapshot.pack->task, source.toStdString(),
            {QFileInfo(ui::text(snapshot.status.sessionPath)).fileName().toStdString(),
                QDate::currentDate().toString(Qt::ISODate).toStdString()})
        : source.toStdString();
    if (const auto written = saveFile(path.toStdString(), text); !written) {
        Q_EMIT failed(
            tr("The program of %1 is not saved: %2.").arg(nameOfCandidate(candidate), ui::text(written.error().text)),
            ui::text(written.error().hint));
        return;
    }
    Q_EMIT saved(tr("The program of %1 was written to %2.").arg(nameOfCandidate(candidate), path));
}

} // namespace tilewright::ui
