// SPDX-License-Identifier: GPL-3.0-or-later
// The window at its Review screen, where a user writes in the place of the first that waits.
#pragma once

#include "tests/ui/review_stage.h"
#include "ui/widgets/numbered_editor.h"

namespace tilewright::test {

/// The checks answer when the test says.
struct EditingStage : ReviewStage {
    ui::NumberedEditor* editor = nullptr;
    QLabel* refused = nullptr;

    EditingStage()
    {
        client.checksAtOnce = false;
        [&] { QTRY_VERIFY_WITH_TIMEOUT(find<ui::SplitDiff>(QStringLiteral("reviewDiff"))->changes() > 0, patience); }();
        press(Qt::Key_E);
        editor = find<ui::NumberedEditor>(QStringLiteral("reviewEditor"));
        refused = find<QLabel>(QStringLiteral("editRefused"));
    }
    /// The words beside and under the checks.
    QStringList checks() const
    {
        QStringList all;
        for (const QLabel* label : find<QWidget>(QStringLiteral("checkList"))->findChildren<QLabel*>())
            if (!label->parentWidget()->isHidden() && !label->text().isEmpty() && label->property("tone").isValid())
                all << label->text();
        return all;
    }
};

} // namespace tilewright::test
