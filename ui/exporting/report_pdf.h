// SPDX-License-Identifier: GPL-3.0-or-later
// A report as PDF: A4, numbered pages, plots as vectors. Of the printed form of REPORT.html, so that it says the same.
// Any thread; needs a QGuiApplication for its fonts.
#pragma once

#include "core/base/result.h"
#include "core/export/printed_report.h"

#include <QString>
#include <string>

namespace tilewright::ui {

/// title: of the file, and at the foot of each page. Errors: export/pdf (it cannot be painted).
Result<std::string> pdfOf(const PrintedReport& report, const QString& title);

} // namespace tilewright::ui
