// SPDX-License-Identifier: GPL-3.0-or-later
// Every placeholder with what it stands for and the tokens that it takes in the prompt that is shown. GUI thread.
#pragma once

#include <QListView>
#include <QStandardItemModel>
#include <string>
#include <vector>

namespace tilewright::ui {

class PlaceholderList : public QListView
{
    Q_OBJECT

public:
    explicit PlaceholderList(QWidget* parent = nullptr);
    /// Of the prompt that is shown; placeholders that it does not have show none.
    void setTokens(const std::vector<std::pair<std::string, int>>& parts);

Q_SIGNALS:
    /// A person wants it in the text.
    void picked(const QString& name);

private:
    QStandardItemModel m_rows;
};

} // namespace tilewright::ui
