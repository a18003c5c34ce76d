// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/finder.h"

#include "ui/evolve/evolve_page.h"
#include "ui/finder/finder_list.h"
#include "ui/models/display_text.h"
#include "ui/shell/budget_editor.h"
#include "ui/shell/main_window.h"
#include "ui/shell/proposer_editor.h"
#include "ui/theme/theme.h"
#include "ui/widgets/fields.h"
#include "ui/widgets/room.h"
#include "ui/widgets/segments.h"

#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QVBoxLayout>
#include <algorithm>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

namespace {

constexpr int mostUnasked = 9; ///< actions that are offered before anything is typed
constexpr std::size_t mostPlaces = 40;

std::set<Found::Kind> kindsWithMore(const FinderSearch& search)
{
    std::set<Found::Kind> kinds;
    for (const auto kind : {Found::Kind::Candidate, Found::Kind::Code, Found::Kind::BuildLog, Found::Kind::Event})
        if (search.hasMore(kind))
            kinds.insert(kind);
    return kinds;
}

/// By what a setting is found, the best first.
enum class PlaceMatch { Name, Words, Where, None };

PlaceMatch matchOf(const FinderPlace& place, const QString& wanted)
{
    const auto has = [&wanted](const QString& words) { return words.contains(wanted, Qt::CaseInsensitive); };
    return has(place.name) ? PlaceMatch::Name
        : has(place.words) ? PlaceMatch::Words
        : has(place.where) ? PlaceMatch::Where
                           : PlaceMatch::None;
}

} // namespace

Finder::Finder(const ViewContext& context, QWidget* parent)
    : QFrame(parent, Qt::Popup)
    , m_context(context)
    , m_box(new QLineEdit(this))
    , m_scopes(new Segments(
          tr("Where to search"), {tr("Everything"), tr("Code and logs  /"), tr("Code  code:"), tr("Logs  log:")}, this))
    , m_list(new FinderList(this))
    , m_state(new QLabel(this))
    , m_help(new QLabel(this))
    , m_search(new FinderSearch(context.session, this))
{
    setAttribute(Qt::WA_DeleteOnClose);
    setObjectName(u"finder"_s);
    setAccessibleName(tr("Finder"));
    setProperty("role", u"popup"_s);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(px(8), px(8), px(8), px(8));
    column->setSpacing(px(6));
    m_box->setObjectName(u"finderBox"_s);
    m_box->setPlaceholderText(tr("Candidate, action, setting, code or log"));
    m_box->setAccessibleName(tr("What to find"));
    m_scopes->setObjectName(u"finderScopes"_s);
    m_state->setObjectName(u"finderState"_s);
    m_state->setWordWrap(true);
    m_state->setTextFormat(Qt::PlainText);
    m_help->setObjectName(u"finderHelp"_s);
    m_help->setWordWrap(true);
    m_help->setTextFormat(Qt::PlainText);
    m_help->setProperty("tone", u"secondary"_s);
    m_help->setFont(fontOf(Type::Secondary));
    auto* scopes = new QHBoxLayout;
    scopes->addWidget(m_scopes);
    scopes->addStretch(1);
    column->addWidget(m_box);
    column->addLayout(scopes);
    column->addWidget(m_list, 1);
    column->addWidget(m_state);
    column->addWidget(m_help);
    resize(std::max(px(640), sizeHint().width()), px(460));
    m_box->installEventFilter(this);
    connect(m_box, &QLineEdit::textChanged, this, [this] { begin(); });
    connect(m_box, &QLineEdit::returnPressed, this, [this] { accept(); });
    connect(m_list, &QListWidget::itemClicked, this, [this] { accept(); });
    connect(m_scopes, &Segments::chosen, this, [this](int scope) {
        m_box->setText(inScope(m_box->text(), static_cast<FinderScope>(scope)));
        m_box->setFocus();
    });
    connect(m_search, &FinderSearch::found, this, [this](const std::vector<Found>& rows) {
        m_list->add(rows);
        m_hasNew = true;
    });
    connect(m_search, &FinderSearch::moved, this, [this] { refresh(); });
    begin();
    m_box->setFocus();
}

void Finder::setPlaces(std::vector<FinderPlace> places)
{
    m_places = std::move(places);
    begin();
}

void Finder::popUpOver(const QWidget& window)
{
    resize(std::min(width(), window.width() - px(16)), std::min(height(), window.height() - px(96)));
    move(window.mapToGlobal(QPoint((window.width() - width()) / 2, px(80))));
    show();
}

bool Finder::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::KeyPress) {
        const int key = static_cast<QKeyEvent*>(event)->key();
        const int step = key == Qt::Key_Down ? 1
            : key == Qt::Key_Up              ? -1
            : key == Qt::Key_PageDown        ? 10
            : key == Qt::Key_PageUp          ? -10
                                             : 0;
        if (step) {
            m_list->step(step);
            return true;
        }
    }
    return QFrame::eventFilter(watched, event);
}

void Finder::closeEvent(QCloseEvent* event)
{
    m_search->cancel();
    QFrame::closeEvent(event);
}

void Finder::begin()
{
    m_query = readFinderQuery(m_box->text());
    m_takesFirst = false;
    m_scopes->setCurrent(static_cast<int>(m_query.scope));
    m_help->setText(m_query.isRegular() ? tr("A regular expression, matched line by line and case-sensitive; (?i) "
                                             "ignores case. Arrow keys choose, Enter opens, Esc closes.")
                                        : tr("Words are searched everywhere. A regular expression: /pattern in code "
                                             "and logs, code:pattern or log:pattern in one of them."));
    m_list->clear();
    m_list->restart();
    if (!m_query.isRegular()) {
        addActions();
        addPlaces();
        const Candidate* named = m_context.session.run().candidate(namedBy(m_context.session.run(), m_query.wanted));
        if (named) { // without waiting: it is named to go there
            m_list->putFirst(Found::Kind::Candidate);
            m_list->add({foundCandidate(m_context.session.run(), *named, m_query.wanted)});
        }
    }
    m_search->start(m_query);
    m_hasNew = true;
    refresh();
}

void Finder::addActions()
{
    std::vector<Found> rows, notNow;
    for (const QAction* action : m_context.actions.all()) {
        const QString name = action->text().remove(u'&'), id = action->objectName();
        const qsizetype at = name.indexOf(m_query.wanted, 0, Qt::CaseInsensitive);
        if (!m_context.actions.isMeantBy(*action, m_query.wanted)
            || (m_query.wanted.isEmpty() && (!action->isEnabled() || std::ssize(rows) >= mostUnasked)))
            continue;
        Found found{.kind = action->isEnabled() ? Found::Kind::Action : Found::Kind::NotNow,
            .text = name,
            .start = static_cast<int>(std::max<qsizetype>(at, 0)),
            .length = at < 0 ? 0 : static_cast<int>(m_query.wanted.size()),
            .aside = action->isEnabled() ? action->shortcut().toString(QKeySequence::NativeText)
                                         : m_context.actions.reasonOf(id)};
        found.action = id;
        (action->isEnabled() ? rows : notNow).push_back(std::move(found));
    }
    m_list->add(rows);
    m_list->add(notNow);
}

void Finder::addPlaces()
{
    if (m_query.wanted.isEmpty())
        return;
    std::vector<std::pair<PlaceMatch, std::size_t>> matching;
    for (std::size_t i = 0; i < m_places.size(); ++i)
        if (const PlaceMatch match = matchOf(m_places[i], m_query.wanted); match != PlaceMatch::None)
            matching.emplace_back(match, i);
    // Whole names before parts of longer ones.
    std::ranges::stable_sort(matching, {}, [this](const auto& each) {
        return std::pair(each.first, m_places[each.second].name.compare(m_query.wanted, Qt::CaseInsensitive) != 0);
    });
    matching.resize(std::min(matching.size(), mostPlaces));
    std::vector<Found> rows;
    for (const auto& [match, i] : matching) {
        const FinderPlace& place = m_places[i];
        const qsizetype at = place.name.indexOf(m_query.wanted, 0, Qt::CaseInsensitive);
        Found found{.kind = Found::Kind::Place,
            .text = place.name,
            .start = static_cast<int>(std::max<qsizetype>(at, 0)),
            .length = at < 0 ? 0 : static_cast<int>(m_query.wanted.size()),
            .aside = place.where};
        found.place = i;
        rows.push_back(std::move(found));
    }
    m_list->add(rows);
}

void Finder::refresh()
{
    // A long search moves many times a second: only what is new is worth the work each time.
    constexpr qint64 tellsEveryMs = 100;
    const bool isRunning = m_search->isRunning();
    if (isRunning && !m_hasNew && m_sinceTold.isValid() && m_sinceTold.elapsed() < tellsEveryMs)
        return;
    m_sinceTold.start();
    const QString nothing = !m_query.problem.isEmpty() || m_search->isRunning() ? QString()
        : m_query.wanted.isEmpty()                                              ? tr("Type a pattern after the prefix")
                                   : tr("Nothing found for “%1”").arg(m_query.wanted);
    if (m_hasNew || !isRunning)
        m_list->refresh(kindsWithMore(*m_search), nothing);
    m_hasNew = false;
    restyle(m_state, "tone", m_query.problem.isEmpty() ? u"secondary"_s : u"bad"_s);
    m_state->setText(state());
    m_state->setAccessibleName(m_state->text());
    if (m_takesFirst && m_list->chosen())
        accept();
}

QString Finder::state() const
{
    if (!m_query.problem.isEmpty())
        return m_query.problem;
    if (m_search->isRunning())
        return m_search->texts() == 0 ? tr("Searching…")
                                      : tr("Searching… %1 of %2 texts")
                                            .arg(grouped(static_cast<std::int64_t>(m_search->read())),
                                                grouped(static_cast<std::int64_t>(m_search->texts())));
    const auto read = static_cast<std::int64_t>(m_search->read()), all = static_cast<std::int64_t>(m_search->texts());
    if (all == 0)
        return m_context.session.isOpen() ? QString()
                                          : tr("No session is open: only actions and settings are searched.");
    const QString searched = read < all
        ? tr("%1 of %2 texts searched: too many results to show").arg(grouped(read), grouped(all))
        : counted(all, tr("%1 text searched"), tr("%1 texts searched"));
    if (m_search->givenUp() == 0)
        return searched;
    return tr("%1. %2: use fewer nested repetitions in the pattern")
        .arg(searched,
            counted(m_search->givenUp(), tr("The pattern takes too long on %1 line, which was skipped"),
                tr("The pattern takes too long on %1 lines, which were skipped")));
}

void Finder::accept()
{
    const std::optional<Found> found = m_list->chosen();
    if (found && found->kind == Found::Kind::NotNow)
        return;
    if (!found) {
        m_takesFirst = m_search->isRunning();
        return;
    }
    const auto go = found->kind == Found::Kind::Place ? m_places[found->place].go : std::function<void()>();
    QAction* action = m_context.actions.find(found->action);
    m_takesFirst = false;
    close();
    switch (found->kind) {
    case Found::Kind::Action:
        if (action)
            action->trigger();
        break;
    case Found::Kind::NotNow:
        break;
    case Found::Kind::Place:
        go();
        break;
    case Found::Kind::Candidate:
        Q_EMIT candidateChosen(found->candidate);
        break;
    case Found::Kind::Code:
        Q_EMIT codeChosen(found->candidate, found->line);
        break;
    case Found::Kind::BuildLog:
        Q_EMIT buildLogChosen(found->candidate, found->line);
        break;
    case Found::Kind::Event:
        Q_EMIT eventChosen(found->candidate, found->line);
        break;
    }
}

namespace {

/// Cards that open over the window: what they hold is read from one that is never shown.
void addRun(MainWindow& window, std::vector<FinderPlace>& into)
{
    const Snapshot& snapshot = window.session().snapshot();
    const QString budgets = MainWindow::tr("Budgets of the run"), proposer = MainWindow::tr("Proposer of the run");
    const BudgetEditor budget(snapshot, &window);
    for (const auto& [name, words, field] : fieldsOf(budget))
        into.push_back({name, budgets, words, [&window, name] {
                            window.actions()[u"run.budget"_s].trigger();
                            focusIn(opened<BudgetEditor>(window), name);
                        }});
    const ProposerEditor asked(snapshot, &window);
    for (const auto& [name, words, field] : fieldsOf(asked))
        into.push_back({name, proposer, words, [&window, name] {
                            window.actions()[u"run.proposer"_s].trigger();
                            focusIn(opened<ProposerEditor>(window), name);
                        }});
}

} // namespace

std::vector<FinderPlace> finderPlaces(MainWindow& window)
{
    std::vector<FinderPlace> places;
    const EngineStatus& status = window.session().snapshot().status;
    if (status.sessionOpen && !status.readOnly)
        addRun(window, places);
    window.addFinderPlaces(places);
    return places;
}

void openFinder(MainWindow& window)
{
    auto* finder = new Finder(window.context(), &window);
    finder->setPlaces(finderPlaces(window));
    const auto select = [&window](CandidateId candidate) {
        window.showScreen(u"evolve"_s);
        if (candidate)
            window.selection().select(candidate);
    };
    QObject::connect(finder, &Finder::candidateChosen, &window, select);
    QObject::connect(finder, &Finder::codeChosen, &window, [&window, select](CandidateId candidate, int line) {
        select(candidate);
        window.evolve().showLine(TextTabs::Code, line);
    });
    QObject::connect(finder, &Finder::buildLogChosen, &window, [&window, select](CandidateId candidate, int line) {
        select(candidate);
        window.evolve().showLine(TextTabs::BuildLog, line);
    });
    QObject::connect(finder, &Finder::eventChosen, &window, [&window, select](CandidateId candidate, int row) {
        select(candidate);
        window.evolve().showEventLine(row);
    });
    finder->popUpOver(window);
}

} // namespace tilewright::ui
