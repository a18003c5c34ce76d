// SPDX-License-Identifier: Apache-2.0
// A candidate's plan, from the bytes that the compiler's interpreter left behind to something that may be launched:
// every field is held against the device's and the task's limits first. Total and pure.
#pragma once

#include "core/device/cuda.h"
#include "core/model/task/task.h"
#include "core/protocol/gpu_plan.h"

#include <string_view>

namespace tilewright {

/// sizeof(Plan) of kernels/include/tilewright/plan.h.
std::size_t planRecordBytes();

/// Reads one record. Names of kernels stay as written ("gemm<128,64>"). Errors: plan/… with the field as evidence:
/// plan/launches, plan/maps, plan/name, plan/grid, plan/block, plan/cluster, plan/shared, plan/flags, plan/workspace,
/// plan/tensor-map.
Result<GpuPlan> readPlan(std::string_view record, const Task& task, const Shape& shape, const CudaFacts& facts);

/// What only the built kernel tells: whether all blocks of a cooperative launch can be on the device at once.
/// `written`: the kernel's name as the plan has it. Errors: plan/grid.
Result<void> checkCooperative(const GpuLaunch& launch, const std::string& written, const Shape& shape,
    const Occupancy& occupancy, const CudaFacts& facts);

} // namespace tilewright
