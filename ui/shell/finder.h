// SPDX-License-Identifier: GPL-3.0-or-later
// Ctrl+K: goes to candidates, actions, settings, and to lines of code and logs. Plain words search everything; after
// "/", "code:" or "log:" stands a regular expression for texts. The box, its switch and the list; whoever opened it
// goes where the signals say. GUI thread; closes itself, and ends its search then.
#pragma once

#include "ui/finder/finder_search.h"
#include "ui/session/screen.h"
#include "ui/session/view_context.h"

#include <QElapsedTimer>
#include <QFrame>
#include <functional>

class QLabel;
class QLineEdit;

namespace tilewright::ui {

class FinderList;
class Segments;

class Finder : public QFrame
{
    Q_OBJECT

public:
    Finder(const ViewContext& context, QWidget* parent);
    void setPlaces(std::vector<FinderPlace> places);
    /// Below the upper edge of the window, no larger than it.
    void popUpOver(const QWidget& window);

Q_SIGNALS:
    void candidateChosen(tilewright::CandidateId candidate);
    /// Lines from 1.
    void codeChosen(tilewright::CandidateId candidate, int line);
    void buildLogChosen(tilewright::CandidateId candidate, int line);
    /// A row of the event log, from 0.
    void eventChosen(tilewright::CandidateId candidate, int row);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void closeEvent(QCloseEvent* event) override;

private:
    void begin();
    void addActions();
    void addPlaces();
    void refresh();
    QString state() const;
    void accept();

    ViewContext m_context;
    std::vector<FinderPlace> m_places;
    FinderQuery m_query;
    QLineEdit* m_box;
    Segments* m_scopes;
    FinderList* m_list;
    QLabel *m_state, *m_help;
    FinderSearch* m_search;
    QElapsedTimer m_sinceTold; ///< how far the search is
    bool m_hasNew = false; ///< rows that the list does not show yet
    bool m_takesFirst = false; ///< Enter was pressed before anything was found
};

// Which settings the finder can go to, and how: those of each screen, and of the open run's budgets and proposer. GUI
// thread.

class MainWindow;

/// Those that can be changed now. The window must outlive them.
std::vector<FinderPlace> finderPlaces(MainWindow& window);

/// Opens the finder over the window; what is chosen is shown there.
void openFinder(MainWindow& window);

} // namespace tilewright::ui
