// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lab/lab_model.h"

#include "core/tensor/known_schemes.h"

#include <algorithm>

namespace tilewright::ui {

using tensor::Operand;

LabModel::LabModel(QObject* parent)
    : QObject(parent)
{
    setScheme(tensor::strassen());
}

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
    Q_EMIT schemeChanged();
    Q_EMIT productChanged();
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
