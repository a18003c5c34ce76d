// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/file_question.h"

#include <QFileDialog>

namespace tilewright::ui {

namespace {

void ask(QWidget* asker, const FileQuestion& question, bool isToSave, std::function<void(const QString&)> then)
{
    auto* dialog = new QFileDialog(asker, question.title, {}, question.filter);
    dialog->setObjectName(QStringLiteral("fileQuestion"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(isToSave ? QFileDialog::AcceptSave : QFileDialog::AcceptOpen);
    dialog->setFileMode(isToSave ? QFileDialog::AnyFile : QFileDialog::ExistingFile);
    if (!question.proposal.isEmpty())
        dialog->selectFile(question.proposal);
    QObject::connect(dialog, &QFileDialog::fileSelected, asker, std::move(then));
    dialog->open();
}

} // namespace

void askWhatToOpen(QWidget* asker, const FileQuestion& question, std::function<void(const QString& path)> then)
{
    ask(asker, question, false, std::move(then));
}

void askWhereToSave(QWidget* asker, const FileQuestion& question, std::function<void(const QString& path)> then)
{
    ask(asker, question, true, std::move(then));
}

} // namespace tilewright::ui
