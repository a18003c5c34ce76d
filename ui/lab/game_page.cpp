// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lab/game_page.h"

#include "ui/lab/game_views.h"
#include "ui/models/display_text.h"
#include "ui/theme/theme.h"
#include "ui/widgets/pane.h"

#include <QComboBox>
#include <QGridLayout>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QSplitter>
#include <QVBoxLayout>
#include <QtConcurrentRun>
#include <algorithm>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

namespace {

const std::vector<tensor::Format> gameFormats{{1, 2, 2}, {2, 2, 2}, {2, 2, 3}, {2, 3, 3}, {3, 3, 3}};
constexpr int usualGame = 1;

} // namespace

GamePage::GamePage(LabModel& lab, QWidget* parent)
    : QWidget(parent)
    , m_lab(lab)
    , m_game(gameFormats[usualGame], tensor::Ring::Integers)
{
    setObjectName(u"gamePage"_s);
    auto* both = new QSplitter(Qt::Horizontal, this);
    both->addWidget(buildBoard());
    both->addWidget(buildMoves());
    both->setStretchFactor(0, 60);
    both->setStretchFactor(1, 40);
    both->setChildrenCollapsible(false);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(both);
    connect(&m_search, &QFutureWatcherBase::finished, this, &GamePage::takeHint);
    begin();
}

GamePage::~GamePage() { m_search.waitForFinished(); }

QWidget* GamePage::buildBoard()
{
    m_boardTitle = new DockTitle(tr("TensorGame"), this);
    m_formats = new QComboBox(m_boardTitle);
    m_formats->setObjectName(u"gameFormat"_s);
    m_formats->setAccessibleName(tr("Format"));
    m_formats->setFont(fontOf(Type::Secondary));
    for (const tensor::Format& each : gameFormats)
        m_formats->addItem(text(tensor::textOf(each)));
    m_formats->setCurrentIndex(usualGame);
    m_rings = new Segments(tr("Numbers"), {tr("integers"), tr("mod 2")}, m_boardTitle);
    m_rings->setObjectName(u"gameRing"_s);
    m_boardTitle->addControl(m_formats);
    m_boardTitle->addControl(m_rings);
    connect(m_formats, &QComboBox::currentIndexChanged, this, &GamePage::begin);
    connect(m_rings, &Segments::chosen, this, &GamePage::begin);
    m_board = new ResidualView(this);
    return pane(m_boardTitle, m_board, this);
}

QWidget* GamePage::buildMoves()
{
    auto* title = new DockTitle(tr("Moves"), this);
    title->setSubText(tr("each subtracts u ⊗ v ⊗ w"));
    auto* content = new QWidget(this);
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(px(12), px(10), px(12), px(10));
    column->setSpacing(px(8));
    m_figures = new QLabel(content);
    m_figures->setObjectName(u"gameFigures"_s);
    m_figures->setWordWrap(true);
    column->addWidget(m_figures);
    m_cells = new MoveView(content);
    column->addWidget(m_cells);
    m_typed = new QLineEdit(content);
    m_typed->setObjectName(u"gameTyped"_s);
    m_typed->setAccessibleName(tr("A move, typed"));
    m_typed->setPlaceholderText(tr("or type it: (a11+a22)*(b11+b22)*(c11+c22)"));
    m_typed->setFont(fontOf(Type::Mono));
    column->addWidget(m_typed);
    connect(m_typed, &QLineEdit::returnPressed, this, &GamePage::playText);
    auto* buttons = new QGridLayout;
    const auto button = [&](const QString& name, const QString& sign, const QString& words, int row, int at) {
        auto* made = new QPushButton(icon(sign), words, content);
        made->setObjectName(name);
        buttons->addWidget(made, row, at);
        return made;
    };
    m_subtract = button(u"gameSubtract"_s, u"check"_s, tr("Subtract"), 0, 0);
    m_hint = button(u"gameHint"_s, u"search"_s, tr("Hint"), 0, 1);
    auto* anew = button(u"gameNew"_s, u"file"_s, tr("New game"), 0, 2);
    m_undo = button(u"gameUndo"_s, u"undo"_s, tr("Undo"), 1, 0);
    m_redo = button(u"gameRedo"_s, u"redo"_s, tr("Redo"), 1, 1);
    m_toScheme = button(u"gameScheme"_s, u"forward"_s, tr("Show as scheme"), 1, 2);
    m_toSearch = button(u"gameSearch"_s, u"search"_s, tr("Search from here"), 2, 0);
    m_toSearch->setToolTip(tr("Keep these moves, and search the flip graph for products of what is left"));
    column->addLayout(buttons);
    connect(m_toSearch, &QPushButton::clicked, this, [this] { searchFrom(m_game); });
    connect(m_subtract, &QPushButton::clicked, this, &GamePage::play);
    connect(m_hint, &QPushButton::clicked, this, &GamePage::askForHint);
    connect(anew, &QPushButton::clicked, this, &GamePage::begin);
    connect(m_undo, &QPushButton::clicked, this, [this] {
        m_game.undo();
        show();
    });
    connect(m_redo, &QPushButton::clicked, this, [this] {
        m_game.redo();
        show();
    });
    connect(m_toScheme, &QPushButton::clicked, this, [this] {
        tensor::Scheme scheme = m_game.scheme();
        scheme.name = tr("TensorGame").toStdString();
        m_lab.setScheme(std::move(scheme));
        showScheme();
    });
    m_told = new QLabel(content);
    m_told->setObjectName(u"gameTold"_s);
    m_told->setWordWrap(true);
    column->addWidget(m_told);
    m_list = new QListWidget(content);
    m_list->setObjectName(u"gameMoves"_s);
    m_list->setAccessibleName(tr("Moves that were played"));
    m_list->setFont(fontOf(Type::Mono));
    column->addWidget(m_list, 1);
    return pane(title, content, this);
}

void GamePage::begin()
{
    const tensor::Format& format = gameFormats[static_cast<std::size_t>(m_formats->currentIndex())];
    const tensor::Ring ring = m_rings->current() == 0 ? tensor::Ring::Integers : tensor::Ring::Mod2;
    m_game = tensor::TensorGame(format, ring);
    m_cells->reset(format, ring);
    m_typed->clear();
    tell(tr("Make all entries zero with as few moves as possible. The definition needs %1.").arg(format.naiveRank()),
        false);
    show();
}

void GamePage::replay(const tensor::Format& format, const std::vector<tensor::GameMove>& moves)
{
    const auto at = std::ranges::find(gameFormats, format);
    if (at == gameFormats.end())
        return;
    m_formats->setCurrentIndex(static_cast<int>(at - gameFormats.begin()));
    m_rings->setCurrent(0);
    begin();
    for (const tensor::GameMove& move : moves)
        if (!m_game.play(move))
            break;
    tell({}, false);
    show();
}

void GamePage::play()
{
    if (auto played = m_game.play(m_cells->move()); !played)
        return tell(text(played.error().text), true);
    m_cells->reset(m_game.format(), m_game.ring());
    tell({}, false);
    show();
}

void GamePage::playText()
{
    const auto move = tensor::moveIn(m_typed->text().toStdString(), m_game.format());
    if (!move)
        return tell(text(move.error().text), true);
    m_cells->setMove(*move);
    if (auto played = m_game.play(*move); !played)
        return tell(text(played.error().text), true);
    m_typed->clear();
    m_cells->reset(m_game.format(), m_game.ring());
    tell({}, false);
    show();
}

void GamePage::askForHint()
{
    if (m_search.isRunning() || m_game.isSolved())
        return;
    m_askedAt = m_game.moves().size();
    m_hint->setEnabled(false);
    tell(tr("Looking for few moves whose sum is what is left…"), false);
    m_search.setFuture(QtConcurrent::run([game = m_game] { return game.hint(); }));
}

void GamePage::takeHint()
{
    m_hint->setEnabled(!m_game.isSolved());
    const auto hint = m_search.result();
    if (!hint || m_askedAt != m_game.moves().size() || hint->move.u.size() != m_cells->move().u.size()
        || hint->move.v.size() != m_cells->move().v.size() || (hint->remaining > 0 && !m_game.follow(hint->plan)))
        return tell({}, false); // the game went on meanwhile
    m_cells->setMove(hint->move);
    if (hint->remaining > 0) {
        const QString move = text(tensor::textOf(hint->move, m_game.format()));
        return tell(hint->remaining == 1
                ? tr("Hint: %1; 1 move suffices from here by a search of the residual.").arg(move)
                : tr("Hint: %1; %2 moves suffice from here by a search of the residual.")
                      .arg(move)
                      .arg(hint->remaining),
            false);
    }
    QString words = tr("This move leaves %1 entries that are not zero, the fewest that one move can leave. It need not "
                       "lead to the fewest moves.")
                        .arg(hint->nonzeros);
    if (!hint->isComplete)
        words
            = tr("This move leaves %1 entries that are not zero, the fewest among moves with up to %2 terms in a sum.")
                  .arg(hint->nonzeros)
                  .arg(hint->mostTerms);
    tell(words, false);
}

void GamePage::show()
{
    m_board->show(m_game);
    const int moves = static_cast<int>(m_game.moves().size());
    const bool isSolved = m_game.isSolved();
    m_boardTitle->setSubText(moves == 0 ? tr("a slice for each entry of C; rows are entries of A, columns of B")
                                        : tr("after move %1; what it changed is framed").arg(moves));
    m_figures->setText(isSolved ? tr("Solved in %1 moves; the definition of the product needs %2.")
                                      .arg(moves)
                                      .arg(m_game.format().naiveRank())
                                : tr("%1 entries are not zero · %2 moves so far · at least %3 more, at most %4 more")
                                      .arg(m_game.nonzeros())
                                      .arg(moves)
                                      .arg(m_game.lowerBound())
                                      .arg(m_game.upperBound()));
    m_list->clear();
    for (int at = 0; at < moves; ++at)
        m_list->addItem(u"%1  %2"_s.arg(at + 1, 2).arg(
            text(tensor::textOf(m_game.moves()[static_cast<std::size_t>(at)], m_game.format()))));
    m_list->scrollToBottom();
    m_undo->setEnabled(moves > 0);
    m_redo->setEnabled(m_game.canRedo());
    m_subtract->setEnabled(!isSolved);
    m_hint->setEnabled(!isSolved && !m_search.isRunning());
    m_toScheme->setEnabled(isSolved && moves > 0);
    m_toSearch->setEnabled(!isSolved);
}

void GamePage::tell(const QString& words, bool isWrong)
{
    m_told->setText(words);
    QPalette palette = m_told->palette();
    palette.setColor(QPalette::WindowText, isWrong ? tokens().bad : tokens().secondary);
    m_told->setPalette(palette);
}

QString GamePage::statusText() const
{
    return tr("TensorGame %1: %2 moves, %3 entries left")
        .arg(text(tensor::textOf(m_game.format())))
        .arg(m_game.moves().size())
        .arg(m_game.nonzeros());
}

} // namespace tilewright::ui
