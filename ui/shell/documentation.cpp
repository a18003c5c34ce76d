// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/documentation.h"

#include "core/base/files.h"
#include "core/base/folders.h"
#include "ui/theme/theme.h"
#include "ui/widgets/file_question.h"
#include "ui/widgets/room.h"

#include <QBuffer>
#include <QDesktopServices>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QMessageBox>
#include <QPdfWriter>
#include <QPushButton>
#include <QTextBlock>
#include <QTextBrowser>
#include <QUrl>
#include <QVBoxLayout>
#include <memory>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

namespace {

QString folder() { return QString::fromStdString((sharedFolder() / "docs").string()); }

} // namespace

const std::vector<Explanation>& explanations()
{
    const QString evaluation = u"evaluation.md"_s, steering = u"steering.md"_s, models = u"models.md"_s,
                  start = u"getting-started.md"_s, comparing = u"comparing.md"_s, lab = u"lab.md"_s;
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
        {u"heatTable"_s, {comparing, u"How a ratio is made"_s}},
        {u"comparisonRemarks"_s, {comparing, u"What is not compared"_s}},
        {u"heldoutPlot"_s, {comparing, u"Train and held-out shapes"_s}},
        {u"statusOverfitting"_s, {comparing, u"Train and held-out shapes"_s}},
        {u"comparePage"_s, {comparing, u"In the window"_s}},
        {u"strassenPage"_s, {lab, u"Strassen and tensors"_s}},
        {u"gamePage"_s, {lab, u"TensorGame"_s}},
        {u"searchPage"_s, {lab, u"Search"_s}},
        {u"tilingPage"_s, {lab, u"Tiling explorer"_s}},
        {u"tunablesPage"_s, {lab, u"Score against a tunable"_s}},
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
    auto* save = new QPushButton(tr("Save this page…"), this);
    save->setObjectName(u"documentationSave"_s);
    save->setAutoDefault(false);
    connect(save, &QPushButton::clicked, this, &DocumentationPage::askWhereToSave);
    auto* buttons = new QHBoxLayout;
    buttons->addWidget(back);
    buttons->addStretch(1);
    buttons->addWidget(save);
    column->addLayout(buttons);
}

Result<void> DocumentationPage::save(const QString& path) const
{
    const std::unique_ptr<QTextDocument> copy(m_text->document()->clone());
    if (!path.endsWith(u".pdf"_s, Qt::CaseInsensitive))
        return saveFile(path.toStdString(), copy->toHtml().toStdString());
    QBuffer bytes;
    bytes.open(QIODevice::WriteOnly);
    {
        QPdfWriter pdf(&bytes);
        pdf.setPageSize(QPageSize(QPageSize::A4));
        pdf.setPageMargins(QMarginsF(18, 18, 18, 18), QPageLayout::Millimeter);
        copy->print(&pdf);
    }
    return saveFile(path.toStdString(), bytes.data().toStdString());
}

void DocumentationPage::askWhereToSave()
{
    const QString name = QFileInfo(m_text->source().path()).completeBaseName();
    tilewright::ui::askWhereToSave(
        this, {tr("Save this page"), tr("PDF (*.pdf);;HTML (*.html)"), name + u".pdf"_s}, [this](const QString& path) {
            if (const auto written = save(path); !written)
                QMessageBox::warning(this, tr("Save this page"), QString::fromStdString(written.error().line()));
        });
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
