// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/settings/models_book.h"

#include "core/base/files.h"
#include "ui/models/display_text.h"
#include "ui/theme/words.h"

#include <QDir>
#include <QFileInfo>
#include <QSaveFile>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

namespace {
constexpr int mostSteps = 200;

QString takenOver() { return tr("changes of another program"); }
} // namespace

ModelsBook::ModelsBook(const QString& path, QObject* parent)
    : QObject(parent)
    , m_path(path)
{
    if (auto catalogue = loadCatalogue())
        m_catalogue = std::move(*catalogue);
    read();
    m_watch.follow(path);
    connect(&m_watch, &FileWatch::touched, this, &ModelsBook::look);
}

std::optional<std::string> ModelsBook::onDisk() const
{
    auto text = readTextFile(m_path.toStdString(), largestModelsFile);
    return text ? std::optional(std::move(*text)) : std::nullopt;
}

void ModelsBook::read()
{
    m_draft = {};
    m_trouble.clear();
    m_clash.clear();
    m_known.reset();
    m_readable = true;
    if (QFileInfo::exists(m_path)) {
        const auto file = readTextFile(m_path.toStdString(), largestModelsFile);
        if (file)
            m_known = *file;
        auto draft = file ? ModelsDraft::from(*file) : std::unexpected(file.error());
        if (draft) {
            m_draft = std::move(*draft);
        } else {
            m_readable = false;
            m_trouble = tr("%1 cannot be read and is not changed: %2").arg(m_path, text(draft.error().line()));
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

void ModelsBook::look()
{
    auto theirs = onDisk();
    if (theirs == m_known) { // our own, or as it was again
        if (m_clash.isEmpty())
            return;
        m_clash.clear();
        save();
        Q_EMIT changed();
        return;
    }
    if (!m_readable)
        return readAgain(); // nothing here that could be lost
    const auto draft = theirs ? ModelsDraft::from(*theirs) : fail("file/missing", "");
    if (!draft || hasUnsaved())
        return meet(std::move(theirs));
    takeOver(*draft, std::move(theirs));
    Q_EMIT changedOutside(tr("Another program changed %1. It was read again.").arg(m_path), {});
}

bool ModelsBook::hasUnsaved() const
{
    const auto known = m_known ? ModelsDraft::from(*m_known) : Result<ModelsDraft>(ModelsDraft{});
    return !known || *known != m_draft;
}

/// What another program wrote, in place of what is here.
void ModelsBook::takeOver(const ModelsDraft& draft, std::optional<std::string> theirs)
{
    m_clash.clear();
    m_trouble.clear();
    m_known = std::move(theirs);
    add(draft, takenOver());
    m_draft = draft;
    Q_EMIT changed();
}

/// Two versions, of which the user chooses one.
void ModelsBook::meet(std::optional<std::string> theirs)
{
    const auto draft = theirs ? ModelsDraft::from(*theirs) : fail("file/missing", "");
    const QString before = m_clash;
    m_clash = !theirs ? QFileInfo::exists(m_path) ? tr("Another program changed %1, and it cannot be read.").arg(m_path)
                                                  : tr("Another program removed %1.").arg(m_path)
        : draft ? tr("Another program changed %1 while you have unsaved changes.").arg(m_path)
                : tr("Another program changed %1, and it cannot be read: %2").arg(m_path, text(draft.error().text));
    m_trouble = tr("Not saved: another program changed the file.");
    Q_EMIT changed();
    if (m_clash != before)
        Q_EMIT changedOutside(m_clash,
            draft ? tr("Choose one under Settings, Models.")
                  : tr("Your models are kept, and a running session continues with those it has. Correct the file, or "
                       "keep yours."));
}

bool ModelsBook::canTakeTheirs() const
{
    const auto theirs = onDisk();
    return theirs ? ModelsDraft::from(*theirs).has_value() : !QFileInfo::exists(m_path);
}

void ModelsBook::takeTheirs()
{
    auto theirs = onDisk();
    auto draft = theirs ? ModelsDraft::from(*theirs) : Result<ModelsDraft>(ModelsDraft{});
    if (!draft || (!theirs && QFileInfo::exists(m_path)))
        return meet(std::move(theirs));
    takeOver(*draft, std::move(theirs));
}

void ModelsBook::keepMine()
{
    auto theirs = onDisk();
    const auto draft = theirs ? ModelsDraft::from(*theirs) : fail("file/missing", "");
    if (!draft && QFileInfo::exists(m_path)) {
        QFile file(m_path);
        if (!file.rename(asidePath())) {
            m_trouble = tr("%1 cannot be moved aside: %2").arg(m_path, file.errorString());
            Q_EMIT changed();
            return;
        }
        theirs.reset();
    }
    const ModelsDraft mine = m_draft;
    if (draft)
        add(*draft, takenOver());
    add(mine, tr("keep your changes"));
    m_known = std::move(theirs);
    m_clash.clear();
    go(m_steps.size() - 1);
}

bool ModelsBook::isTakenOver() const { return canUndo() && m_steps[m_at].what == takenOver(); }

/// A further step; those that were taken back are gone.
void ModelsBook::add(const ModelsDraft& draft, const QString& what)
{
    m_steps.resize(m_at + 1);
    m_steps.push_back({draft, what});
    if (m_steps.size() > mostSteps)
        m_steps.erase(m_steps.begin());
    m_at = m_steps.size() - 1;
}

void ModelsBook::change(const ModelsDraft& draft, const QString& what)
{
    if (draft == m_draft || !m_readable)
        return;
    m_steps.resize(m_at + 1);
    if (m_at > 0 && !what.isEmpty() && m_steps.back().what == what)
        m_steps.back().draft = draft;
    else
        add(draft, what);
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
    if (auto theirs = onDisk(); theirs != m_known || (!theirs && QFileInfo::exists(m_path)))
        return meet(std::move(theirs));
    if (!m_draft.isSound(m_catalogue)) {
        m_trouble = tr("Not saved yet: correct the fields marked red.");
        return;
    }
    QDir().mkpath(QFileInfo(m_path).path());
    QSaveFile file(m_path);
    const QByteArray bytes = QByteArray::fromStdString(m_draft.text());
    const bool written = file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size() && file.commit();
    if (written) {
        m_known = bytes.toStdString();
        m_watch.follow(m_path); // its folder may be new
    }
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
