// SPDX-License-Identifier: GPL-3.0-or-later
// How a CUDA kernel is launched: read off the file where it tells, else asked for.
#include "core/base/text.h"
#include "ui/models/display_text.h"
#include "ui/own/own_kernel_page.h"
#include "ui/settings/form_grid.h"
#include "ui/widgets/pane.h"

#include <QVBoxLayout>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

void OwnKernelPage::buildLaunch(QVBoxLayout* column)
{
    auto* card
        = new Card(tr("Launch"), tr("of a CUDA kernel; expressions over its sizes and constants of the file"), this);
    m_launchCard = card;
    column->addWidget(card);
    m_launch = new FormGrid(this);
    m_launch->addText({u"grid"_s, tr("Grid"), tr("blocks along x, y, z, as ceil_div(n, 256), rows")});
    m_launch->addText({u"block"_s, tr("Block"), tr("threads along x, y, z; at most 1024")});
    m_launch->addText({u"shared"_s, tr("Shared memory"), tr("bytes of dynamic shared memory; may be empty")});
    card->column()->addWidget(m_launch);
    connect(m_launch, &FormGrid::edited, this, &OwnKernelPage::edited);
}

void OwnKernelPage::readLaunch()
{
    const KernelDescription& d = m_work->description();
    m_launchCard->setVisible(d.target == Target::Cuda);
    m_launch->setValue(u"grid"_s, text(joined(d.launch.grid, ", ")));
    m_launch->setValue(u"block"_s, text(joined(d.launch.block, ", ")));
    m_launch->setValue(u"shared"_s, text(d.launch.shared));
    std::map<QString, QString> problems;
    for (const DescriptionFinding& finding : m_work->findings())
        if (finding.field == "grid" || finding.field == "block" || finding.field == "shared")
            problems.emplace(text(finding.field), text(finding.text));
    m_launch->setProblems(problems);
}

} // namespace tilewright::ui
