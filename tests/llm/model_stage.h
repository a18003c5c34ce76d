// SPDX-License-Identifier: GPL-3.0-or-later
// What a run with scripted models needs: replies that fit any descendant of gemm-fp32-cpu's seed, a models file, the
// server as a process, and its ledger. For tests of the engine and of the command line.
#pragma once

#include "tests/patience.h"

#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QThread>

namespace tilewright::testing {

/// Never to be seen in any file.
inline const QByteArray canaryKey = "sk-canary-51c09be7d2f34a6688";
inline const QString canaryVariable = QStringLiteral("TILEWRIGHT_TEST_CANARY_KEY");

/// A reply that adds one line behind the marker that every program has.
inline QByteArray scriptedReply(int number)
{
    const QByteArray n = QByteArray::number(number);
    return "<reasoning>\nidea " + n
        + " — größer\n</reasoning>\n<diff>\n--- seed.cpp\n+++ seed.cpp\n@@ -8,1 +8,2 @@\n"
          " // EVOLVE-BLOCK-START\n+constexpr int MODEL_"
        + n + " = " + n + ";\n</diff>\n<expected_impact>\nnothing\n</expected_impact>\n";
}

inline QByteArray scriptedMistake()
{
    return "<reasoning>\na mistake\n</reasoning>\n<diff>\n--- seed.cpp\n+++ seed.cpp\n@@ -1,1 +1,1 @@\n"
           "-int nowhere_to_be_found = 7;\n+int found = 7;\n</diff>\n";
}

/// Files 0000.md …: every fifth holds three proposals, every ninth a patch that does not apply.
inline void writeScriptedReplies(const QString& folder, int count)
{
    QDir().mkpath(folder);
    for (int i = 0; i < count; ++i) {
        QFile file(QDir(folder).filePath(QStringLiteral("%1.md").arg(i, 4, 10, QLatin1Char('0'))));
        if (!file.open(QIODevice::WriteOnly))
            continue;
        if (i % 9 == 8)
            file.write(scriptedMistake());
        else
            for (int part = 0; part < (i % 5 == 4 ? 3 : 1); ++part)
                file.write(scriptedReply(i * 10 + part));
    }
}

/// Two models of one server, in two protocols; `more` is put before the models ("\"limits\": {…},").
inline void writeModelsFile(const QString& path, int port, const QByteArray& more = {})
{
    const QByteArray url = "http://127.0.0.1:" + QByteArray::number(port);
    const auto endpoint = [&](const char* name, const char* protocol) {
        return QByteArray("{\"name\": \"") + name + "\", \"template\": \"other\", \"protocol\": \"" + protocol
            + "\", \"url\": \"" + url + "\", \"key\": \"env:" + canaryVariable.toUtf8() + "\"}";
    };
    const auto model = [](const char* name, const char* at, const char* weight) {
        return QByteArray("{\"name\": \"") + name + "\", \"endpoint\": \"" + at
            + "\", \"model\": \"scripted\", \"max_output_tokens\": 4000, \"weight\": " + weight
            + ", \"price\": {\"input\": 1, \"output\": 4, \"cache_read\": 1, \"cache_write\": 1, \"date\": "
              "\"2026-11-21\"}}";
    };
    QFile file(path);
    if (file.open(QIODevice::WriteOnly))
        file.write("{\"format\": 1, \"endpoints\": [" + endpoint("chat", "openai-chat") + ", "
            + endpoint("messages", "anthropic") + "],\n" + more + "\"models\": [" + model("swift", "chat", "2") + ", "
            + model("wise", "messages", "1") + "]}\n");
}

/// In a file of writeModelsFile() the second model costs a tenth of the first.
inline void makeWiseCheap(const QString& path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadWrite))
        return;
    QByteArray text = file.readAll();
    const QByteArray price = "\"input\": 1, \"output\": 4";
    text.replace(text.lastIndexOf(price), price.size(), "\"input\": 0.1, \"output\": 0.4");
    file.resize(0);
    file.seek(0);
    file.write(text);
}

/// The fake-model-server as a process.
class ModelServerProcess
{
public:
    ~ModelServerProcess() { stop(); }

    /// Its port; 0 if it said none.
    int start(const QString& program, const QString& replies, const QString& ledger, double faultRate, int seed)
    {
        m_process.setProcessChannelMode(QProcess::SeparateChannels);
        m_process.start(program,
            {QStringLiteral("--replies"), replies, QStringLiteral("--fault-rate"), QString::number(faultRate),
                QStringLiteral("--seed"), QString::number(seed), QStringLiteral("--ledger"), ledger});
        QString line;
        for (int i = 0; i < 600 && !line.contains(QLatin1Char('\n')); ++i) {
            m_process.waitForReadyRead(100);
            line += QString::fromUtf8(m_process.readAllStandardOutput());
        }
        return line.section(QLatin1Char(' '), 1).trimmed().toInt();
    }

    void stop()
    {
        if (m_process.state() == QProcess::NotRunning)
            return;
        m_process.kill();
        m_process.waitForFinished(patience);
    }

private:
    QProcess m_process;
};

struct LedgerSums {
    qint64 toldInput = 0, toldOutput = 0, requests = 0, faults = 0;
};

inline LedgerSums sumsOf(const QString& ledger)
{
    LedgerSums sums;
    QFile file(ledger);
    if (!file.open(QIODevice::ReadOnly))
        return sums;
    for (const QByteArray& line : file.readAll().split('\n')) {
        const QJsonObject entry = QJsonDocument::fromJson(line).object();
        if (entry.isEmpty())
            continue;
        ++sums.requests;
        sums.faults += entry[QStringLiteral("fault")].toString().isEmpty() ? 0 : 1;
        if (entry[QStringLiteral("told")].toBool()) {
            sums.toldInput += entry[QStringLiteral("input_tokens")].toInteger();
            sums.toldOutput += entry[QStringLiteral("output_tokens")].toInteger();
        }
    }
    return sums;
}

/// Whether any file below the folder holds the bytes.
inline bool anyFileHolds(const QString& folder, const QByteArray& bytes)
{
    for (const QFileInfo& info : QDir(folder).entryInfoList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot)) {
        if (info.isDir() && !info.isSymLink()) {
            if (anyFileHolds(info.filePath(), bytes))
                return true;
            continue;
        }
        QFile file(info.filePath());
        if (file.open(QIODevice::ReadOnly) && file.readAll().contains(bytes))
            return true;
    }
    return false;
}

} // namespace tilewright::testing
