// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/compare/comparing.h"

#include "core/model/measurement/dispute.h"
#include "core/model/measurement/pair_ladder.h"
#include "core/model/measurement/rerun.h"
#include "core/source/program_text.h"
#include "ui/models/display_text.h"
#include "ui/widgets/elided_label.h"

#include <QFileInfo>
#include <algorithm>
#include <utility>

namespace tilewright::ui {

using namespace Qt::StringLiterals;
using Kind = ComparedProgram::Kind;

namespace {

constexpr CandidateId seedId{1};

bool hasFigures(const RunState& run, const Candidate* candidate)
{
    const Evaluation* latest = candidate ? run.evaluation(candidate->latest) : nullptr;
    return latest && latest->result.outcome == Outcome::Ranked;
}

/// Another program than those, with figures: the parent, else the best of all others.
const Candidate* runnerUp(const RunState& run, const Candidate& best)
{
    for (const CandidateId id : best.parents)
        if (const Candidate* parent = run.candidate(id);
            hasFigures(run, parent) && parent->id != seedId && parent->program != best.program && parent->confirmed)
            return parent;
    const Candidate* second = nullptr;
    for (const Candidate& one : run.candidates)
        if (one.confirmed && one.isRanked() && one.id != seedId && one.program != best.program
            && (!second || one.score->value > second->score->value))
            second = &one;
    return second;
}

bool hasVendor(const RunState& run, const Task& task)
{
    const Candidate* by = measuredBeside(run);
    if (!by || task.vendor.empty())
        return false;
    const ComparedProgram vendor = comparedVendor(run, *by, {}, task.vendor);
    return vendor.result && std::ranges::any_of(vendor.result->shapes, [](const ShapeResult& shape) {
        return shape.versusVendor.has_value();
    });
}

std::string keyOf(const Hash& hash) { return hash.hex(); }

} // namespace

bool ComparedChoice::isSame(const ComparedChoice& choice) const
{
    const auto whose = [](const ComparedChoice& one) { return one.other ? one.other->path : std::string(); };
    return kind == choice.kind && candidate == choice.candidate && whose(*this) == whose(choice)
        && (kind != Kind::File || (name == choice.name && text == choice.text));
}

std::vector<ComparedChoice> usualChoices(const RunState& run, const Task& task)
{
    std::vector<ComparedChoice> choices;
    const auto add = [&](Kind kind, CandidateId candidate = {}) {
        ComparedChoice choice;
        choice.kind = kind;
        choice.candidate = candidate;
        choice.place = static_cast<int>(choices.size());
        choices.push_back(std::move(choice));
    };
    if (!hasFigures(run, measuredBeside(run)))
        return {};
    if (const Candidate* best = run.best(); best && best->id != seedId) {
        add(Kind::Candidate, best->id);
        if (const Candidate* second = runnerUp(run, *best))
            add(Kind::Candidate, second->id);
    }
    if (hasVendor(run, task))
        add(Kind::Vendor);
    add(Kind::Baseline);
    return choices;
}

std::vector<commands::Rerun> rerunsBeside(
    const RunState& run, const std::vector<ComparedChoice>& choices, std::size_t reference)
{
    std::vector<commands::Rerun> reruns;
    if (reference >= choices.size())
        return reruns;
    const ComparedChoice& over = choices[reference];
    if (!over.isOfOpenSession() || over.kind == Kind::Vendor)
        return reruns;
    const CandidateId against = over.kind == Kind::Baseline ? seedId : over.candidate;
    const Candidate* opponent = run.candidate(against);
    if (!opponent || !opponent->isRanked())
        return reruns;
    for (const ComparedChoice& choice : choices) {
        if (!choice.isOfOpenSession() || choice.kind != Kind::Candidate)
            continue;
        const Candidate* candidate = run.candidate(choice.candidate);
        const bool isAsked = std::ranges::any_of(run.reruns, [&](const Rerun& rerun) {
            return rerun.candidate == choice.candidate && rerun.against == against && rerun.isOpen();
        });
        if (candidate && candidate->isOver() && candidate->latest && candidate->program != opponent->program
            && !isAsked)
            reruns.push_back({choice.candidate, pairedRepeats, against});
    }
    return reruns;
}

Comparing::Comparing(const ViewContext& context, QObject* parent)
    : QObject(parent)
    , m_context(context)
{
    connect(&context.session, &SessionClient::replaced, this, &Comparing::startAnew);
    connect(&context.session, &SessionClient::textReady, this, [this](quint64 tag, const QString& text) {
        const auto asked = m_asked.find(tag);
        if (asked == m_asked.end())
            return;
        m_texts[asked->second] = text;
        m_asked.erase(asked);
        if (m_key) // somebody looks at it
            refresh();
    });
    connect(&context.selection, &SelectionContext::referenceChanged, this, &Comparing::followPin);
}

void Comparing::startAnew()
{
    m_choices.clear();
    m_reference = 0;
    m_isChosen = false;
    m_comparison.reset();
    m_key.reset();
    m_texts.clear();
    m_asked.clear();
    noteChange();
}

void Comparing::noteChange()
{
    ++m_changes;
    Q_EMIT choicesChanged();
}

const Task* Comparing::task() const
{
    const Snapshot& snapshot = m_context.session.snapshot();
    return snapshot.pack ? &snapshot.pack->task : nullptr;
}

std::string Comparing::session() const
{
    return QFileInfo(text(m_context.session.snapshot().status.sessionPath)).fileName().toStdString();
}

Marker Comparing::markerOf(std::size_t place) const
{
    const ComparedChoice& choice = m_choices.at(place);
    if (choice.isOfOpenSession() && choice.kind == Kind::Vendor)
        return vendorMarker;
    if (choice.isOfOpenSession() && choice.kind == Kind::Baseline)
        return baselineMarker;
    return ui::markerOf(choice.place);
}

QString Comparing::nameOf(std::size_t place) const
{
    const ComparedChoice& choice = m_choices.at(place);
    const Task* known = choice.other ? &choice.other->pack.task : task();
    switch (choice.kind) {
    case Kind::Candidate:
        return nameOfCandidate(choice.candidate);
    case Kind::Baseline:
        return tr("baseline");
    case Kind::Vendor:
        // Without what it was told to do: "OpenBLAS, one thread".
        return known ? vendorWords(known->vendor).section(u',', 0, 0) : tr("vendor library");
    case Kind::File:
        break;
    }
    return text(choice.name);
}

bool Comparing::isPinned(std::size_t place) const
{
    const ComparedChoice& choice = m_choices.at(place);
    return choice.isOfOpenSession() && choice.kind == Kind::Candidate
        && choice.candidate == m_context.selection.reference();
}

int Comparing::freePlace() const
{
    for (int place = 0;; ++place)
        if (std::ranges::none_of(m_choices, [&](const ComparedChoice& one) { return one.place == place; }))
            return place;
}

bool Comparing::add(ComparedChoice choice)
{
    if (!m_isChosen && m_choices.empty())
        takeUsual(); // what is added stands beside what is compared anyway
    if (isFull() || std::ranges::any_of(m_choices, [&](const auto& one) { return one.isSame(choice); }))
        return false;
    choice.place = freePlace();
    // Candidates stand before vendor and baseline.
    auto at = m_choices.end();
    if (choice.kind == Kind::Candidate || choice.kind == Kind::File)
        at = std::ranges::find_if(m_choices,
            [](const ComparedChoice& one) { return one.kind == Kind::Vendor || one.kind == Kind::Baseline; });
    const auto index = static_cast<std::size_t>(at - m_choices.begin());
    const bool hadOthers = !m_choices.empty();
    m_choices.insert(at, std::move(choice));
    if (hadOthers && m_reference >= index)
        ++m_reference;
    m_isChosen = true;
    noteChange();
    return true;
}

void Comparing::remove(std::size_t place)
{
    if (place >= m_choices.size())
        return;
    m_choices.erase(m_choices.begin() + static_cast<std::ptrdiff_t>(place));
    if (m_reference == place)
        m_reference = usualReference();
    else if (m_reference > place)
        --m_reference;
    m_isChosen = true;
    noteChange();
}

void Comparing::setReference(std::size_t place)
{
    if (place >= m_choices.size() || place == m_reference)
        return;
    m_reference = place;
    m_isChosen = true;
    noteChange();
}

void Comparing::setValue(Value value)
{
    if (value == m_value)
        return;
    m_value = value;
    Q_EMIT choicesChanged();
    Q_EMIT changed(); // the same figures in another form
}

std::size_t Comparing::usualReference() const
{
    for (std::size_t i = 0; i < m_choices.size(); ++i)
        if (isPinned(i))
            return i;
    for (const Kind kind : {Kind::Vendor, Kind::Baseline})
        for (std::size_t i = 0; i < m_choices.size(); ++i)
            if (m_choices[i].kind == kind)
                return i;
    return 0;
}

/// Pinned elsewhere in the window: it is what others are compared with here as well.
void Comparing::followPin(CandidateId pinned)
{
    if (m_choices.empty() && !m_isChosen)
        return; // taken up when the comparison is looked at first
    if (pinned) {
        ComparedChoice choice;
        choice.candidate = pinned;
        add(choice);
    }
    const std::size_t before = m_reference;
    m_reference = usualReference();
    if (before != m_reference)
        ++m_changes;
    Q_EMIT choicesChanged();
}

void Comparing::takeUsual()
{
    const Task* known = task();
    if (m_isChosen || !known || !m_context.session.isOpen())
        return;
    std::vector<ComparedChoice> usual = usualChoices(run(), *known);
    if (usual.empty())
        return;
    const CandidateId pinned = m_context.selection.reference();
    const bool isAmong = std::ranges::any_of(
        usual, [&](const auto& one) { return one.kind == Kind::Candidate && one.candidate == pinned; });
    if (run().candidate(pinned) && !isAmong) {
        ComparedChoice choice;
        choice.candidate = pinned;
        choice.place = static_cast<int>(usual.size());
        usual.insert(usual.begin(), std::move(choice));
    }
    const auto isSame = [](const ComparedChoice& one, const ComparedChoice& other) { return one.isSame(other); };
    if (std::ranges::equal(usual, m_choices, isSame))
        return;
    m_choices = std::move(usual);
    m_reference = usualReference();
    noteChange();
}

/// A file whose program is a candidate by now is that candidate.
void Comparing::findMeasuredFiles()
{
    for (ComparedChoice& choice : m_choices) {
        if (choice.kind != Kind::File)
            continue;
        const Hash program = programIdentity(choice.text);
        const auto& all = run().candidates;
        for (const Candidate& candidate : all)
            if (candidate.program == program) {
                choice.kind = Kind::Candidate;
                choice.candidate = candidate.id;
                noteChange();
                break;
            }
    }
}

void Comparing::askForTexts()
{
    for (const ComparedChoice& choice : m_choices) {
        if (choice.kind != Kind::Candidate || choice.other)
            continue;
        const Candidate* candidate = run().candidate(choice.candidate);
        if (!candidate || candidate->source.isNull())
            continue;
        const std::string key = keyOf(candidate->source);
        const bool isAsked = std::ranges::any_of(m_asked, [&](const auto& asked) { return asked.second == key; });
        if (!isAsked && !m_texts.contains(key))
            m_asked.emplace(m_context.session.requestText(candidate->source), key);
    }
}

std::optional<QString> Comparing::textOf(std::size_t place) const
{
    const ComparedChoice& choice = m_choices.at(place);
    if (choice.kind == Kind::Vendor)
        return std::nullopt;
    if (choice.kind == Kind::Baseline) {
        const auto& pack = m_context.session.snapshot().pack;
        return choice.other ? std::optional(text(choice.other->pack.seed()))
            : pack          ? std::optional(text(pack->seed()))
                            : std::nullopt;
    }
    if (choice.kind == Kind::File || choice.other)
        return text(choice.text);
    const Candidate* candidate = run().candidate(choice.candidate);
    const auto found = candidate ? m_texts.find(keyOf(candidate->source)) : m_texts.end();
    return found == m_texts.end() ? std::nullopt : std::optional(found->second);
}

std::vector<ComparedProgram> Comparing::programs() const
{
    std::vector<ComparedProgram> made;
    const TaskPack& own = *m_context.session.snapshot().pack;
    for (std::size_t i = 0; i < m_choices.size(); ++i) {
        const ComparedChoice& choice = m_choices[i];
        const RunState& of = choice.other ? choice.other->run : run();
        const TaskPack& pack = choice.other ? choice.other->pack : own;
        const std::string name = choice.other ? choice.other->name : session();
        const std::string program = textOf(i).value_or(QString()).toStdString();
        const Candidate* by = measuredBeside(of);
        if (choice.kind == Kind::File) {
            ComparedProgram file;
            file.kind = Kind::File;
            file.name = choice.name;
            file.text = program;
            file.tunables = valuesOf(tunablesOf(program));
            file.seed = programIdentity(own.seed());
            made.push_back(std::move(file));
        } else if (choice.kind == Kind::Candidate) {
            if (const Candidate* candidate = of.candidate(choice.candidate))
                made.push_back(comparedCandidate(of, *candidate, name, program));
        } else if (by) {
            made.push_back(choice.kind == Kind::Baseline ? comparedBaseline(of, *by, name, pack.seed())
                                                         : comparedVendor(of, *by, name, pack.task.vendor));
        }
    }
    return made;
}

std::vector<tilewright::SideBySide> Comparing::pairs(const std::vector<ComparedProgram>& programs) const
{
    std::vector<tilewright::SideBySide> all = sideBySideIn(run(), session(), programs);
    std::vector<const OtherSession*> seen;
    for (const ComparedChoice& choice : m_choices)
        if (choice.other && std::ranges::find(seen, choice.other.get()) == seen.end()) {
            seen.push_back(choice.other.get());
            std::ranges::copy(sideBySideIn(choice.other->run, choice.other->name, programs), std::back_inserter(all));
        }
    return all;
}

void Comparing::refresh()
{
    takeUsual();
    findMeasuredFiles();
    const bool isOpen = m_context.session.isOpen() && task();
    if (isOpen)
        askForTexts();
    const Key key{session(), run().evaluations.size(),
        std::ranges::any_of(m_choices, [](const auto& one) { return one.kind == Kind::File; }) ? run().candidates.size()
                                                                                               : 0,
        m_texts.size(), run().incumbent, m_changes};
    if (m_key == key)
        return;
    // Most new measurements are of programs that are not compared.
    const bool isOther
        = !m_key || m_key->session != key.session || m_key->choices != key.choices || m_key->texts != key.texts;
    m_key = key;
    const auto before = std::exchange(m_comparison, std::nullopt);
    if (isOpen && m_choices.size() >= fewestCompared) {
        std::vector<ComparedProgram> all = programs();
        if (all.size() == m_choices.size()) {
            const std::vector<tilewright::SideBySide> turns = pairs(all);
            if (auto made = comparisonOf(std::move(all), turns, m_reference, *task()))
                m_comparison = std::move(*made);
        }
    }
    if (isOther || m_comparison != before)
        Q_EMIT changed();
}

int Comparing::openReruns() const
{
    int open = 0;
    for (const Rerun& rerun : run().reruns)
        open += rerun.isOpen() && std::ranges::any_of(m_choices, [&](const ComparedChoice& one) {
            return one.isOfOpenSession() && one.kind == Kind::Candidate && one.candidate == rerun.candidate;
        });
    return open;
}

QString Comparing::whyNotMeasured() const
{
    const EngineStatus& status = m_context.session.snapshot().status;
    if (!status.sessionOpen || m_reference >= m_choices.size())
        return tr("No programs to compare.");
    if (status.readOnly)
        return tr("The session is read-only.");
    if (!status.elsewhere.empty())
        return asSentence(text(status.elsewhere));
    const ComparedChoice& over = m_choices[m_reference];
    if (over.kind == Kind::Vendor)
        return tr(
            "The vendor library is timed with each confirmation. Choose the baseline or a candidate as the reference.");
    if (!over.isOfOpenSession())
        return tr(
            "Only programs of this session can be measured here; tilewright-cli compare --measure measures others.");
    if (rerunsBeside(run(), m_choices, m_reference).empty())
        return openReruns() > 0
            ? tr("Measurements of these candidates are already pending.")
            : tr("No other candidate of this session is compared with %1.").arg(nameOf(m_reference));
    return {};
}

void Comparing::measureSideBySide()
{
    for (const commands::Rerun& rerun : rerunsBeside(run(), m_choices, m_reference))
        m_context.session.execute(CandidateCommand(rerun));
}

} // namespace tilewright::ui
