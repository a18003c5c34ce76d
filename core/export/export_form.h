// SPDX-License-Identifier: GPL-3.0-or-later
// The forms in which a candidate leaves a session, each made from the same record: one file and one line in
// exportForms() a form. Pure.
#pragma once

#include "core/export/bundle.h"
#include "core/export/export_record.h"
#include "core/export/harness_sources.h"
#include "core/export/report_html.h"

namespace tilewright {

/// What every form is made from.
struct ExportInput {
    const ExportRecord& record;
    const RunState& state;
    const Candidate& candidate;
    const TaskPack& pack;
    std::string source; ///< text of the candidate's program
    std::string parentSource; ///< "" for the seed
    std::optional<HarnessSources> sources = {}; ///< none: without a harness
};

struct ExportForm {
    const char* name; ///< its folders and files: "`source/`, `patches/`"
    const char* summary; ///< half a sentence for the bundle's README.md
    Result<Bundle> (*make)(const ExportInput& input);
    /// How a reader repeats something with its files.
    std::vector<RepeatCommand> (*commands)(const ExportInput& input);
};

const std::vector<ExportForm>& exportForms();

/// All forms, report.json, REPORT.html and README.md. Errors: those of the forms.
Result<Bundle> bundleOf(const ExportInput& input);

// The forms.

/// The program, the seed and the parent, the task's pack, and patches: against the seed, against the parent, and one a
/// step of the lineage.
Result<Bundle> sourceForm(const ExportInput& input);
std::vector<RepeatCommand> sourceCommands(const ExportInput& input);

/// A harness that builds with one command without Tilewright and verifies and times the program again; nothing where
/// its sources are not wanted. Errors: export/no-harness.
Result<Bundle> harnessForm(const ExportInput& input);
std::vector<RepeatCommand> harnessCommands(const ExportInput& input);

/// A CPU program behind four functions of C: can_implement, workspace_bytes, run, status_text; nothing for a GPU.
Result<Bundle> cInterfaceForm(const ExportInput& input);
std::vector<RepeatCommand> cInterfaceCommands(const ExportInput& input);

/// A CUDA program behind five functions of C, on a stream of the caller's; nothing for a CPU, and nothing without the
/// sources of a harness, which launch it. Errors: export/no-harness.
Result<Bundle> cudaInterfaceForm(const ExportInput& input);
std::vector<RepeatCommand> cudaInterfaceCommands(const ExportInput& input);
bool hasCudaInterface(const ExportInput& input);

/// The program as a PyTorch operator over the C interface, with shapes for tracing and without a derivative; for a GPU
/// where there is that interface.
Result<Bundle> torchForm(const ExportInput& input);
std::vector<RepeatCommand> torchCommands(const ExportInput& input);

} // namespace tilewright
