// SPDX-License-Identifier: GPL-3.0-or-later
// A line to find words where a view has no place beside it: over the view's upper corner until Escape. GUI thread.
#pragma once

#include "ui/widgets/find_line.h"

namespace tilewright::ui {

class FindOverlay : public FindLine
{
    Q_OBJECT

public:
    explicit FindOverlay(QPlainTextEdit& view);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void place();
};

} // namespace tilewright::ui
