// SPDX-License-Identifier: GPL-3.0-or-later
// The only place that includes the plot library. Its header uses Qt's keywords, which the rest of the program does
// without; so this must be the first header of the plot_….cpp that need it, and is included nowhere else.
#pragma once

#undef QT_NO_FOREACH
#include <QObject>
#define foreach Q_FOREACH
#define signals Q_SIGNALS
#include <qcustomplot.h>
#undef foreach
#undef signals
