// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/settings/models_book.h"

#include "core/base/files.h"
#include "ui/models/format.h"

#include <QDir>
#include <QFileInfo>
#include <QSaveFile>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

namespace {
constexpr std::size_t mostSteps = 200;
}

ModelsBook::ModelsBook(const QString& path, QObject* parent)
    : QObject(parent)
    , m_path(path)
{
    if (auto catalogue = loadCatalogue())
        m_catalogue = std::move(*catalogue);
    read();
}

void ModelsBook::read()
{
    m_draft = {};
    m_trouble.clear();
    m_readable = true;
    if (QFileInfo::exists(m_path)) {
        const auto bytes = readFile(m_path.toStdString());
        auto draft = bytes ? ModelsDraft::from(*bytes) : std::unexpected(bytes.error());
        if (draft) {
            m_draft = std::move(*draft);
        } else {
            m_readable = false;
            m_trouble = tr("%1 cannot be read and stays as it is: %2").arg(m_path, text(draft.error().line()));
        }
    }
    m_steps = {{m_draft, {}}};
    m_at = 0;
}

void ModelsBook::readAgain()
{
    read();
    Q_EMIT changed();
}

QString ModelsBook::asidePath() const
{
    QString aside = m_path + u".broken"_s;
    for (int number = 2; QFileInfo::exists(aside); ++number)
        aside = u"%1.broken-%2"_s.arg(m_path).arg(number);
    return aside;
}

void ModelsBook::moveAside()
{
    if (m_readable)
        return;
    QFile file(m_path);
    if (file.rename(asidePath()))
        return readAgain();
    m_trouble = tr("%1 cannot be moved aside: %2").arg(m_path, file.errorString());
    Q_EMIT changed();
}

void ModelsBook::change(const ModelsDraft& draft, const QString& what)
{
    if (draft == m_draft || !m_readable)
        return;
    m_steps.resize(m_at + 1);
    if (m_at > 0 && !what.isEmpty() && m_steps.back().what == what) {
        m_steps.back().draft = draft;
    } else {
        m_steps.push_back({draft, what});
        if (m_steps.size() > mostSteps)
            m_steps.erase(m_steps.begin());
    }
    go(m_steps.size() - 1);
}

void ModelsBook::undo()
{
    if (canUndo())
        go(m_at - 1);
}

void ModelsBook::redo()
{
    if (canRedo())
        go(m_at + 1);
}

void ModelsBook::go(std::size_t step)
{
    m_at = step;
    m_draft = m_steps[step].draft;
    save();
    Q_EMIT changed();
}

void ModelsBook::save()
{
    if (!m_draft.isSound(m_catalogue)) {
        m_trouble = tr("Not saved yet: see the red lines.");
        return;
    }
    QDir().mkpath(QFileInfo(m_path).path());
    QSaveFile file(m_path);
    const QByteArray bytes = QByteArray::fromStdString(m_draft.text());
    const bool written = file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size() && file.commit();
    m_trouble = written ? QString() : tr("%1 cannot be written: %2").arg(m_path, file.errorString());
}

std::vector<ModelSpec> ModelsBook::usable() const
{
    std::vector<ModelSpec> found;
    for (std::size_t i = 0; i < m_draft.count(DraftPart::Model); ++i)
        if (const auto spec = m_draft.model(i, m_catalogue);
            spec && spec->weight > 0 && m_draft.problemOf({DraftPart::Model, i}, m_catalogue).reason.empty())
            found.push_back(*spec);
    return found;
}

} // namespace tilewright::ui
