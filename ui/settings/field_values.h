// SPDX-License-Identifier: GPL-3.0-or-later
// From what stands in an editor to what stands in the models file. What is no number stays a text, so that the reader
// of the file complains about it where it was typed. Pure.
#pragma once

#include "core/base/json_text.h"
#include "ui/settings/models_draft.h"

#include <QLocale>
#include <QString>
#include <QStringList>
#include <cmath>
#include <span>

namespace tilewright::ui {

inline ModelsDraft::Json textOrNothing(const QString& typed)
{
    const QString text = typed.trimmed();
    return text.isEmpty() ? ModelsDraft::Json(nullptr) : ModelsDraft::Json(text.toStdString());
}

/// "0.8" and "0,8", "20 000"; nothing for an empty text.
inline ModelsDraft::Json numberOrText(const QString& typed)
{
    QString text = typed.simplified().remove(QLatin1Char(' ')).remove(QChar(0x2009));
    if (text.isEmpty())
        return nullptr;
    if (!text.contains(QLatin1Char('.')))
        text.replace(QLatin1Char(','), QLatin1Char('.'));
    bool fine = false;
    const double number = QLocale::c().toDouble(text, &fine);
    if (!fine || !std::isfinite(number))
        return typed.toStdString();
    if (number == std::floor(number) && std::abs(number) < 9e15)
        return static_cast<std::int64_t>(number);
    return number;
}

/// Headers as a person types them, "Name: value" a line; a line without a colon leaves the whole a text.
inline ModelsDraft::Json headersOrText(const QString& typed)
{
    ModelsDraft::Json headers = ModelsDraft::Json::object();
    for (const QString& line : typed.split(QLatin1Char('\n'), Qt::SkipEmptyParts)) {
        const QString header = line.trimmed();
        const qsizetype colon = header.indexOf(QLatin1Char(':'));
        if (header.isEmpty())
            continue;
        const std::string name = header.left(colon).trimmed().toStdString();
        if (colon < 0 || headers.contains(name))
            return typed.toStdString();
        headers[name] = header.mid(colon + 1).trimmed().toStdString();
    }
    return headers.empty() ? ModelsDraft::Json(nullptr) : headers;
}

/// The other way; texts stay as they are.
inline QString headerLines(const ModelsDraft::Json& headers)
{
    if (headers.is_string())
        return QString::fromStdString(headers.get<std::string>());
    QStringList lines;
    if (headers.is_object())
        for (const auto& [name, value] : headers.items())
            lines << QString::fromStdString(
                name + ": " + (value.is_string() ? value.get<std::string>() : dumped(value)));
    return lines.join(QLatin1Char('\n'));
}

enum class FieldKind { Text, Number, Truth, Headers };

struct CardField {
    const char* name; ///< in the file; "price.input" reaches into an object
    FieldKind kind;
};

/// What a card's editor of this field holds, as it stands in the file. Truths that are "" stand nowhere.
inline ModelsDraft::Json fieldValue(std::span<const CardField> fields, const QString& name, const QString& typed)
{
    for (const CardField& field : fields)
        if (name == QLatin1String(field.name)) {
            if (field.kind == FieldKind::Number)
                return numberOrText(typed);
            if (field.kind == FieldKind::Headers)
                return headersOrText(typed);
            if (field.kind == FieldKind::Truth)
                return typed.isEmpty() ? ModelsDraft::Json(nullptr) : ModelsDraft::Json(typed == QLatin1String("true"));
        }
    return textOrNothing(typed);
}

} // namespace tilewright::ui
