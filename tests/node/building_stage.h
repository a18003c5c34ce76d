// SPDX-License-Identifier: GPL-3.0-or-later
// A builder of programs for gemm-fp32-cpu, in the sandbox and with a folder of its own: what tests of the node that
// really build begin with.
#pragma once

#include "core/model/task/task.h"
#include "core/node/builder.h"
#include "tests/test_program.h"

#include <QString>
#include <QTemporaryDir>
#include <filesystem>
#include <memory>
#include <vector>

namespace tilewright::testing {

inline const std::filesystem::path gemm = std::filesystem::path(TILEWRIGHT_SOURCE_DIR) / "kernels/gemm-fp32-cpu";
inline const std::filesystem::path worker = std::filesystem::path(TILEWRIGHT_BIN_DIR) / "tilewright-worker";

class BuildingStage
{
protected:
    /// cores: those that builds may run on; none for all.
    void setUp(const std::vector<int>& cores = {})
    {
        m_pack = *loadTaskPack(gemm);
        m_sandbox = std::make_unique<Sandbox>(worker);
        m_builder = std::make_unique<Builder>(
            *m_sandbox, std::filesystem::path(m_folder.path().toStdString()) / "cache", cores);
    }
    bool hasCompiler() const { return !m_builder->compiler().empty(); }

    QTemporaryDir m_folder;
    TaskPack m_pack;
    std::unique_ptr<Sandbox> m_sandbox;
    std::unique_ptr<Builder> m_builder;
};

} // namespace tilewright::testing
