// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/compare/program_chooser.h"

#include "core/base/files.h"
#include "core/compare/comparison.h"
#include "core/source/saved_program.h"
#include "core/store/session_reader.h"
#include "ui/compare/program_picker.h"
#include "ui/models/display_text.h"
#include "ui/models/figures.h"
#include "ui/theme/theme.h"
#include "ui/widgets/aside.h"
#include "ui/widgets/pill.h"

#include <QFileDialog>
#include <QFileInfo>
#include <algorithm>

namespace tilewright::ui {

using namespace Qt::StringLiterals;
using Kind = ComparedProgram::Kind;

namespace {

constexpr std::size_t largestProgram = 4 << 20;

using Read = Result<std::shared_ptr<const OtherSession>>;

Read readSession(const std::string& path)
{
    auto reader = SessionReader::open(path);
    if (!reader)
        return std::unexpected(reader.error());
    auto run = (*reader)->load();
    if (!run)
        return std::unexpected(run.error());
    auto pack = (*reader)->pack(*run);
    if (!pack)
        return std::unexpected(pack.error());
    auto session = std::make_shared<OtherSession>();
    session->path = path;
    session->name = QFileInfo(text(path)).fileName().toStdString();
    session->run = std::move(*run);
    session->pack = std::move(*pack);
    return session;
}

Result<std::string> textOf(const std::string& path, const Hash& hash)
{
    auto reader = SessionReader::open(path);
    if (!reader)
        return std::unexpected(reader.error());
    return (*reader)->text(hash);
}

/// Candidates with figures, the best first.
std::vector<const Candidate*> measuredOf(const RunState& run)
{
    std::vector<const Candidate*> all;
    for (const Candidate& candidate : run.candidates)
        if (candidate.isRanked() && candidate.latest && !candidate.migrated)
            all.push_back(&candidate);
    std::ranges::stable_sort(
        all, [](const Candidate* a, const Candidate* b) { return a->score->value > b->score->value; });
    return all;
}

} // namespace

ProgramChooser::ProgramChooser(const ViewContext& context, Comparing& comparing, QWidget* over)
    : QObject(over)
    , m_context(context)
    , m_comparing(comparing)
    , m_over(over)
{
}

void ProgramChooser::add(ComparedChoice choice)
{
    if (m_comparing.isFull()) {
        Q_EMIT failed(tr("Six programs are the maximum."), tr("remove one of them"));
        return;
    }
    m_comparing.add(std::move(choice));
}

void ProgramChooser::popUpBy(const QWidget& button)
{
    const Task* task = m_comparing.task();
    if (!task)
        return;
    std::vector<ProgramPicker::Row> rows;
    const auto isThere = [this](const ComparedChoice& choice) {
        return std::ranges::any_of(
            m_comparing.choices(), [&](const ComparedChoice& one) { return one.isSame(choice); });
    };
    const auto offerOwn
        = [&](Kind kind, CandidateId candidate, const QString& name, const QString& detail, QIcon sign) {
              ComparedChoice choice;
              choice.kind = kind;
              choice.candidate = candidate;
              if (!isThere(choice))
                  rows.push_back({name, detail, std::move(sign), [this, choice] { add(choice); }});
          };
    offerOwn(Kind::Baseline, {}, tr("baseline"), {}, markerIcon(baselineMarker));
    if (!task->vendor.empty())
        offerOwn(Kind::Vendor, {}, vendorWords(task->vendor), {}, markerIcon(vendorMarker));
    rows.push_back({tr("Program file…"), {}, icon(u"file"_s, Tint::Secondary), [this] { askForFile(); }});
    rows.push_back(
        {tr("Candidate of another session…"), {}, icon(u"folder"_s, Tint::Secondary), [this] { askForSession(); }});
    for (const Candidate* candidate : measuredOf(m_comparing.run()))
        offerOwn(Kind::Candidate, candidate->id, nameOfCandidate(candidate->id),
            tr("%1, %2").arg(bestWords(*candidate), stateWords(m_comparing.run(), *candidate)),
            badgeIcon(candidate->island));
    auto* picker = new ProgramPicker(tr("Program to compare"), std::move(rows), m_over);
    picker->popUpBy(button);
}

void ProgramChooser::askForFile()
{
    const QFileInfo session(text(m_context.session.snapshot().status.sessionPath));
    auto* dialog = new QFileDialog(m_over, tr("Program to compare"), session.absolutePath(),
        tr("Programs (*.cpp *.cu *.cc *.cxx);;All files (*)"));
    dialog->setObjectName(u"compareFileDialog"_s);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    connect(dialog, &QFileDialog::fileSelected, this, &ProgramChooser::addFile);
    dialog->open();
}

void ProgramChooser::addFile(const QString& path)
{
    const auto read = readTextFile(path.toStdString(), largestProgram);
    if (!read) {
        Q_EMIT failed(text(read.error().text), text(read.error().hint));
        return;
    }
    ComparedChoice choice;
    choice.kind = Kind::File;
    choice.name = QFileInfo(path).fileName().toStdString();
    choice.text = programInSaved(*read);
    add(std::move(choice));
}

void ProgramChooser::askForSession()
{
    auto* dialog = new QFileDialog(m_over, tr("Session to compare with"), m_context.settings.sessionsFolder(),
        tr("Tilewright sessions (*.tilewright)"));
    dialog->setObjectName(u"compareSessionDialog"_s);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    connect(dialog, &QFileDialog::fileSelected, this, &ProgramChooser::addSession);
    dialog->open();
}

void ProgramChooser::addSession(const QString& path)
{
    doAside(
        this, [file = path.toStdString()] { return readSession(file); },
        [this](const Read& read) {
            if (!read) {
                Q_EMIT failed(text(read.error().text), text(read.error().hint));
                return;
            }
            const auto& open = m_context.session.snapshot().pack;
            const TaskPack& other = (*read)->pack;
            if (!open)
                return;
            if (const std::string why = whyNotOneTask(*open, other); !why.empty()) {
                Q_EMIT failed(text(why), tr("compare programs of one task only"));
                return;
            }
            offer(*read);
        },
        awaitedThreads());
}

void ProgramChooser::offer(const std::shared_ptr<const OtherSession>& other)
{
    std::vector<ProgramPicker::Row> rows;
    const auto offerFixed = [&](Kind kind, const QString& name, QIcon sign) {
        ComparedChoice choice;
        choice.kind = kind;
        choice.other = other;
        rows.push_back({name, text(other->name), std::move(sign), [this, choice] { add(choice); }});
    };
    for (const Candidate* candidate : measuredOf(other->run))
        rows.push_back({nameOfCandidate(candidate->id),
            tr("%1, %2").arg(bestWords(*candidate), stateWords(other->run, *candidate)), badgeIcon(candidate->island),
            [this, other, id = candidate->id] { addOther(other, id); }});
    if (measuredBeside(other->run)) {
        offerFixed(Kind::Baseline, tr("baseline"), markerIcon(baselineMarker));
        if (!other->pack.task.vendor.empty())
            offerFixed(Kind::Vendor, vendorWords(other->pack.task.vendor), markerIcon(vendorMarker));
    }
    if (rows.empty()) {
        Q_EMIT failed(tr("%1 contains no measurements yet.").arg(text(other->name)), {});
        return;
    }
    auto* picker = new ProgramPicker(tr("Program of %1").arg(text(other->name)), std::move(rows), m_over);
    picker->popUpOver(*m_over);
}

void ProgramChooser::addOther(const std::shared_ptr<const OtherSession>& other, CandidateId id)
{
    const Candidate* candidate = other->run.candidate(id);
    if (!candidate)
        return;
    doAside(
        this, [path = other->path, hash = candidate->source] { return textOf(path, hash); },
        [this, other, id](const Result<std::string>& read) {
            if (!read) {
                Q_EMIT failed(text(read.error().text), text(read.error().hint));
                return;
            }
            ComparedChoice choice;
            choice.candidate = id;
            choice.other = other;
            choice.text = *read;
            add(std::move(choice));
        },
        awaitedThreads());
}

} // namespace tilewright::ui
