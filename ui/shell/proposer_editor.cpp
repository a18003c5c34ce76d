// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/proposer_editor.h"

#include "core/engine/proposals/proposing.h"
#include "ui/models/display_text.h"
#include "ui/theme/theme.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/room.h"

#include <QComboBox>
#include <QFileDialog>
#include <QGridLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

namespace {

constexpr int inWindow = 0, inFolder = 1; ///< where prompts for a user wait
constexpr int fieldWidth = 360;

/// A popup takes no more height than it has asked for: words that wrap say how high they are.
void say(QLabel& label, const QString& words)
{
    label.setText(words);
    label.setMinimumHeight(label.heightForWidth(px(fieldWidth)));
}

QString aboutKind(const QString& kind)
{
    if (kind == u"mutator"_s)
        return ProposerEditor::tr("Built-in transforms and tunables of the program; free, no key, no network.");
    if (kind == u"tuner"_s)
        return ProposerEditor::tr("Searches the declared tunables only; free.");
    if (kind == u"model"_s)
        return ProposerEditor::tr("The models of a models file, chosen by weight; each island can have its own mix.");
    return ProposerEditor::tr("Each prompt is shown to you, and you supply the reply: from a chat, or your own.");
}

QString heldBy(const QString& proposer, const QString& kind)
{
    const ProposerWords words = wordsOfProposer(proposer.toStdString());
    return words.kind == kind.toStdString() ? text(words.with) : QString();
}

} // namespace

ProposerEditor::ProposerEditor(const Snapshot& snapshot, QWidget* parent, const QString& wanted)
    : EditPopup(parent)
    , m_now(text(snapshot.run.settings.proposer))
    , m_isRunning(snapshot.status.phase == events::Phase::Running)
    , m_kind(new QComboBox(this))
    , m_about(new QLabel(this))
    , m_waitsName(new QLabel(tr("Prompt location"), this))
    , m_waits(new QComboBox(this))
    , m_withName(new QLabel(this))
    , m_with(new QLineEdit(this))
    , m_choose(new QPushButton(icon(u"folder"_s, Tint::Secondary), tr("Choose…"), this))
    , m_note(new QLabel(this))
{
    setObjectName(u"proposerEditor"_s);
    setAccessibleName(tr("What generates edits"));
    if (snapshot.pack)
        for (const char* builtIn : {"mutator", "tuner"})
            if (const auto fits = checkFit(builtIn, *snapshot.pack, snapshot.run); !fits)
                m_whyNot[QString::fromLatin1(builtIn)] = asSentences(text(fits.error().text), {});
    auto* grid = new QGridLayout(this);
    grid->setContentsMargins(px(14), px(12), px(14), px(12));
    grid->setSpacing(px(8));
    grid->setColumnMinimumWidth(1, px(fieldWidth));
    auto* title = new QLabel(tr("What generates edits"), this);
    title->setFont(fontOf(Type::Strong));
    grid->addWidget(title, 0, 0, 1, 2);
    m_kind->setObjectName(u"proposerKind"_s);
    m_kind->setAccessibleName(tr("Proposer"));
    m_kind->addItem(icon(u"dice"_s, Tint::Secondary), tr("Built-in mutator"), u"mutator"_s);
    m_kind->addItem(icon(u"filter"_s, Tint::Secondary), tr("Tuner"), u"tuner"_s);
    m_kind->addItem(icon(u"chat"_s, Tint::Secondary), tr("Language models"), u"model"_s);
    m_kind->addItem(icon(u"hand"_s, Tint::Secondary), tr("Manual replies"), u"manual"_s);
    auto* kindName = new QLabel(tr("Proposer"), this);
    kindName->setBuddy(m_kind);
    grid->addWidget(kindName, 1, 0);
    grid->addWidget(m_kind, 1, 1);
    m_about->setObjectName(u"proposerAbout"_s);
    m_about->setFont(fontOf(Type::Secondary));
    m_about->setProperty("tone", u"secondary"_s);
    m_about->setWordWrap(true);
    grid->addWidget(m_about, 2, 1);
    m_waits->setObjectName(u"promptsWait"_s);
    m_waits->setAccessibleName(tr("Where prompts wait for replies"));
    m_waits->addItem(tr("in this window, under Prompts"));
    m_waits->addItem(tr("in a folder, as files"));
    m_waitsName->setBuddy(m_waits);
    grid->addWidget(m_waitsName, 3, 0);
    grid->addWidget(m_waits, 3, 1);
    m_withName->setBuddy(m_with);
    grid->addWidget(m_withName, 4, 0);
    grid->addWidget(placeRow(), 4, 1);
    m_note->setObjectName(u"proposerNote"_s);
    m_note->setFont(fontOf(Type::Secondary));
    m_note->setWordWrap(true);
    grid->addWidget(m_note, 5, 0, 1, 2);
    auto* apply = new QPushButton(tr("Apply"), this);
    apply->setObjectName(u"applyProposer"_s);
    apply->setProperty("kind", u"primary"_s);
    grid->addWidget(apply, 6, 1);
    m_apply = apply;
    const QString opening = wanted.isEmpty() ? m_now : wanted;
    connect(m_kind, &QComboBox::currentIndexChanged, this, [this, opening] {
        const QString held = heldBy(opening, kind());
        m_with->setText(kind() == u"model"_s && held.isEmpty() ? text(modelsFileOf("model").string()) : held);
        m_waits->setCurrentIndex(kind() == u"manual"_s && !held.isEmpty() ? inFolder : inWindow);
        showFields();
    });
    connect(m_waits, &QComboBox::currentIndexChanged, this, [this] { showFields(); });
    connect(m_with, &QLineEdit::textChanged, this, [this] { judge(); });
    connect(apply, &QPushButton::clicked, this, [this] { accept(); });
    const int known = m_kind->findData(text(wordsOfProposer(opening.toStdString()).kind));
    m_kind->setCurrentIndex(-1); // so that the first choice is a change as well
    m_kind->setCurrentIndex(std::max(0, known));
    m_kind->setFocus();
}

QWidget* ProposerEditor::placeRow()
{
    auto* row = new QWidget(this);
    auto* line = new QHBoxLayout(row);
    line->setContentsMargins(0, 0, 0, 0);
    line->setSpacing(px(6));
    m_with->setObjectName(u"proposerWith"_s);
    m_choose->setObjectName(u"choosePlace"_s);
    line->addWidget(m_with, 1);
    line->addWidget(m_choose);
    connect(m_choose, &QPushButton::clicked, this, [this] {
        Q_EMIT placeWanted(kind(), m_with->text().trimmed());
        close();
    });
    return row;
}

void ProposerEditor::present(SessionClient& session, QWidget& over, const QString& wanted)
{
    if (!session.isOpen() || session.snapshot().status.readOnly)
        return;
    QWidget* window = over.window();
    auto* editor = new ProposerEditor(session.snapshot(), window, wanted);
    connect(editor, &ProposerEditor::accepted, &session,
        [&session](const QString& proposer) { session.execute(commands::SetProposer{proposer.toStdString()}); });
    connect(editor, &ProposerEditor::placeWanted, &over,
        [&session, &over, window](const QString& kind, const QString& from) {
            const bool isFolder = kind == u"manual"_s;
            auto* dialog
                = new QFileDialog(window, isFolder ? tr("A folder for prompts and replies") : tr("A models file"), from,
                    isFolder ? QString() : tr("Models files (*.json)"));
            dialog->setObjectName(u"placeDialog"_s);
            dialog->setAttribute(Qt::WA_DeleteOnClose);
            dialog->setFileMode(isFolder ? QFileDialog::Directory : QFileDialog::ExistingFile);
            dialog->setOption(QFileDialog::ShowDirsOnly, isFolder);
            connect(dialog, &QFileDialog::finished, &over, [&session, &over, dialog, kind, from](int result) {
                const QString found = result == QDialog::Accepted ? dialog->selectedFiles().value(0) : from;
                present(session, over, found.isEmpty() ? kind : kind + u':' + found);
            });
            dialog->open();
        });
    editor->popUpOver(over);
}

QString ProposerEditor::kind() const { return m_kind->currentData().toString(); }
bool ProposerEditor::isInFolder() const { return kind() == u"manual"_s && m_waits->currentIndex() == inFolder; }

QString ProposerEditor::chosen() const
{
    const QString with = m_with->text().trimmed();
    const bool isOwnFile = kind() == u"model"_s && !with.isEmpty() && with != text(modelsFileOf("model").string());
    return isOwnFile || isInFolder() ? kind() + u':' + with : kind();
}

void ProposerEditor::showFields()
{
    const bool isModel = kind() == u"model"_s, isManual = kind() == u"manual"_s;
    say(*m_about, aboutKind(kind()));
    m_waits->setVisible(isManual);
    m_waitsName->setVisible(isManual);
    for (QWidget* one : std::initializer_list<QWidget*>{m_withName, m_with, m_choose})
        one->setVisible(isModel || isInFolder());
    m_withName->setText(isModel ? tr("Models file") : tr("Folder"));
    m_with->setAccessibleName(isModel ? tr("Models file") : tr("Folder for prompts and replies"));
    m_choose->setAccessibleName(isModel ? tr("Choose the models file") : tr("Choose the folder"));
    judge();
}

void ProposerEditor::judge()
{
    const QString with = m_with->text().trimmed();
    QString objection;
    if (const auto unfit = m_whyNot.find(kind()); unfit != m_whyNot.end())
        objection = unfit->second;
    else if (kind() == u"model"_s && !QFileInfo(with).isFile())
        objection = tr("The file does not exist. Models are set up in Settings.");
    else if (isInFolder() && with.isEmpty())
        objection = tr("Choose the folder for prompts and replies.");
    else if (isInFolder() && QFileInfo(with).isFile())
        objection = tr("The path is a file, not a folder.");
    const bool isNew = chosen() != m_now;
    const QString holds = !isNew ? tr("This is the current proposer.")
        : m_isRunning ? tr("Replies in flight are paid for and are awaited; the next edit comes from the new proposer.")
                      : tr("The next edit comes from the new proposer.");
    restyle(m_note, "tone", objection.isEmpty() ? u"secondary"_s : u"bad"_s);
    say(*m_note, objection.isEmpty() ? holds : objection);
    m_apply->setEnabled(objection.isEmpty() && isNew);
    adjustSize();
}

void ProposerEditor::accept()
{
    if (!m_apply->isEnabled())
        return;
    Q_EMIT accepted(chosen());
    close();
}

} // namespace tilewright::ui
