// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/review/shortened_text.h"

#include "ui/models/format.h"
#include "ui/theme/theme.h"

#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QVBoxLayout>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

namespace {

constexpr qsizetype mostShown = 420; ///< characters
constexpr int wholeHeight = 190; ///< about ten lines; the diff below keeps its room

} // namespace

ShortenedText::ShortenedText(const QString& name, QWidget* parent)
    : QWidget(parent)
    , m_beginning(new QLabel(this))
    , m_whole(new QPlainTextEdit(this))
    , m_more(new QPushButton(this))
{
    m_beginning->setObjectName(name);
    m_beginning->setTextFormat(Qt::PlainText);
    m_beginning->setWordWrap(true);
    m_beginning->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_whole->setObjectName(name + u"Whole"_s);
    m_whole->setReadOnly(true);
    m_whole->setFrameShape(QFrame::NoFrame);
    m_whole->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_whole->setTabChangesFocus(true);
    m_whole->document()->setDocumentMargin(0);
    m_whole->setFixedHeight(px(wholeHeight));
    m_more->setObjectName(name + u"More"_s);
    m_more->setProperty("kind", u"small"_s);
    m_more->setCheckable(true);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(px(4));
    column->addWidget(m_beginning);
    column->addWidget(m_whole);
    column->addWidget(m_more, 0, Qt::AlignLeft);
    connect(m_more, &QPushButton::toggled, this, &ShortenedText::showWhole);
    setWords({});
}

void ShortenedText::setWords(const QString& words)
{
    const bool isLong = words.size() > mostShown;
    m_more->setVisible(isLong);
    if (words == m_words && isLong)
        return; // it may be read on
    m_words = words;
    m_beginning->setText(beginningOf(words, mostShown));
    m_whole->setPlainText(isLong ? words : QString());
    m_more->setChecked(false);
    showWhole(false);
}

void ShortenedText::showWhole(bool on)
{
    m_whole->setFont(m_beginning->font());
    m_beginning->setVisible(!on);
    m_whole->setVisible(on);
    m_more->setText(on ? tr("Show less") : tr("Show all"));
}

} // namespace tilewright::ui
