// SPDX-License-Identifier: GPL-3.0-or-later
// What all pages of the lab look at: one scheme and one of its products, and one tile. GUI thread.
#pragma once

#include "core/tensor/additions.h"
#include "core/tensor/lift.h"
#include "core/tensor/scheme.h"
#include "core/tensor/verification.h"
#include "core/tiling/cpu_tile.h"
#include "core/tiling/gpu_tile.h"

#include <QObject>
#include <QThreadPool>
#include <optional>

namespace tilewright::ui {

class LabModel : public QObject
{
    Q_OBJECT

public:
    explicit LabModel(QObject* parent = nullptr);
    ~LabModel() override; ///< waits for its thread

    const tensor::Scheme& scheme() const { return m_scheme; }
    const tensor::Verification& verification() const { return m_verification; }
    /// Of a scheme mod 2: whether it lifts to the integers, or the proof that it does not. It is found on another
    /// thread; none before that, of other rings, and of formats that take too long.
    const std::optional<tensor::Lift>& lift() const { return m_lift; }
    const tensor::SchemePrograms& plain() const { return m_plain; } ///< every sum by itself
    const tensor::SchemePrograms& reduced() const { return m_reduced; } ///< shared sums computed once
    /// Sums of entries of A and of B, by product, and of products, by entry of C.
    const std::vector<tensor::LinearForm>& forms(tensor::Operand operand) const;
    int product() const { return m_product; } ///< from 0

    void setScheme(tensor::Scheme scheme);
    void setProduct(int product); ///< kept within the scheme

    const GpuTile& gpuTile() const { return m_gpuTile; }
    const CpuTile& cpuTile() const { return m_cpuTile; }
    const ProductSize& size() const { return m_size; }
    void setGpuTile(const GpuTile& tile);
    void setCpuTile(const CpuTile& tile);
    void setSize(const ProductSize& size);

Q_SIGNALS:
    void schemeChanged();
    void productChanged();
    void tileChanged();
    void liftChanged(); ///< of the scheme, which stays

private:
    void lookForLift();

    tensor::Scheme m_scheme;
    tensor::Verification m_verification;
    std::optional<tensor::Lift> m_lift;
    quint64 m_liftTurn = 0; ///< a newer scheme supersedes
    tensor::SchemePrograms m_plain, m_reduced;
    std::array<std::vector<tensor::LinearForm>, 3> m_forms;
    int m_product = 0;
    GpuTile m_gpuTile{128, 256, 16, 3, 256, 4};
    CpuTile m_cpuTile;
    ProductSize m_size;
    QThreadPool m_threads;
};

} // namespace tilewright::ui
