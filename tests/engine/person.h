// SPDX-License-Identifier: GPL-3.0-or-later
// A user who answers prompts in a folder, for tests: sees each new NNNN.prompt.md once and writes the reply they
// think of. The prompts of these tests hold the focus and the parent's program and nothing else.
#pragma once

#include "core/patch/diff.h"
#include "core/proposer/reply_source.h"

#include <QDir>
#include <QFile>
#include <QTimer>

namespace tilewright::testing {

/// "FOCUS explore\nPROGRAM\n…": what a user in a test needs to know.
inline Result<PromptText> plainPrompt(const ProposalRequest& request, const std::optional<FailedReply>& failed,
    const ProposerView& view, const PromptRoom&)
{
    const Candidate* parent = view.state.candidate(request.parents.front());
    PromptText prompt;
    prompt.name = nameOf(request.focus);
    prompt.version = sha256("plain");
    prompt.system = "SYSTEM";
    prompt.user = "FOCUS " + nameOf(request.focus) + "\n"
        + (failed ? "RULE " + failed->rule + "\nREPAIR " + failed->finding + "\n" : "") + "PROGRAM\n"
        + view.text(parent->source);
    return prompt;
}

struct ReadPrompt {
    int number = 0;
    std::string text, focus, program;
};

inline ReadPrompt readPrompt(int number, const std::string& text)
{
    ReadPrompt read{number, text, {}, {}};
    const std::size_t focus = text.find("FOCUS ") + 6, program = text.find("PROGRAM\n") + 8;
    read.focus = text.substr(focus, text.find('\n', focus) - focus);
    read.program = text.substr(program);
    return read;
}

inline std::string replyWith(const std::string& words, const std::string& diff)
{
    return "<reasoning>\n" + words + "\n</reasoning>\n<diff>\n" + diff
        + "</diff>\n<expected_impact>\nnothing\n</expected_impact>\n";
}

/// A reply that adds one line with this number to the program.
inline std::string goodReply(const std::string& program, int number, const std::string& words = "a new line")
{
    std::string changed = program;
    const std::string mark = "constexpr int TILE_ROWS";
    changed.insert(
        changed.find(mark), "constexpr int PERSON_" + std::to_string(number) + " = " + std::to_string(number) + ";\n");
    return replyWith(words, unifiedDiff(program, changed, "seed.cpp"));
}

/// A reply whose removed line stands nowhere.
inline std::string badReply()
{
    return replyWith("a mistake", "@@ -1,1 +1,1 @@\n-int nowhere_to_be_found = 7;\n+int found = 7;\n");
}

class Person : public QObject
{
public:
    using Thought = std::function<std::string(const ReadPrompt&)>;

    /// An empty thought is no reply.
    Person(const QString& folder, Thought thought)
        : m_folder(folder)
        , m_thought(std::move(thought))
    {
        connect(&m_timer, &QTimer::timeout, this, [this] { look(); });
        m_timer.start(20);
    }

    void look()
    {
        const QDir folder(m_folder);
        for (const QString& name : folder.entryList({QStringLiteral("*.prompt.md")}, QDir::Files, QDir::Name)) {
            QFile file(folder.filePath(name));
            if (seen.contains(name) || !file.open(QIODevice::ReadOnly))
                continue;
            const ReadPrompt prompt = readPrompt(name.left(4).toInt(), asked(file.readAll().toStdString()));
            seen << name;
            prompts.push_back(prompt);
            const std::string reply = m_thought(prompt);
            if (!reply.empty())
                write(name.left(4), reply);
        }
    }

    void write(const QString& place, const std::string& reply)
    {
        QFile file(QDir(m_folder).filePath(place + QStringLiteral(".reply.md")));
        if (file.open(QIODevice::WriteOnly))
            file.write(QByteArray::fromStdString(reply));
    }

    QStringList seen;
    std::vector<ReadPrompt> prompts;

private:
    /// Without the first line, which says what it was written for.
    static std::string asked(const std::string& text)
    {
        return text.starts_with("<!-- tilewright ") ? text.substr(text.find("-->\n\n") + 5) : text;
    }

    QString m_folder;
    Thought m_thought;
    QTimer m_timer;
};

} // namespace tilewright::testing
