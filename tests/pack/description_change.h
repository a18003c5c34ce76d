// SPDX-License-Identifier: GPL-3.0-or-later
// What a row of a test changes in the description of a kernel.
#pragma once

#include "core/pack/kernel_description.h"

#include <QMetaType>

using Change = void (*)(tilewright::KernelDescription&);
Q_DECLARE_METATYPE(Change)
