// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/proposer_editor.h"

#include "core/engine/proposing.h"
#include "ui/models/format.h"
#include "ui/widgets/tone.h"

#include <QComboBox>
#include <QFileInfo>
#include <QGridLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

ProposerEditor::ProposerEditor(const Snapshot& snapshot, QWidget* parent)
    : LeverPopup(parent)
    , m_now(text(snapshot.run.settings.proposer))
    , m_isRunning(snapshot.status.phase == events::Phase::Running)
    , m_kind(new QComboBox(this))
    , m_withName(new QLabel(this))
    , m_with(new QLineEdit(this))
    , m_note(new QLabel(this))
{
    setObjectName(u"proposerEditor"_s);
    setAccessibleName(tr("Who is asked for edits"));
    if (snapshot.pack)
        if (const auto fits = checkFit("tuner", *snapshot.pack, snapshot.run); !fits)
            m_whyNoTuner = text(fits.error().text);
    auto* grid = new QGridLayout(this);
    grid->setContentsMargins(px(14), px(12), px(14), px(12));
    grid->setSpacing(px(8));
    grid->setColumnMinimumWidth(1, px(300));
    auto* title = new QLabel(tr("Who is asked for edits"), this);
    title->setFont(fontOf(Type::Strong));
    grid->addWidget(title, 0, 0, 1, 2);
    m_kind->setObjectName(u"proposerKind"_s);
    m_kind->setAccessibleName(tr("Proposer"));
    m_kind->addItem(tr("Built-in mutator"), u"mutator"_s);
    m_kind->addItem(tr("Tuner"), u"tuner"_s);
    m_kind->addItem(tr("Language models"), u"model"_s);
    m_kind->addItem(tr("By hand"), u"manual"_s);
    auto* kindName = new QLabel(tr("Proposer"), this);
    kindName->setBuddy(m_kind);
    grid->addWidget(kindName, 1, 0);
    grid->addWidget(m_kind, 1, 1);
    m_with->setObjectName(u"proposerWith"_s);
    m_withName->setBuddy(m_with);
    grid->addWidget(m_withName, 2, 0);
    grid->addWidget(m_with, 2, 1);
    m_note->setObjectName(u"proposerNote"_s);
    m_note->setFont(fontOf(Type::Secondary));
    m_note->setWordWrap(true);
    grid->addWidget(m_note, 3, 0, 1, 2);
    auto* apply = new QPushButton(tr("Apply"), this);
    apply->setObjectName(u"applyProposer"_s);
    apply->setProperty("kind", u"primary"_s);
    grid->addWidget(apply, 4, 1);
    m_apply = apply;
    const ProposerWords now = wordsOfProposer(m_now.toStdString());
    connect(m_kind, &QComboBox::currentIndexChanged, this, [this, now] {
        const QString kind = m_kind->currentData().toString();
        const bool isModel = kind == u"model"_s;
        m_with->setVisible(isModel || kind == u"manual"_s);
        m_withName->setVisible(m_with->isVisibleTo(this));
        m_withName->setText(isModel ? tr("Models file") : tr("Folder"));
        m_with->setAccessibleName(isModel ? tr("Models file") : tr("Folder for prompts and replies"));
        m_with->setPlaceholderText(isModel ? QString() : tr("none: in this window"));
        const QString held = now.kind == kind.toStdString() ? text(now.with) : QString();
        m_with->setText(isModel && held.isEmpty() ? text(modelsFileOf("model").string()) : held);
        judge();
    });
    connect(m_with, &QLineEdit::textChanged, this, [this] { judge(); });
    connect(apply, &QPushButton::clicked, this, [this] { accept(); });
    const int known = m_kind->findData(text(now.kind));
    m_kind->setCurrentIndex(-1); // so that the first choice is a change as well
    m_kind->setCurrentIndex(std::max(0, known));
    m_kind->setFocus();
}

QString ProposerEditor::chosen() const
{
    const QString kind = m_kind->currentData().toString(), with = m_with->text().trimmed();
    const bool isUsual = with.isEmpty() || (kind == u"model"_s && with == text(modelsFileOf("model").string()));
    return isUsual || !m_with->isVisibleTo(this) ? kind : kind + u':' + with;
}

void ProposerEditor::judge()
{
    const QString kind = m_kind->currentData().toString();
    QString objection;
    if (kind == u"tuner"_s)
        objection = m_whyNoTuner;
    else if (kind == u"model"_s && !QFileInfo(m_with->text().trimmed()).isFile())
        objection = tr("There is no such file. Models are set up in Settings.");
    const bool isNew = chosen() != m_now;
    const QString holds = !isNew ? tr("This is who is asked now.")
        : m_isRunning            ? tr("Replies that are paid for are waited for; the next edit comes from the new one.")
                                 : tr("The next edit comes from the new one.");
    restyle(m_note, "tone", objection.isEmpty() ? u"secondary"_s : u"bad"_s);
    m_note->setText(objection.isEmpty() ? holds : objection);
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
