// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/evolve/code_blame.h"

#include "core/base/text.h"
#include "ui/models/display_text.h"
#include "ui/theme/theme.h"
#include "ui/widgets/aside.h"
#include "ui/widgets/code_view.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/room.h"

#include <QHBoxLayout>
#include <QPushButton>
#include <QSignalBlocker>
#include <algorithm>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

namespace {

const QString blameAction = u"view.blame"_s;

QString blameWords(const Provenance& each)
{
    QStringList parts{nameOfCandidate(each.candidate)};
    for (const std::string& part : {gainText(each.gain), each.author, promptText(each), sharedCostText(each)})
        if (!part.empty())
            parts << text(part);
    return parts.join(u"  "_s);
}

QString blameTip(const Provenance& each, const std::string& title, int line)
{
    QStringList rows{u"%1: %2"_s.arg(nameOfCandidate(each.candidate), text(title)),
        each.author == each.proposer || each.proposer == "person"
            ? CodeBlame::tr("by %1").arg(text(each.author))
            : CodeBlame::tr("by %1 (%2)").arg(text(each.author), text(each.proposer))};
    if (const std::string prompt = promptText(each); !prompt.empty())
        rows << CodeBlame::tr("prompt: %1").arg(text(prompt));
    if (each.modelRequest)
        rows << (each.sharedBy > 1 ? CodeBlame::tr("cost: %1, for all %2 edits of the reply, repair turns included")
                                         .arg(text(costText(each)))
                                         .arg(each.sharedBy)
                                   : CodeBlame::tr("cost: %1, repair turns included").arg(text(costText(each))));
    if (each.gain)
        rows << CodeBlame::tr("gain of the whole edit over %1: %2, ratio %3")
                    .arg(nameOfCandidate(each.gain->parent), text(gainText(each.gain)),
                        text(timesText(each.gain->ratio)));
    else
        rows << CodeBlame::tr("gain: not measured, or nothing to compare with");
    rows << CodeBlame::tr("line %1 there; click to show it").arg(line);
    return rows.join(u'\n');
}

} // namespace

std::vector<LineNote> notesOf(const Blame& blame)
{
    std::vector<LineNote> notes;
    notes.reserve(blame.origins.lines.size());
    for (const LineOrigin& origin : blame.origins.lines) {
        LineNote note;
        note.line = static_cast<int>(origin.line) + 1;
        if (const auto found = blame.provenance.find(origin.candidate); found != blame.provenance.end()) {
            note.origin = origin.candidate.value;
            note.words = blameWords(found->second);
            note.whole = blameTip(found->second, blame.titles.at(origin.candidate), note.line);
            note.isNew = origin.candidate == blame.candidate;
        }
        notes.push_back(std::move(note));
    }
    return notes;
}

void CodeBlame::addTo(ActionRegistry& actions)
{
    actions.add({blameAction, tr("Bla&me lines of the code"), u"fork"_s, {},
        tr("Beside each line of the code: the candidate that introduced it, its author, prompt, cost and gain"), true});
    actions.giveWords(blameAction, tr("blame origin author lines annotate provenance who wrote"));
}

CodeBlame::CodeBlame(const ViewContext& context, CodeView& code, QWidget* parent)
    : QWidget(parent)
    , m_context(context)
    , m_code(code)
    , m_toggle(new QPushButton(tr("Blame"), this))
    , m_told(new ElidedLabel({}, this))
{
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(px(8), px(3), px(8), px(3));
    row->setSpacing(px(6));
    row->addWidget(m_told, 1);
    row->addWidget(m_toggle);
    QAction& action = context.actions[blameAction];
    m_toggle->setObjectName(u"blameToggle"_s);
    m_toggle->setProperty("kind", u"small"_s);
    m_toggle->setCheckable(true);
    m_toggle->setToolTip(action.toolTip());
    m_toggle->setAccessibleDescription(action.toolTip());
    m_told->setObjectName(u"blameState"_s);
    m_told->setFont(fontOf(Type::Secondary));
    m_told->setProperty("tone", u"secondary"_s);
    m_code.noteColumn().setAccessibleName(tr("Author of each line"));
    connect(m_toggle, &QPushButton::toggled, &action, &QAction::setChecked);
    connect(&action, &QAction::toggled, this, [this](bool on) {
        const QSignalBlocker quiet(m_toggle);
        m_toggle->setChecked(on);
        on ? ask() : clear();
    });
    m_toggle->setChecked(action.isChecked());
    connect(&context.session, &SessionClient::textReady, this, &CodeBlame::takeText);
    connect(&context.session, &SessionClient::changed, this, &CodeBlame::seeGains);
    connect(&m_code.noteColumn(), &NoteColumn::chosen, this,
        [this](std::int64_t origin, int line) { Q_EMIT chosen({origin}, line); });
    tell();
}

void CodeBlame::clear()
{
    ++m_id;
    m_awaited.clear();
    m_texts.reset();
    m_blame.reset();
    m_isRetelling = false;
    m_trouble.clear();
    m_state = State::Off;
    m_code.setNotes({});
    tell();
}

void CodeBlame::show(CandidateId candidate)
{
    if (candidate == m_candidate && m_state != State::Failed)
        return;
    clear();
    m_candidate = candidate;
    if (m_toggle->isChecked())
        ask();
}

void CodeBlame::ask()
{
    clear();
    if (!m_context.session.run().candidate(m_candidate))
        return;
    m_state = State::Computing;
    m_texts = std::make_shared<std::map<Hash, std::string>>();
    for (const Hash& hash : textsForBlame(m_context.session.run(), m_candidate))
        m_awaited[m_context.session.readText(hash)] = hash;
    tell();
}

void CodeBlame::takeText(quint64 tag, const QString& text)
{
    const auto asked = m_awaited.find(tag);
    if (asked == m_awaited.end())
        return;
    if (!text.isEmpty())
        (*m_texts)[asked->second] = text.toStdString();
    m_awaited.erase(asked);
    tell();
    if (m_awaited.empty())
        followLines();
}

void CodeBlame::followLines()
{
    doAside(
        this,
        [snapshot = m_context.session.pointer(), candidate = m_candidate, texts = m_texts] {
            return blameOf(snapshot->run, candidate, [&texts](const Hash& hash) -> Result<std::string> {
                const auto found = texts->find(hash);
                return found == texts->end()
                    ? tilewright::fail("session/text-missing", "a text of an ancestor is not in the session")
                    : Result<std::string>(found->second);
            });
        },
        [this, id = ++m_id](Result<Blame> blame) {
            if (id != m_id)
                return; // another candidate is shown by now
            blame ? take(std::move(*blame)) : fail(blame.error());
        },
        awaitedThreads());
    m_texts.reset();
}

void CodeBlame::take(Blame blame)
{
    m_gains = gainsOf(blame);
    m_blame = std::move(blame);
    m_state = State::Shown;
    showNotes();
    tell();
}

void CodeBlame::fail(const Error& error)
{
    m_state = State::Failed;
    m_trouble = asSentences(text(error.text), text(error.hint));
    tell();
}

void CodeBlame::textArrived() { showNotes(); }

void CodeBlame::showNotes()
{
    if (m_state != State::Shown)
        return;
    // The view may still have the text of another candidate.
    const std::vector<std::string_view> lines = splitLines(m_blame->origins.text);
    if (std::ranges::equal(m_code.lines(), lines, [](const CodeLine& shown, std::string_view line) {
            return shown.text == QString::fromUtf8(line.data(), static_cast<qsizetype>(line.size()));
        }))
        m_code.setNotes(notesOf(*m_blame));
}

std::vector<std::pair<EvaluationId, std::size_t>> CodeBlame::gainsOf(const Blame& blame) const
{
    const RunState& run = m_context.session.run();
    std::vector<std::pair<EvaluationId, std::size_t>> gains;
    for (const auto& [id, each] : blame.provenance) {
        const Candidate* candidate = run.candidate(id);
        gains.emplace_back(candidate ? candidate->latest : EvaluationId{},
            std::ranges::count_if(
                run.reruns, [id = id](const Rerun& rerun) { return rerun.candidate == id && rerun.evaluation; }));
    }
    return gains;
}

void CodeBlame::seeGains()
{
    if (m_state != State::Shown || m_isRetelling || !isVisible() || gainsOf(*m_blame) == m_gains)
        return;
    m_isRetelling = true;
    doAside(
        this,
        [snapshot = m_context.session.pointer(), blame = *m_blame] {
            return blameOf(snapshot->run, blame.candidate, blame.origins);
        },
        [this, id = m_id](Blame blame) {
            if (id != m_id)
                return;
            m_isRetelling = false;
            take(std::move(blame));
        });
}

void CodeBlame::tell()
{
    setProperty(awaited, m_state == State::Computing);
    switch (m_state) {
    case State::Off:
        return m_told->setText({});
    case State::Computing:
        return m_told->setText(m_awaited.empty() ? tr("Tracing the lines through the ancestors…")
                                                 : tr("Reading the ancestors: %1 texts left…").arg(m_awaited.size()));
    case State::Failed:
        return m_told->setText(m_trouble);
    case State::Shown:
        break;
    }
    const std::size_t brought = m_blame->provenance.size();
    m_told->setText(brought == 1
            ? tr("All lines were introduced by %1.").arg(nameOfCandidate(m_blame->provenance.begin()->first))
            : tr("The lines were introduced by %1 candidates.").arg(brought));
}

} // namespace tilewright::ui
