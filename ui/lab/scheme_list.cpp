// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lab/scheme_list.h"

#include "core/base/files.h"
#include "core/base/folders.h"
#include "core/base/format.h"
#include "core/base/hash.h"
#include "core/tensor/scheme_file.h"
#include "ui/models/display_text.h"

#include <QDateTime>
#include <QFileInfo>
#include <algorithm>
#include <cmath>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

namespace {

std::filesystem::path schemesFolder() { return dataFolder() / "schemes"; }

} // namespace

SchemeList::SchemeList(QObject* parent)
    : QObject(parent)
{
    read();
}

void SchemeList::read()
{
    m_schemes = tensor::builtInSchemes();
    tensor::SchemeLibrary library = tensor::schemesIn(schemesFolder());
    std::ranges::move(library.schemes, std::back_inserter(m_schemes));
    m_damaged = std::move(library.damaged);
}

QString SchemeList::problem() const
{
    if (m_damaged.empty())
        return {};
    const QString first = text(m_damaged.front().line());
    return m_damaged.size() == 1 ? first : tr("%1 (and %2 more)").arg(first).arg(m_damaged.size() - 1);
}

int SchemeList::placeOf(const tensor::Scheme& scheme) const
{
    const auto at = std::ranges::find_if(m_schemes, [&](const tensor::LibraryScheme& each) {
        const tensor::Scheme& kept = each.scheme;
        return kept.format == scheme.format && kept.ring == scheme.ring && kept.u == scheme.u && kept.v == scheme.v
            && kept.w == scheme.w && kept.name == scheme.name;
    });
    return at == m_schemes.end() ? -1 : static_cast<int>(at - m_schemes.begin());
}

Result<int> SchemeList::add(const tensor::Scheme& scheme, tensor::Provenance from)
{
    from.date = QDateTime::currentDateTimeUtc().toString(Qt::ISODate).toStdString();
    const auto kept = tensor::keepScheme(schemesFolder(), scheme, from);
    if (!kept)
        return std::unexpected(kept.error());
    read();
    Q_EMIT changed();
    const auto at = std::ranges::find(m_schemes, kept->file, &tensor::LibraryScheme::file);
    return at == m_schemes.end() ? -1 : static_cast<int>(at - m_schemes.begin());
}

Result<int> SchemeList::import(const QString& path)
{
    auto imported = tensor::schemeAt(path.toStdString(), std::nullopt);
    if (!imported)
        return std::unexpected(imported.error());
    const auto bytes = readFile(path.toStdString(), tensor::largestSchemeFile);
    if (!bytes)
        return std::unexpected(bytes.error());
    tensor::Provenance from;
    from.kind = tensor::Provenance::Kind::Imported;
    from.file = QFileInfo(path).fileName().toStdString();
    from.sha256 = sha256(*bytes).hex();
    if (imported->scheme.name.empty())
        imported->scheme.name = from.file;
    return add(imported->scheme, from);
}

Result<void> SchemeList::remove(int place)
{
    const auto removed = tensor::removeScheme(m_schemes.at(static_cast<std::size_t>(place)));
    read();
    Q_EMIT changed();
    return removed;
}

QString nameOf(const tensor::LibraryScheme& scheme)
{
    const tensor::Scheme& of = scheme.scheme;
    const QString name = of.name.empty() ? SchemeList::tr("rank %1").arg(of.rank()) : text(of.name);
    const QString format = text(tensor::textOf(of.format));
    return name.contains(format) ? name : SchemeList::tr("%1, %2").arg(name, format);
}

QString provenanceWords(const tensor::Provenance& from)
{
    const QString date = text(from.date).left(10);
    switch (from.kind) {
    case tensor::Provenance::Kind::BuiltIn:
        return SchemeList::tr("built in");
    case tensor::Provenance::Kind::Found:
        return SchemeList::tr("found here %1, seed %2, %3 threads, %4, Tilewright %5")
            .arg(date)
            .arg(from.seed)
            .arg(from.threads)
            .arg(text(timeText(std::chrono::nanoseconds(std::llround(from.seconds * 1e9)))), text(from.version));
    case tensor::Provenance::Kind::Imported:
        return SchemeList::tr("imported %1 from %2").arg(date, text(from.file));
    }
    return {};
}

} // namespace tilewright::ui
