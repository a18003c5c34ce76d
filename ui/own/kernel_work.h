// SPDX-License-Identifier: GPL-3.0-or-later
// A user's own kernel on its way to a task: read, described, written, checked. Files are read and written on a pool
// thread; the check is `tilewright-cli tasks --check`, a process of its own. A file that an editor writes meanwhile is
// read again. GUI thread.
#pragma once

#include "core/pack/kernel_description.h"
#include "ui/session/file_watch.h"

#include <QObject>
#include <QString>
#include <functional>
#include <memory>

class QProcess;

namespace tilewright::ui {

class KernelWork : public QObject
{
    Q_OBJECT

public:
    /// Unchecked: written, and this machine lacks what it takes to check it.
    enum class Stage { Nothing, Reading, Described, Writing, Checking, Good, Refused, Unchecked };

    explicit KernelWork(QObject* parent = nullptr);
    ~KernelWork() override;

    /// The program that checks; tilewright-cli beside this one unless a test says otherwise.
    void setChecker(const QString& program) { m_checker = program; }
    Stage stage() const { return m_stage; }
    bool isBusy() const { return m_stage == Stage::Reading || m_stage == Stage::Writing || m_stage == Stage::Checking; }
    const QString& file() const { return m_file; }
    const std::vector<KernelFunction>& functions() const { return m_functions; }
    const std::vector<KernelFunction>& referenceFunctions() const { return m_referenceFunctions; }
    const KernelDescription& description() const { return m_description; }
    bool isDescribed() const { return !m_description.function.empty(); }
    /// What was read off a CUDA file beside the parameters, then what was supposed.
    std::vector<std::string> suppositions() const;
    const std::vector<DescriptionFinding>& findings() const { return m_findings; }
    /// The file has changed so that what was said of it by hand does not fit any more: why. Nothing is dropped before
    /// readAgain(). Empty where the description is of the file as it is.
    const QString& outdated() const { return m_outdated; }
    void readAgain() { openFile(m_file, m_description.function); }
    /// Where the pack is, once it was written.
    const QString& folder() const { return m_folder; }
    /// What is going on, or how it ended; and what to do about it.
    const QString& word() const { return m_word; }
    const QString& remedy() const { return m_remedy; }
    /// Of the check, from 0 to 1; below 0 where it is not known.
    double share() const { return m_share; }

    /// preferred: the function to choose where the file has it; else the last that can be one.
    void openFile(const QString& path, std::string preferred = {});
    /// A text that was read already.
    void openText(const QString& path, const std::string& text);
    void chooseFunction(const std::string& name);
    void openReference(const QString& path);
    /// One change to the description by hand; `resized` where dimensions or shapes change with it.
    enum class Touches { Words, Shapes, Cost, Truth };
    void change(const std::function<void(KernelDescription&)>& by, Touches what);
    void writeAndCheck();
    void cancel();

Q_SIGNALS:
    void changed();

private:
    struct ReadFile {
        Result<std::string> text;
        std::vector<KernelFunction> functions;
        Macros macros;
    };
    static std::shared_ptr<const ReadFile> readKernel(const QString& path);
    static std::shared_ptr<const ReadFile> readReference(const QString& path);
    /// Forgets what was said of the file before.
    void begin(const QString& path);
    void take(const std::shared_ptr<const ReadFile>& read, const std::string& preferred = {});
    void lookAtFile();
    void takeChanged(const std::shared_ptr<const ReadFile>& read);
    void lookAtReference();
    void describe(DerivedDescription derived);
    void startCheck();
    void checkEnded();
    void readProgress();
    void say(Stage stage, const QString& word, const QString& remedy = {});
    void look();

    Stage m_stage = Stage::Nothing;
    QString m_checker;
    QString m_file, m_folder, m_word, m_remedy;
    std::string m_source;
    Macros m_macros; ///< of its compiler
    std::vector<KernelFunction> m_functions, m_referenceFunctions;
    KernelDescription m_description;
    KernelDescription m_asRead; ///< the same before a user changed it
    FileWatch m_watch, m_referenceWatch;
    QString m_outdated;
    std::vector<std::string> m_readings, m_suppositions;
    std::vector<DescriptionFinding> m_findings;
    std::int64_t m_memory;
    double m_share = -1;
    bool m_costByHand = false, m_truthByHand = false;
    QProcess* m_check = nullptr;
    QByteArray m_told; ///< standard error of the check, not yet read
    int m_turn = 0; ///< a newer file supersedes
};

} // namespace tilewright::ui
