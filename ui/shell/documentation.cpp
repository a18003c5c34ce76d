// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/documentation.h"

#include "core/base/folders.h"
#include "ui/theme/theme.h"
#include "ui/widgets/room.h"

#include <QDesktopServices>
#include <QPushButton>
#include <QTextBlock>
#include <QTextBrowser>
#include <QUrl>
#include <QVBoxLayout>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

namespace {

QString folder() { return QString::fromStdString((sharedFolder() / "docs").string()); }

} // namespace

const std::vector<Explanation>& explanations()
{
    const QString evaluation = u"evaluation.md"_s, steering = u"steering.md"_s, models = u"models.md"_s,
                  start = u"getting-started.md"_s;
    const DocumentationPlace figures{evaluation, u"Figures on screen"_s}, budgets{steering, u"Budgets"_s};
    static const std::vector<Explanation> all{
        {u"bestBadge"_s, figures},
        {u"evaluationsMeter"_s, budgets},
        {u"wallMeter"_s, budgets},
        {u"noGainMeter"_s, budgets},
        {u"tokensMeter"_s, budgets},
        {u"costMeter"_s, budgets},
        {u"runState"_s, {steering, u"Run, pause, step, stop"_s}},
        {u"waitsForYou"_s, {steering, u"Reviews"_s}},
        {u"scoreFigure"_s, figures},
        {u"scoreWord"_s, figures},
        {u"vendorFigure"_s, figures},
        {u"resourceBoxes"_s, figures},
        {u"shapeTable"_s, figures},
        {u"outcomeText"_s, {evaluation, u"Outcomes"_s}},
        {u"outcomeRule"_s, {evaluation, u"Checks"_s}},
        {u"checkList"_s, {evaluation, u"Checks"_s}},
        {u"evidenceScroll"_s, {evaluation, u"Checks"_s}},
        {u"runsTable"_s, {steering, u"Re-runs"_s}},
        {u"fitnessPlot"_s, {start, u"Fitness plot"_s}},
        {u"islandList"_s, {steering, u"Islands"_s}},
        {u"nicheView"_s, {steering, u"Islands"_s}},
        {u"lineageView"_s, {start, u"The screens"_s}},
        {u"candidateTable"_s, {steering, u"Single candidates"_s}},
        {u"statisticsTable"_s, {models, u"How a run uses models"_s}},
        {u"policyBox"_s, {steering, u"Changing the policy during a run"_s}},
        {u"reviewQueue"_s, {steering, u"Reviews"_s}},
        {u"noisePlot"_s, figures},
        {u"candidateDisputed"_s, {steering, u"Re-runs"_s}},
        {u"candidateChange"_s, figures},
        {u"statePill"_s, {evaluation, u"Outcomes"_s}},
    };
    return all;
}

std::optional<DocumentationPlace> explanationOf(const QWidget* widget)
{
    for (; widget; widget = widget->parentWidget())
        for (const Explanation& each : explanations())
            if (each.object == widget->objectName())
                return each.place;
    return std::nullopt;
}

QString anchorOf(const QString& heading)
{
    QString anchor;
    for (const QChar c : heading.toLower())
        if (c.isLetterOrNumber() || c == u'-' || c == u'_' || c == u' ')
            anchor += c == u' ' ? QChar(u'-') : c;
    return anchor;
}

DocumentationPage::DocumentationPage(QWidget* parent)
    : QDialog(parent)
    , m_text(new QTextBrowser(this))
{
    setAttribute(Qt::WA_DeleteOnClose);
    setObjectName(u"documentationPage"_s);
    setWindowTitle(tr("Documentation"));
    openAs(*this, 900, 700, parent);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(px(12), px(12), px(12), px(12));
    m_text->setObjectName(u"documentationText"_s);
    m_text->setAccessibleName(tr("Documentation"));
    m_text->setOpenLinks(false);
    connect(m_text, &QTextBrowser::anchorClicked, this, [this](const QUrl& link) {
        if (!link.scheme().isEmpty() && link.scheme() != u"file"_s)
            QDesktopServices::openUrl(link);
        else if (link.path().isEmpty())
            scrollTo(link.fragment());
        else if (const QUrl whole = m_text->source().resolved(link); whole.path().endsWith(u".md"_s)) {
            m_text->setSource(whole.adjusted(QUrl::RemoveFragment));
            scrollTo(link.fragment());
        }
    });
    auto* back = new QPushButton(tr("Back"), this);
    back->setAutoDefault(false);
    back->setEnabled(false);
    connect(back, &QPushButton::clicked, m_text, &QTextBrowser::backward);
    connect(m_text, &QTextBrowser::backwardAvailable, back, &QPushButton::setEnabled);
    column->addWidget(m_text, 1);
    column->addWidget(back, 0, Qt::AlignLeft);
}

void DocumentationPage::open(const DocumentationPlace& place)
{
    m_text->setSource(QUrl::fromLocalFile(folder() + u'/' + place.page), QTextDocument::MarkdownResource);
    scrollTo(anchorOf(place.heading));
}

void DocumentationPage::scrollTo(const QString& anchor)
{
    for (QTextBlock block = m_text->document()->begin(); block.isValid() && !anchor.isEmpty(); block = block.next())
        if (block.blockFormat().headingLevel() > 0 && anchorOf(block.text()) == anchor) {
            QTextCursor cursor(block);
            m_text->moveCursor(QTextCursor::End); // so that the heading comes to the upper edge
            m_text->setTextCursor(cursor);
            m_text->ensureCursorVisible();
            return;
        }
}

} // namespace tilewright::ui
