// SPDX-License-Identifier: GPL-3.0-or-later
// Texts as long as a translation's: English, a good third longer. GUI thread.
#pragma once

#include <QTranslator>
#include <algorithm>
#include <cmath>

namespace tilewright::test {

/// English, a good third longer: by words of its own, so that lines can break where a translation's would.
class LongerTexts : public QTranslator
{
public:
    using QTranslator::QTranslator;
    bool isEmpty() const override { return false; }
    QString translate(const char*, const char* source, const char*, int) const override
    {
        const QString words = QString::fromUtf8(source);
        const bool isFormat = words.contains(u'%') && words.size() < 8; // "%1 %2": nothing to translate in it
        if (words.trimmed().isEmpty() || isFormat)
            return words;
        const auto letters = static_cast<qsizetype>(std::ceil(0.35 * static_cast<double>(words.size())));
        QString more;
        while (more.size() < letters)
            more += QStringLiteral(" lorem").left(letters - more.size() < 3 ? 3 : 6);
        return words + more.left(std::max<qsizetype>(letters, 2));
    }
};

} // namespace tilewright::test
