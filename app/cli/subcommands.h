// SPDX-License-Identifier: GPL-3.0-or-later
// The subcommands of tilewright-cli, each in a file of its own.
#pragma once

#include "app/cli/subcommand.h"

namespace tilewright::cli {

int control(const QStringList& arguments);
int demo(const QStringList& arguments);
int doctor(const QStringList& arguments);
int evaluate(const QStringList& arguments);
int evolve(const QStringList& arguments);
int listing(const QStringList& arguments);
int patch(const QStringList& arguments);
int resume(const QStringList& arguments);
int save(const QStringList& arguments);
int show(const QStringList& arguments);
int taskFrom(const QStringList& arguments);
int tasks(const QStringList& arguments);

} // namespace tilewright::cli
