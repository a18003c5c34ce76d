// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/review/review_facts.h"

#include "core/model/person_edit.h"
#include "core/model/roofline.h"
#include "ui/review/check_list.h"
#include "ui/review/quick_result.h"
#include "ui/review/resource_bars.h"
#include "ui/theme/theme.h"
#include "ui/widgets/dock_title.h"

#include <QVBoxLayout>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

ReviewFacts::ReviewFacts(const Desk& desk, QWidget* parent)
    : QScrollArea(parent)
    , m_desk(desk)
    , m_title(new DockTitle(tr("Checks"), this))
{
    setWidgetResizable(true);
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setMinimumWidth(px(240));
    auto* content = new QFrame(this);
    content->setProperty("role", u"panel"_s);
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    m_checks = new CheckList(content);
    m_resourcesTitle = new DockTitle(tr("Resources"), content);
    m_resourcesTitle->setSubText(tr("marker: parent"));
    m_resources = new ResourceBars(content);
    m_quickTitle = new DockTitle(tr("Measurement"), content);
    m_quick = new QuickResult(desk.actions[u"review.quick"_s], content);
    for (QWidget* part :
        std::initializer_list<QWidget*>{m_checks, m_resourcesTitle, m_resources, m_quickTitle, m_quick})
        column->addWidget(part);
    column->addStretch(1);
    setWidget(content);
}

void ReviewFacts::clear()
{
    widget()->setVisible(false);
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff); // what is hidden keeps its height
}

void ReviewFacts::uncover()
{
    widget()->setVisible(true);
    setVerticalScrollBarPolicy(Qt::ScrollBarAsNeeded);
}

void ReviewFacts::showEdit(const EditProgress& progress)
{
    uncover();
    m_title->setSubText(tr("of your text"));
    m_checks->showEdit(progress);
    for (QWidget* part : std::initializer_list<QWidget*>{m_resourcesTitle, m_resources, m_quickTitle, m_quick})
        part->setVisible(false); // they are known of the proposal's own text alone
}

void ReviewFacts::show(const Candidate& candidate)
{
    uncover();
    m_title->setSubText({});
    for (QWidget* part : std::initializer_list<QWidget*>{m_resourcesTitle, m_resources, m_quickTitle, m_quick})
        part->setVisible(true);
    const RunState& run = m_desk.session.run();
    const Review* review = ownReview(run, candidate);
    const Candidate* parent = candidate.parents.empty() ? nullptr : run.candidate(candidate.parents.front());
    m_checks->show(run, candidate);
    const auto& pack = m_desk.session.snapshot().pack;
    m_quick->show(run, candidate, pack ? &pack->task : nullptr,
        m_desk.session.snapshot().status.elsewhere.empty() ? QuickResult::Device::Here
                                                           : QuickResult::Device::Elsewhere);
    const auto measured = [&run](const Candidate* each) {
        const Evaluation* evaluation = each ? run.evaluation(each->latest) : nullptr;
        return evaluation ? evaluation->result.resources : nlohmann::json();
    };
    const bool isUnbuilt = !review && !candidate.isOver() && measured(&candidate).is_null();
    m_resources->setNone(isUnbuilt ? tr("Not built yet.") : tr("The build told none."));
    m_resources->show(resourceBars(
        resourceFigures(review && review->facts.is_object() ? review->facts.value("resources", nlohmann::json())
                                                            : measured(&candidate)),
        resourceFigures(measured(parent)), resourceLimits(deviceFactsOf(run))));
}

} // namespace tilewright::ui
