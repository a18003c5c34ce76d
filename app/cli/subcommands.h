// SPDX-License-Identifier: GPL-3.0-or-later
// The subcommands of tilewright-cli, each in a file of its own.
#pragma once

#include "app/cli/subcommand.h"

namespace tilewright::cli {

int blame(const QStringList& arguments);
int compare(const QStringList& arguments);
int control(const QStringList& arguments);
int demo(const QStringList& arguments);
int doctor(const QStringList& arguments);
int evaluate(const QStringList& arguments);
int evolve(const QStringList& arguments);
int exportCandidate(const QStringList& arguments);
int lineage(const QStringList& arguments);
int listing(const QStringList& arguments);
int patch(const QStringList& arguments);
int resume(const QStringList& arguments);
int save(const QStringList& arguments);
int show(const QStringList& arguments);
int taskFrom(const QStringList& arguments);
int tasks(const QStringList& arguments);
int tensor(const QStringList& arguments);
int tiling(const QStringList& arguments);

} // namespace tilewright::cli
