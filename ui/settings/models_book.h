// SPDX-License-Identifier: GPL-3.0-or-later
// The models a user has set up: the draft, its file, and the way back. Every change that leaves the file sound is
// written at once; one that does not waits, and says so. What another program wrote to the file is never written over
// unseen: where nothing here is unsaved it is taken over, else the user chooses, and what was not chosen is one step
// of undo away. Keys never come here. GUI thread.
#pragma once

#include "ui/session/file_watch.h"
#include "ui/settings/models_draft.h"

#include <QObject>
#include <QString>
#include <optional>

namespace tilewright::ui {

class ModelsBook : public QObject
{
    Q_OBJECT

public:
    explicit ModelsBook(const QString& path, QObject* parent = nullptr);

    const ModelsDraft& draft() const { return m_draft; }
    const ModelCatalogue& catalogue() const { return m_catalogue; }
    const QString& path() const { return m_path; }
    /// Why the file is not as the draft is: unreadable, unwritable, a mistake; "" if it is.
    const QString& trouble() const { return m_trouble; }

    /// False: the file is there and cannot be read. It is never overwritten, and nothing can be changed until then.
    bool isReadable() const { return m_readable; }
    /// Looks at the file again, after somebody mended it.
    void readAgain();
    /// Where moveAside() would put the file: beside it, under a name that is free.
    QString asidePath() const;
    /// Renames a file that cannot be read and begins with an empty one; trouble() tells if that did not work.
    void moveAside();

    /// Another program changed or removed the file while changes here are not saved, and the user has not chosen yet:
    /// what happened; "" where nothing did. Until then nothing is written.
    const QString& clash() const { return m_clash; }
    /// Whether the file as it is now can be read; else only the draft can be kept.
    bool canTakeTheirs() const;
    void takeTheirs();
    /// Writes the draft; a file that cannot be read is moved aside first.
    void keepMine();
    /// What is shown was taken over from another program's file, and undo() brings back what was here.
    bool isTakenOver() const;

    /// Replaces the draft; `what` names the step for undo, and steps of the same name in a row are one.
    void change(const ModelsDraft& draft, const QString& what);
    bool canUndo() const { return m_at > 0; }
    bool canRedo() const { return m_at + 1 < m_steps.size(); }
    /// What undo() would take back.
    QString undoText() const { return canUndo() ? m_steps[m_at].what : QString(); }
    void undo();
    void redo();

    /// Models that may be asked: sound, with a weight above 0; by name.
    std::vector<ModelSpec> usable() const;

Q_SIGNALS:
    void changed();
    /// Another program changed the file: what was done about it, and what the user has to do; "" where it is nothing.
    /// After changed(), so that clash() tells whether a choice waits.
    void changedOutside(const QString& words, const QString& hint);

private:
    struct Step {
        ModelsDraft draft;
        QString what;
    };
    /// The text of the file as it is now; none where there is no file, or none that can be read.
    std::optional<std::string> onDisk() const;
    void read();
    void look();
    void meet(std::optional<std::string> theirs);
    /// The draft is not as the file was when it was last read or written.
    bool hasUnsaved() const;
    void takeOver(const ModelsDraft& draft, std::optional<std::string> theirs);
    void add(const ModelsDraft& draft, const QString& what);
    void go(std::size_t step);
    void save();

    QString m_path;
    ModelCatalogue m_catalogue;
    ModelsDraft m_draft;
    std::vector<Step> m_steps;
    std::size_t m_at = 0;
    QString m_trouble, m_clash;
    std::optional<std::string> m_known; ///< the file's text as it was last read or written here
    bool m_readable = true; ///< a file that cannot be read is never overwritten
    FileWatch m_watch;
};

} // namespace tilewright::ui
