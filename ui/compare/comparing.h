// SPDX-License-Identifier: GPL-3.0-or-later
// Which programs are compared, with which of them, and what comes of it. The comparison is made by refresh() alone, and
// only where something that it depends on has changed. GUI thread; lives with the page.
#pragma once

#include "core/compare/comparison.h"
#include "core/engine/command.h"
#include "ui/compare/marker.h"
#include "ui/session/view_context.h"

#include <memory>
#include <unordered_map>

namespace tilewright::ui {

/// A session other than the open one, as it was when it was read.
struct OtherSession {
    std::string path, name; ///< name: of the file
    RunState run;
    TaskPack pack;
};

/// One program that a user chose.
struct ComparedChoice {
    using Kind = ComparedProgram::Kind;

    Kind kind = Kind::Candidate;
    CandidateId candidate; ///< of Kind::Candidate
    std::shared_ptr<const OtherSession> other; ///< whose it is; null: of the open session, or a file
    std::string name; ///< of a file
    std::string text; ///< of a file, and of a candidate of another session
    int place = 0; ///< which marker it has; kept while it is compared

    bool isSame(const ComparedChoice& choice) const;
    bool isOfOpenSession() const { return !other && kind != Kind::File; }
};

/// The best, its parent or the second best, the vendor library, the baseline: what is known of them. Empty before the
/// first measurement.
std::vector<ComparedChoice> usualChoices(const RunState& run, const Task& task);
/// Re-runs that time each candidate of the open session in turns with the reference; copies of it are left out.
std::vector<commands::Rerun> rerunsBeside(
    const RunState& run, const std::vector<ComparedChoice>& choices, std::size_t reference);

class Comparing : public QObject
{
    Q_OBJECT

public:
    enum class Value { Speedup, Time, Flops };

    explicit Comparing(const ViewContext& context, QObject* parent = nullptr);

    const std::vector<ComparedChoice>& choices() const { return m_choices; }
    std::size_t reference() const { return m_reference; }
    Value value() const { return m_value; }
    Marker markerOf(std::size_t place) const;
    /// As chips and headings show it: "c-0287", "cuBLASLt", "baseline", "mine.cpp".
    QString nameOf(std::size_t place) const;
    /// The reference is the candidate that the program's views have pinned.
    bool isPinned(std::size_t place) const;
    bool isFull() const { return m_choices.size() >= mostCompared; }

    /// False: it is there already, or there is no room. Where it is there already nothing changes.
    bool add(ComparedChoice choice);
    void remove(std::size_t place);
    void setReference(std::size_t place);
    void setValue(Value value);

    /// None where fewer than two programs are chosen, or no session is open.
    const std::optional<Comparison>& comparison() const { return m_comparison; }
    const RunState& run() const { return m_context.session.run(); }
    const Task* task() const;
    /// The text of one of them; none: it is a vendor library, or has not come yet.
    std::optional<QString> textOf(std::size_t place) const;
    bool awaitsTexts() const { return !m_asked.empty(); }
    /// Brings the comparison up to date; changed() where it is another one now.
    void refresh();

    /// Empty where measureSideBySide() would do something.
    QString whyNotMeasured() const;
    void measureSideBySide();
    /// Re-runs of compared candidates that are asked for and not done.
    int openReruns() const;

Q_SIGNALS:
    void choicesChanged(); ///< programs, reference or value
    void changed(); ///< the comparison

private:
    struct Key {
        std::string session;
        std::size_t evaluations = 0, candidates = 0, texts = 0;
        CandidateId best;
        int choices = 0;
        bool operator==(const Key&) const = default;
    };
    void startAnew();
    void followPin(CandidateId pinned);
    void takeUsual();
    void findMeasuredFiles();
    void askForTexts();
    std::size_t usualReference() const;
    int freePlace() const;
    void noteChange();
    std::vector<ComparedProgram> programs() const;
    std::vector<tilewright::SideBySide> pairs(const std::vector<ComparedProgram>& programs) const;
    std::string session() const;

    ViewContext m_context;
    std::vector<ComparedChoice> m_choices;
    std::size_t m_reference = 0;
    Value m_value = Value::Speedup;
    bool m_isChosen = false; ///< a user changed what is compared
    int m_changes = 0;
    std::optional<Comparison> m_comparison;
    std::optional<Key> m_key;
    std::unordered_map<std::string, QString> m_texts; ///< by hash
    std::unordered_map<quint64, std::string> m_asked;
};

} // namespace tilewright::ui
