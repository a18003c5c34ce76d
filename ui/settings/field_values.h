// SPDX-License-Identifier: GPL-3.0-or-later
// From what stands in an editor to what stands in the models file. What is no number stays a text, so that the reader
// of the file complains about it where it was typed. Pure.
#pragma once

#include "ui/settings/models_draft.h"

#include <QLocale>
#include <QString>
#include <cmath>

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

} // namespace tilewright::ui
