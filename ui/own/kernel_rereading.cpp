// SPDX-License-Identifier: GPL-3.0-or-later
// An editor writes the kernel's file, or the reference's, while they are described here.
#include "core/pack/pack_writer.h"
#include "ui/models/display_text.h"
#include "ui/own/kernel_work.h"
#include "ui/widgets/aside.h"

#include <QFileInfo>
#include <algorithm>
#include <utility>

namespace tilewright::ui {

void KernelWork::lookAtFile()
{
    doAside(
        this, [path = m_file] { return readKernel(path); },
        [this, path = m_file](const std::shared_ptr<const ReadFile>& read) {
            if (path == m_file)
                takeChanged(read);
        });
}

void KernelWork::takeChanged(const std::shared_ptr<const ReadFile>& read)
{
    if (read->text && *read->text == m_source) {
        if (!std::exchange(m_outdated, {}).isEmpty())
            Q_EMIT changed(); // it is as it was again
        return;
    }
    if (!isDescribed()) // nothing was said of it that could be lost
        return openFile(m_file);
    const QString name = QFileInfo(m_file).fileName();
    const auto refuse = [&](const QString& why) {
        m_outdated = why;
        Q_EMIT changed();
    };
    if (!read->text)
        return refuse(tr("%1 can no longer be read. Restore it, or choose another file.").arg(name));
    auto derived = describeKernel(m_file.toStdString(), *read->text, m_description.function, read->macros);
    if (!derived)
        return refuse(tr("%1 has changed: %2.").arg(name, text(derived.error().text)));
    auto merged = reread(m_asRead, m_description, derived->description);
    if (!merged)
        return refuse(tr("%1 has changed, and %2 has other parameters now. Reading it again discards your settings for "
                         "the old ones.")
                          .arg(name, text(m_description.function)));
    cancel(); // a check of what is not there any more
    m_outdated.clear();
    m_source = *read->text;
    m_macros = read->macros;
    m_functions = read->functions;
    const auto supposedBefore = m_suppositions;
    describe(std::move(*derived));
    if (!(*merged == m_description)) // said by the user, who has seen what was supposed
        m_suppositions = supposedBefore;
    m_description = std::move(*merged);
    look();
    say(Stage::Described, tr("%1 has changed and was read again.").arg(name));
}

void KernelWork::lookAtReference()
{
    const QString path = m_referenceWatch.path();
    doAside(
        this, [path] { return readReference(path); },
        [this, path](const std::shared_ptr<const ReadFile>& read) {
            const bool isShown = QFileInfo(text(m_description.referenceFileName)).absoluteFilePath() == path;
            if (!isShown || !read->text || *read->text == m_description.referenceSource)
                return;
            m_referenceFunctions = read->functions;
            change(
                [&](KernelDescription& description) {
                    description.referenceSource = *read->text;
                    const auto function
                        = std::ranges::find(m_referenceFunctions, description.referenceFunction, &KernelFunction::name);
                    if (function == m_referenceFunctions.end())
                        description.referenceFunction
                            = m_referenceFunctions.empty() ? "" : m_referenceFunctions.back().name;
                },
                Touches::Truth);
            say(Stage::Described, tr("%1 has changed and was read again.").arg(QFileInfo(path).fileName()));
        });
}

} // namespace tilewright::ui
