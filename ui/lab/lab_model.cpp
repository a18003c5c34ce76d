// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lab/lab_model.h"

#include "core/tensor/flip_search.h"
#include "core/tensor/known_schemes.h"

#include <QFutureWatcher>
#include <QtConcurrent>
#include <algorithm>

namespace tilewright::ui {

using tensor::Operand;

namespace {

constexpr int liftBranches = 4; ///< what is impossible shows in the first
constexpr int largestLiftedVolume = tensor::largestCheckedVolume; ///< n·m·p: there the first step takes about a second

} // namespace

LabModel::LabModel(QObject* parent)
    : QObject(parent)
{
    m_threads.setMaxThreadCount(1);
    setScheme(tensor::strassen());
}

LabModel::~LabModel() { m_threads.waitForDone(); }

const std::vector<tensor::LinearForm>& LabModel::forms(Operand operand) const
{
    return m_forms[static_cast<std::size_t>(operand)];
}

void LabModel::setScheme(tensor::Scheme scheme)
{
    m_scheme = std::move(scheme);
    m_verification = tensor::verified(m_scheme);
    m_plain = tensor::plainPrograms(m_scheme);
    m_reduced = tensor::reducedPrograms(m_scheme);
    for (const Operand operand : {Operand::A, Operand::B, Operand::C})
        m_forms[static_cast<std::size_t>(operand)] = tensor::formsOf(m_scheme, operand);
    m_product = 0;
    lookForLift();
    Q_EMIT schemeChanged();
    Q_EMIT productChanged();
}

void LabModel::lookForLift()
{
    m_lift.reset();
    const quint64 turn = ++m_liftTurn;
    if (m_scheme.ring != tensor::Ring::Mod2 || !m_verification.isExact()
        || m_scheme.format.naiveRank() > largestLiftedVolume)
        return;
    auto* watcher = new QFutureWatcher<Result<tensor::Lift>>(this);
    connect(watcher, &QFutureWatcherBase::finished, this, [this, watcher, turn] {
        watcher->deleteLater();
        if (turn != m_liftTurn || !watcher->result())
            return;
        m_lift = *watcher->result();
        Q_EMIT liftChanged();
    });
    watcher->setFuture(QtConcurrent::run(&m_threads, [scheme = m_scheme] {
        return tensor::lifted(scheme, {liftBranches, tensor::LiftLimits{}.seed});
    }));
}

void LabModel::setProduct(int product)
{
    product = std::clamp(product, 0, m_scheme.rank() - 1);
    if (product == m_product)
        return;
    m_product = product;
    Q_EMIT productChanged();
}

void LabModel::setGpuTile(const GpuTile& tile)
{
    if (tile == m_gpuTile)
        return;
    m_gpuTile = tile;
    Q_EMIT tileChanged();
}

void LabModel::setCpuTile(const CpuTile& tile)
{
    if (tile == m_cpuTile)
        return;
    m_cpuTile = tile;
    Q_EMIT tileChanged();
}

void LabModel::setSize(const ProductSize& size)
{
    if (size == m_size)
        return;
    m_size = size;
    Q_EMIT tileChanged();
}

} // namespace tilewright::ui
