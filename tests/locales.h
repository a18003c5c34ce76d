// SPDX-License-Identifier: GPL-3.0-or-later
// Locales with other decimal points, group separators, digits and letters, made where the system has none of them: what
// is written for files and models is the same in all.
#pragma once

#include "tests/patience.h"

#include <QFileInfo>
#include <QLocale>
#include <QProcess>
#include <QTemporaryDir>
#include <clocale>
#include <string>
#include <vector>

namespace tilewright::testing {

class Locales
{
public:
    static inline const std::vector<std::string> names{"de_DE", "tr_TR", "ar_EG", "hi_IN"};

    /// Where they stand, for LOCPATH. Makes them once; trouble() says why not.
    QString folder()
    {
        for (const std::string& name : names) {
            const QString place = m_folder.filePath(QString::fromStdString(name + ".UTF-8"));
            if (QFileInfo::exists(place))
                continue;
            QProcess make;
            make.start(QStringLiteral("localedef"),
                {QStringLiteral("-i"), QString::fromStdString(name), QStringLiteral("-f"), QStringLiteral("UTF-8"),
                    place});
            if (!make.waitForFinished(patience) || !QFileInfo::exists(place))
                m_trouble = "localedef made no " + name
                    + " (Debian's package locales has its sources): " + make.readAllStandardError().toStdString();
        }
        return m_folder.path();
    }
    const std::string& trouble() const { return m_trouble; }

private:
    QTemporaryDir m_folder;
    std::string m_trouble;
};

/// This process in a locale, until the end of the scope.
class InLocale
{
public:
    InLocale(Locales& locales, const std::string& name)
        : m_before(std::setlocale(LC_ALL, nullptr))
    {
        qputenv("LOCPATH", locales.folder().toLocal8Bit());
        m_isSet = std::setlocale(LC_ALL, (name + ".UTF-8").c_str()) != nullptr;
        QLocale::setDefault(QLocale(QString::fromStdString(name)));
    }
    ~InLocale()
    {
        qunsetenv("LOCPATH");
        std::setlocale(LC_ALL, m_before.c_str());
        QLocale::setDefault(m_default);
    }
    InLocale(const InLocale&) = delete;
    InLocale& operator=(const InLocale&) = delete;
    bool isSet() const { return m_isSet; }

private:
    std::string m_before;
    QLocale m_default;
    bool m_isSet = false;
};

} // namespace tilewright::testing
