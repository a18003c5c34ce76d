// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/exporting/export_dialog.h"

#include "core/model/measurement/pair_ladder.h"
#include "ui/models/display_text.h"
#include "ui/models/figures.h"
#include "ui/theme/theme.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/room.h"

#include <QCheckBox>
#include <QCloseEvent>
#include <QComboBox>
#include <QDesktopServices>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QSignalBlocker>
#include <QStyle>
#include <QUrl>
#include <QVBoxLayout>
#include <algorithm>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

namespace {

constexpr std::size_t mostOffered = 200;

QLineEdit* pathField(const QString& name, const QString& accessible, QWidget* parent)
{
    auto* field = new QLineEdit(parent);
    field->setObjectName(name);
    field->setAccessibleName(accessible);
    field->setMinimumWidth(px(220));
    return field;
}

QPushButton* smallButton(const QString& name, const QString& words, const QString& accessible, QWidget* parent)
{
    auto* button = new QPushButton(words, parent);
    button->setObjectName(name);
    button->setAccessibleName(accessible);
    button->setProperty("kind", u"small"_s);
    button->setAutoDefault(false);
    return button;
}

QCheckBox* choice(const QString& name, const QString& words, const QString& tip, QWidget* parent)
{
    auto* box = new QCheckBox(words, parent);
    box->setObjectName(name);
    box->setToolTip(tip);
    return box;
}

QLabel* paragraph(const QString& name, QWidget* parent)
{
    auto* label = new QLabel(parent);
    label->setObjectName(name);
    label->setWordWrap(true);
    label->setTextFormat(Qt::PlainText);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    return label;
}

} // namespace

std::vector<CandidateId> exportableOf(const RunState& run)
{
    std::vector<const Candidate*> found;
    for (const Candidate& candidate : run.candidates)
        if (candidate.confirmed && candidate.isRanked() && !candidate.migrated && candidate.score)
            found.push_back(&candidate);
    const Candidate* best = run.best();
    std::ranges::sort(found, [best](const Candidate* a, const Candidate* b) {
        if ((a == best) != (b == best))
            return a == best;
        return a->score->value != b->score->value ? a->score->value > b->score->value : a->id < b->id;
    });
    std::vector<CandidateId> ids;
    for (const Candidate* candidate : found)
        if (ids.size() < mostOffered)
            ids.push_back(candidate->id);
    return ids;
}

ExportDialog::ExportDialog(const ViewContext& context, QWidget* window)
    : QDialog(window)
    , m_context(context)
    , m_run(context.session, this)
    , m_candidates(new QComboBox(this))
    , m_folder(pathField(u"exportFolder"_s, tr("New folder"), this))
    , m_key(pathField(u"exportKey"_s, tr("SSH key"), this))
    , m_browse(smallButton(u"exportBrowse"_s, tr("Choose…"), tr("Choose the folder"), this))
    , m_browseKey(smallButton(u"exportBrowseKey"_s, tr("Choose…"), tr("Choose the SSH key"), this))
    , m_harness(choice(u"exportHarness"_s, tr("Harness to verify and time it again"),
          tr("Sources that build with g++ 12 only, without Tilewright"), this))
    , m_pdf(choice(u"exportPdf"_s, tr("Report as PDF as well"), tr("REPORT.pdf beside REPORT.html"), this))
    , m_sealed(choice(u"exportSealed"_s, tr("Measure on the sealed shapes"),
          tr("Shapes that no proposer sees; each candidate is measured on them once"), this))
    , m_sign(choice(u"exportSign"_s, tr("Sign with an SSH key"),
          tr("ssh-keygen signs the list of all files; Tilewright does not read the key"), this))
    , m_plan(paragraph(u"exportPlan"_s, this))
    , m_said(paragraph(u"exportSaid"_s, this))
    , m_progress(new QProgressBar(this))
    , m_begin(new QPushButton(tr("Export"), this))
    , m_cancel(new QPushButton(tr("Close"), this))
    , m_openFolder(new QPushButton(tr("Open the folder"), this))
    , m_openReport(new QPushButton(tr("Open the report"), this))
{
    setObjectName(u"exportWinner"_s);
    setWindowTitle(tr("Export a candidate with its evidence"));
    layOut();
    m_harness->setChecked(true);
    m_pdf->setChecked(true);
    m_sealed->setChecked(true);
    connect(m_candidates, &QComboBox::currentIndexChanged, this, [this] {
        proposeFolder();
        refresh();
    });
    for (QLineEdit* field : {m_folder, m_key})
        connect(field, &QLineEdit::textChanged, this, &ExportDialog::refresh);
    for (QCheckBox* box : {m_harness, m_pdf, m_sealed, m_sign})
        connect(box, &QCheckBox::toggled, this, &ExportDialog::refresh);
    connect(m_browse, &QPushButton::clicked, this, &ExportDialog::askForFolder);
    connect(m_browseKey, &QPushButton::clicked, this, &ExportDialog::askForKey);
    connect(m_begin, &QPushButton::clicked, this, &ExportDialog::begin);
    connect(m_cancel, &QPushButton::clicked, this, &ExportDialog::reject);
    connect(m_openFolder, &QPushButton::clicked, this,
        [this] { QDesktopServices::openUrl(QUrl::fromLocalFile(m_written)); });
    connect(m_openReport, &QPushButton::clicked, this,
        [this] { QDesktopServices::openUrl(QUrl::fromLocalFile(m_written + u"/REPORT.html"_s)); });
    connect(&m_run, &ExportRun::progressed, this, [this](const QString& words) { say(words, "secondary"); });
    connect(&m_run, &ExportRun::finished, this, &ExportDialog::take);
    connect(&m_run, &ExportRun::failed, this, &ExportDialog::showFailure);
    connect(&context.session, &SessionClient::replaced, this, [this] {
        if (!m_context.session.isOpen() && !m_run.isGoing())
            close();
    });
}

void ExportDialog::layOut()
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(px(16), px(12), px(16), px(12));
    column->setSpacing(px(8));
    auto* form = new QFormLayout;
    form->setRowWrapPolicy(QFormLayout::WrapLongRows);
    m_candidates->setObjectName(u"exportCandidate"_s);
    m_candidates->setAccessibleName(tr("Candidate to export"));
    const auto withButton = [this](QLineEdit* field, QPushButton* button) {
        auto* row = new QHBoxLayout;
        row->addWidget(field, 1);
        row->addWidget(button);
        return row;
    };
    form->addRow(tr("Candidate"), m_candidates);
    form->addRow(tr("New folder"), withButton(m_folder, m_browse));
    column->addLayout(form);
    for (QCheckBox* box : {m_harness, m_pdf, m_sealed, m_sign})
        column->addWidget(box);
    column->addLayout(withButton(m_key, m_browseKey));
    m_plan->setProperty("tone", u"secondary"_s);
    column->addWidget(m_plan);
    m_progress->setObjectName(u"exportProgress"_s);
    m_progress->setAccessibleName(tr("Progress of the export"));
    m_progress->setRange(0, 0);
    m_progress->setTextVisible(false);
    m_progress->setMaximumHeight(px(6));
    column->addWidget(m_progress);
    column->addWidget(m_said);
    column->addStretch(1);
    auto* buttons = new QHBoxLayout;
    m_begin->setObjectName(u"exportBegin"_s);
    m_begin->setProperty("kind", u"primary"_s);
    m_begin->setDefault(true);
    m_cancel->setObjectName(u"exportCancel"_s);
    m_openFolder->setObjectName(u"exportOpenFolder"_s);
    m_openReport->setObjectName(u"exportOpenReport"_s);
    for (QPushButton* button : {m_cancel, m_openFolder, m_openReport})
        button->setAutoDefault(false);
    buttons->addWidget(m_openFolder);
    buttons->addWidget(m_openReport);
    buttons->addStretch(1);
    buttons->addWidget(m_cancel);
    buttons->addWidget(m_begin);
    column->addLayout(buttons);
    setMinimumWidth(px(520));
}

void ExportDialog::showFor(CandidateId candidate)
{
    if (!m_run.isGoing()) {
        m_written.clear();
        say({}, "secondary");
        fillCandidates(originOf(m_context.session.run(), candidate));
        proposeFolder();
        refresh();
    }
    show();
    fit();
    raise();
    activateWindow();
}

void ExportDialog::fillCandidates(CandidateId wanted)
{
    const RunState& run = m_context.session.run();
    std::vector<CandidateId> offered = exportableOf(run);
    if (run.candidate(wanted) && std::ranges::find(offered, wanted) == offered.end())
        offered.push_back(wanted); // why it cannot be exported is said then
    const QSignalBlocker quiet(m_candidates);
    m_candidates->clear();
    for (const CandidateId id : offered) {
        const Candidate& candidate = *run.candidate(id);
        QString words = nameOfCandidate(id);
        if (candidate.score)
            words += u"  "_s + bestWords(candidate);
        if (run.best() == &candidate)
            words = tr("%1, the best").arg(words);
        m_candidates->addItem(words, QVariant::fromValue<qlonglong>(id.value));
        if (id == wanted)
            m_candidates->setCurrentIndex(m_candidates->count() - 1);
    }
}

CandidateId ExportDialog::chosen() const { return {m_candidates->currentData().toLongLong()}; }

void ExportDialog::proposeFolder()
{
    if (m_folder->text() != m_proposed)
        return; // the user wrote another one
    const QFileInfo session(text(m_context.session.snapshot().status.sessionPath));
    const QString name = u"%1-%2"_s.arg(session.completeBaseName(), nameOfCandidate(chosen()));
    m_proposed = session.dir().filePath(name);
    for (int i = 2; QFileInfo::exists(m_proposed) && i < 100; ++i)
        m_proposed = session.dir().filePath(u"%1-%2"_s.arg(name).arg(i));
    m_folder->setText(m_proposed);
}

QString ExportDialog::whyNot() const
{
    const RunState& run = m_context.session.run();
    const Candidate* candidate = run.candidate(chosen());
    if (!candidate)
        return tr("No candidate is confirmed yet. Continue the run until one is, or measure one again.");
    if (!candidate->confirmed || !candidate->isRanked())
        return tr("%1 has no confirmation that ranked it. Measure it again, or choose another candidate.")
            .arg(nameOfCandidate(candidate->id));
    if (m_folder->text().trimmed().isEmpty())
        return tr("Name a folder.");
    if (const auto possible = checkDestination(m_folder->text().trimmed().toStdString()); !possible)
        return asSentences(text(possible.error().text), text(possible.error().hint));
    if (m_sign->isChecked() && !QFileInfo(m_key->text().trimmed()).isFile())
        return m_key->text().trimmed().isEmpty() ? tr("Name the file of an SSH key.")
                                                 : tr("There is no key %1.").arg(m_key->text().trimmed());
    return {};
}

QString ExportDialog::plan() const
{
    const Snapshot& snapshot = m_context.session.snapshot();
    const CandidateId id = chosen();
    QStringList sentences{tr("A new folder with the program, patches, the task, the report and a list of all files.")};
    const auto sealed = snapshot.pack ? static_cast<int>(snapshot.pack->task.sealed.size()) : 0;
    if (sealed == 0)
        sentences << tr("The task has no sealed shapes: nothing is measured.");
    else if (snapshot.run.sealedMeasurement(id))
        sentences
            << tr("%1 was measured on the sealed shapes before: nothing is measured again.").arg(nameOfCandidate(id));
    else if (m_sealed->isEnabled() && m_sealed->isChecked())
        sentences << tr("First, %1 is built, checked and timed on %2 sealed shapes, once. The session records it, and "
                        "it cannot be undone: repeated use makes sealed shapes less independent (%3 uses so far).")
                         .arg(nameOfCandidate(id))
                         .arg(sealed)
                         .arg(snapshot.run.sealedMeasurements.size());
    else
        sentences << tr("Nothing is measured; the report states that sealed shapes were left out.");
    return sentences.join(u' ');
}

void ExportDialog::refresh()
{
    const bool isGoing = m_run.isGoing();
    const Snapshot& snapshot = m_context.session.snapshot();
    const bool canMeasure = snapshot.pack && !snapshot.pack->task.sealed.empty()
        && !snapshot.run.sealedMeasurement(chosen()) && !snapshot.status.readOnly && snapshot.status.elsewhere.empty();
    for (QWidget* each : std::initializer_list<QWidget*>{m_candidates, m_folder, m_browse, m_harness, m_pdf, m_sign})
        each->setEnabled(!isGoing);
    m_sealed->setEnabled(!isGoing && canMeasure);
    for (QWidget* each : std::initializer_list<QWidget*>{m_key, m_browseKey}) {
        each->setVisible(m_sign->isChecked());
        each->setEnabled(!isGoing);
    }
    if (!isGoing)
        m_plan->setText(plan());
    m_progress->setVisible(isGoing);
    m_cancel->setText(isGoing ? tr("Cancel") : tr("Close"));
    const bool isWritten = !m_written.isEmpty() && !isGoing;
    m_openFolder->setVisible(isWritten);
    m_openReport->setVisible(isWritten);
    if (isGoing)
        return m_begin->setEnabled(false);
    const QString why = whyNot();
    m_begin->setEnabled(why.isEmpty());
    if (!why.isEmpty() && !isWritten)
        say(why, "bad");
    else if (!isWritten)
        say({}, "secondary");
}

/// As high as its texts need at this width.
void ExportDialog::fit()
{
    layout()->activate();
    resize(width(), std::max(height(), layout()->totalHeightForWidth(std::max(width(), minimumWidth()))));
}

void ExportDialog::begin()
{
    const QString why = whyNot();
    m_written.clear();
    if (!why.isEmpty())
        return refresh();
    ExportChoices choices;
    choices.candidate = chosen();
    choices.folder = m_folder->text().trimmed().toStdString();
    choices.measuresSealed = m_sealed->isEnabled() && m_sealed->isChecked();
    choices.hasHarness = m_harness->isChecked();
    choices.hasPdf = m_pdf->isChecked();
    choices.key = m_sign->isChecked() ? m_key->text().trimmed().toStdString() : std::string();
    m_run.start(choices);
    say(tr("Started…"), "secondary");
    refresh();
}

void ExportDialog::take(const ExportedFolder& exported)
{
    m_written = exported.folder;
    refresh();
    say(tr("%1 %2 files are in %3.").arg(asSentences(exported.finding, {})).arg(exported.files).arg(exported.folder),
        "good");
}

void ExportDialog::showFailure(const Error& error)
{
    refresh();
    if (error.code == "cancelled")
        say(tr("Cancelled: nothing was written."), "secondary");
    else
        say(asSentences(text(error.text), text(error.hint)), "bad");
}

void ExportDialog::say(const QString& words, const char* tone)
{
    m_said->setText(words);
    m_said->setVisible(!words.isEmpty());
    m_said->setProperty("tone", QLatin1String(tone));
    m_said->style()->unpolish(m_said);
    m_said->style()->polish(m_said);
    fit();
}

void ExportDialog::askForFolder()
{
    auto* dialog = new QFileDialog(this, tr("Location of the new folder"), QFileInfo(m_folder->text()).path());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::Directory);
    dialog->setOption(QFileDialog::ShowDirsOnly);
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& path) {
        const bool isFree = QDir(path).isEmpty();
        m_folder->setText(isFree ? path : QDir(path).filePath(QFileInfo(m_proposed).fileName()));
    });
    dialog->open();
}

void ExportDialog::askForKey()
{
    auto* dialog = new QFileDialog(this, tr("SSH key"), QDir::home().filePath(u".ssh"_s));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    dialog->setFilter(QDir::AllDirs | QDir::Files | QDir::Hidden | QDir::NoDotAndDotDot);
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& path) { m_key->setText(path); });
    dialog->open();
}

void ExportDialog::reject()
{
    if (m_run.isGoing())
        m_run.cancel();
    else
        QDialog::reject();
}

void ExportDialog::closeEvent(QCloseEvent* event)
{
    if (!m_run.isGoing())
        return QDialog::closeEvent(event);
    m_run.cancel();
    event->ignore();
}

} // namespace tilewright::ui
