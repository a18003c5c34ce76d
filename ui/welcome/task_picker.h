// SPDX-License-Identifier: GPL-3.0-or-later
// The task packs that were found, as cards; of namesakes each says where it is from. Reading the packs happens on a
// pool thread. GUI thread.
#pragma once

#include "core/model/task/task.h"

#include <QStringList>
#include <QWidget>
#include <map>
#include <memory>

class QLabel;
class QLayout;
class QPushButton;
class QVBoxLayout;

namespace tilewright::ui {

class ChoiceCard;

class TaskPicker : public QWidget
{
    Q_OBJECT

public:
    using Found = std::vector<std::pair<std::filesystem::path, Result<TaskPack>>>;

    explicit TaskPicker(QWidget* parent = nullptr);
    /// Packs beyond those that are found by themselves; before search().
    void setFolders(const QStringList& folders) { m_folders = folders; }
    /// Packs that are not listed, although they are found; before search().
    void setHidden(const QStringList& folders) { m_hidden = folders; }
    /// Reads that pack and chooses it; one that cannot be read is shown with its reason.
    void addFolder(const QString& folder);
    /// Takes it off the list; its files stay.
    void hideFolder(const QString& folder);
    /// Looks for packs, again if need be: changed() comes later, and what was chosen stays chosen where it is still
    /// there. Tests give their own with show().
    void search();
    void show(const Found& found);
    /// Chooses the first pack of that name; false: there is none.
    bool choose(const std::string& name);
    /// The one that is chosen where nobody chose.
    void reset();
    std::shared_ptr<const TaskPack> chosen() const { return m_chosen; }
    /// Why the chosen pack has not passed its check; empty: it has.
    QString uncheckedBecause() const;

Q_SIGNALS:
    void changed();
    void folderAdded(const QString& folder);
    void folderHidden(const QString& folder);
    /// The user wants to make a task of a kernel of their own.
    void ownKernelWanted();

private:
    struct Around;
    void take(const std::shared_ptr<const Around>& around);
    void chooseFolder(const std::filesystem::path& folder);
    /// The card at this place of the column, beside a button that takes it off the list, unless it came with
    /// Tilewright.
    void place(ChoiceCard* card, int at, const std::filesystem::path& folder);
    void setChosen(const std::string& folder, const std::shared_ptr<const TaskPack>& pack);

    QVBoxLayout* m_column;
    QLabel* m_note;
    QPushButton* m_add;
    QStringList m_folders, m_hidden;
    std::vector<QLayout*> m_rows; ///< a card and the button beside it
    std::map<std::string, ChoiceCard*> m_cards; ///< by folder
    ChoiceCard* m_usual = nullptr; ///< chosen where nobody chose; null: none is
    std::map<std::string, std::string> m_unchecked; ///< by folder: why a pack has not passed its check
    std::shared_ptr<const TaskPack> m_chosen;
    std::string m_chosenFolder;
    std::filesystem::path m_wanted; ///< a folder that was added: it is chosen once it is read
    std::shared_ptr<const Around> m_around; ///< what is shown; null: nothing was looked for yet
    int m_lastSearch = 0;
};

} // namespace tilewright::ui
