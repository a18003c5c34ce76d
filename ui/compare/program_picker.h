// SPDX-License-Identifier: GPL-3.0-or-later
// A list with a line to search it, from which one program is chosen. GUI thread; closes itself.
#pragma once

#include "ui/evolve/edit_popup.h"

#include <functional>
#include <vector>

class QLineEdit;
class QListWidget;

namespace tilewright::ui {

class ProgramPicker : public EditPopup
{
    Q_OBJECT

public:
    struct Row {
        QString name, detail; ///< "c-0012", "2.31×, confirmed"
        QIcon sign;
        std::function<void()> pick;
    };
    ProgramPicker(const QString& accessibleName, std::vector<Row> rows, QWidget* parent);

protected:
    void accept() override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void fill();

    std::vector<Row> m_rows;
    QLineEdit* m_search;
    QListWidget* m_list;
};

} // namespace tilewright::ui
