// SPDX-License-Identifier: GPL-3.0-or-later
// Export of a confirmed candidate with its evidence: which one, where to, in which forms, what it will do; progress,
// and what was written. Stays usable beside the window. GUI thread.
#pragma once

#include "ui/exporting/export_run.h"
#include "ui/session/view_context.h"

#include <QDialog>

class QCheckBox;
class QComboBox;
class QLabel;
class QLineEdit;
class QProgressBar;
class QPushButton;

namespace tilewright::ui {

/// Confirmed candidates that rank, the best of the run first, then by score. Pure.
std::vector<CandidateId> exportableOf(const RunState& run);

class ExportDialog : public QDialog
{
    Q_OBJECT

public:
    ExportDialog(const ViewContext& context, QWidget* window);
    /// With this candidate chosen; none: the best one. While an export is under way it stays as it is.
    void showFor(CandidateId candidate);

    void reject() override;

protected:
    void closeEvent(QCloseEvent* event) override;

private:
    void layOut();
    void fillCandidates(CandidateId wanted);
    void proposeFolder();
    QString whyNot() const; ///< it cannot begin; "" where it can
    QString plan() const; ///< what it will do
    void fit();
    void refresh();
    void begin();
    void askForFolder();
    void askForKey();
    void take(const ExportedFolder& exported);
    void showFailure(const Error& error);
    void say(const QString& words, const char* tone);
    CandidateId chosen() const;

    ViewContext m_context;
    ExportRun m_run;
    QComboBox* m_candidates;
    QLineEdit *m_folder, *m_key;
    QPushButton *m_browse, *m_browseKey;
    QCheckBox *m_harness, *m_pdf, *m_sealed, *m_sign;
    QLabel *m_plan, *m_said;
    QProgressBar* m_progress;
    QPushButton *m_begin, *m_cancel, *m_openFolder, *m_openReport;
    QString m_proposed; ///< the folder that stands there unless the user wrote another one
    QString m_written; ///< the folder that was made last
};

} // namespace tilewright::ui
