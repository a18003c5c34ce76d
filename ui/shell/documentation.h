// SPDX-License-Identifier: GPL-3.0-or-later
// The pages of docs/ in a window of their own, and which paragraph explains a figure on the screen. GUI thread.
#pragma once

#include "core/base/result.h"

#include <QDialog>
#include <optional>
#include <vector>

class QTextBrowser;

namespace tilewright::ui {

/// A page of docs/ and a heading on it; no heading: its beginning.
struct DocumentationPlace {
    QString page; ///< "evaluation.md"
    QString heading; ///< "Figures on screen"
};

/// What explains a widget of this object name, and what it holds.
struct Explanation {
    QString object;
    DocumentationPlace place;
};
const std::vector<Explanation>& explanations();
/// Of the widget, or of the nearest that holds it; none where nothing explains it.
std::optional<DocumentationPlace> explanationOf(const QWidget* widget);

class DocumentationPage : public QDialog
{
    Q_OBJECT

public:
    explicit DocumentationPage(QWidget* parent);
    void open(const DocumentationPlace& place);
    using QDialog::open;
    /// The page that is shown: .pdf, else HTML. Errors: those of saveFile().
    Result<void> save(const QString& path) const;

private:
    void askWhereToSave();
    /// The heading whose link on a page is this: "how-a-run-uses-models".
    void scrollTo(const QString& anchor);

    QTextBrowser* m_text;
};

/// How a heading is linked to on its page.
QString anchorOf(const QString& heading);

} // namespace tilewright::ui
