// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/prompts/reply_box.h"

#include "core/base/files.h"
#include "core/patch/diff.h"
#include "core/patch/patch.h"
#include "core/patch/proposals.h"
#include "ui/models/display_text.h"
#include "ui/theme/theme.h"
#include "ui/theme/words.h"
#include "ui/widgets/aside.h"
#include "ui/widgets/ask_box.h"
#include "ui/widgets/room.h"

#include <QDropEvent>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QLabel>
#include <QMimeData>
#include <QPlainTextEdit>
#include <QPushButton>
#include <algorithm>

namespace tilewright::ui {

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace {
constexpr auto afterLastKey = 200ms;
constexpr std::size_t largestFile = 8 << 20; ///< bytes; what the engine takes
} // namespace

ReplyBox::ReplyBox(QWidget* parent)
    : QWidget(parent)
    , m_text(new QPlainTextEdit(this))
    , m_findings(new QLabel(this))
    , m_submit(new QPushButton(icon(u"check"_s, Tint::Button), tr("Send the reply"), this))
{
    m_text->setObjectName(u"replyText"_s);
    m_text->setAccessibleName(tr("Reply"));
    m_text->setPlaceholderText(tr("Paste the reply here, or drop a file."));
    m_text->setLineWrapMode(QPlainTextEdit::WidgetWidth);
    m_text->setTabChangesFocus(true);
    m_text->setMinimumHeight(px(32)); // a low window takes from it first, not from what is said below
    m_text->setFrameShape(QFrame::NoFrame);
    m_text->installEventFilter(this);
    m_text->viewport()->installEventFilter(this); // drops arrive there
    m_findings->setObjectName(u"replyFindings"_s);
    m_findings->setWordWrap(true);
    m_findings->setTextFormat(Qt::PlainText);
    m_findings->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_submit->setObjectName(u"sendReply"_s);
    m_submit->setProperty("kind", u"primary"_s);
    m_submit->setToolTip(tr("Ctrl+Enter"));
    auto* file = new QPushButton(icon(u"folder"_s, Tint::Secondary), tr("From file…"), this);
    file->setObjectName(u"replyFromFile"_s);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_text, 1);
    auto* bar = new QFrame(this);
    bar->setProperty("role", u"footer"_s);
    auto* footer = new QVBoxLayout(bar); // what was found has the whole width: a large font needs it
    footer->setContentsMargins(px(12), px(8), px(12), px(8));
    footer->setSpacing(px(8));
    footer->addWidget(m_findings);
    auto* row = new QHBoxLayout;
    row->setSpacing(px(8));
    footer->addLayout(row);
    row->addStretch();
    row->addWidget(file);
    row->addWidget(m_submit);
    column->addWidget(bar);
    m_pause.setSingleShot(true);
    m_pause.setInterval(afterLastKey);
    const auto restyled = [this] { m_text->setFont(fontOf(Type::Code)); };
    restyled();
    connect(&Theme::instance(), &Theme::changed, this, restyled);
    connect(&m_pause, &QTimer::timeout, this, [this] { look(); });
    connect(m_text, &QPlainTextEdit::textChanged, this, [this] {
        m_trouble.clear();
        m_pause.start();
        Q_EMIT typed();
    });
    connect(m_submit, &QPushButton::clicked, this, [this] { Q_EMIT submitted(reply()); });
    connect(file, &QPushButton::clicked, this, [this] {
        auto* dialog = new QFileDialog(this, tr("Reply"), {}, tr("Texts (*.md *.txt *.diff *.patch);;All files (*)"));
        dialog->setAttribute(Qt::WA_DeleteOnClose);
        dialog->setFileMode(QFileDialog::ExistingFile);
        connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& path) { take(path); });
        dialog->open();
    });
    show();
}

void ReplyBox::serve(const std::string& parent, const std::string& fileName, AskedFor askedFor)
{
    if (parent == m_parent && fileName == m_fileName && askedFor == m_askedFor)
        return;
    m_parent = parent;
    m_fileName = fileName;
    m_askedFor = askedFor;
    look();
}

QString ReplyBox::reply() const { return m_text->toPlainText(); }

void ReplyBox::setReply(const QString& reply)
{
    if (reply != this->reply())
        m_text->setPlainText(reply);
    look();
}

void ReplyBox::setOpen(bool open)
{
    m_open = open;
    m_text->setReadOnly(!open);
    show();
}

void ReplyBox::take(const QString& path)
{
    if (const auto reply = readTextFile(path.toStdString(), largestFile))
        setReply(QString::fromStdString(*reply));
    else
        m_trouble = QString::fromStdString(reply.error().line());
    show();
}

bool ReplyBox::eventFilter(QObject* watched, QEvent* event)
{
    const QEvent::Type type = event->type();
    if (type == QEvent::KeyPress && isAccept(*static_cast<QKeyEvent*>(event))) {
        m_submit->click(); // nothing where it is disabled
        return true;
    }
    if (type == QEvent::DragEnter || type == QEvent::DragMove || type == QEvent::Drop) {
        auto* drop = static_cast<QDropEvent*>(event);
        const QList<QUrl> urls = drop->mimeData()->urls();
        if (m_open && urls.size() == 1 && urls.first().isLocalFile()) {
            drop->acceptProposedAction();
            if (type == QEvent::Drop)
                take(urls.first().toLocalFile());
            return true;
        }
    }
    return QWidget::eventFilter(watched, event);
}

void ReplyBox::look()
{
    m_pause.stop();
    const quint64 id = ++m_checkId;
    doAside(
        this,
        [parent = m_parent, name = m_fileName, reply = reply().toStdString(), askedFor = m_askedFor] {
            return parent.empty() ? ReplyCheck{} : checkReply(parent, name, reply, askedFor);
        },
        [this, id](const ReplyCheck& check) {
            if (id != m_checkId)
                return;
            m_check = check;
            show();
            Q_EMIT checked();
        });
}

void ReplyBox::show()
{
    const bool empty = reply().trimmed().isEmpty();
    const int parts = static_cast<int>(m_check.parts.size()), good = m_check.applying();
    QStringList lines = m_trouble.isEmpty() ? wordsOf(m_check) : QStringList{m_trouble};
    if (lines.isEmpty())
        lines << (!m_open          ? tr("Choose an open prompt.")
                : empty            ? tr("Nothing pasted yet. The effect of the reply is shown here before you send it.")
                : m_parent.empty() ? tr("Loading the program to edit…")
                                   : tr("Checking…"));
    if (m_trouble.isEmpty() && parts > 0 && good < parts)
        lines << (good > 0 ? tr("If you send it now, the others become candidates; for those that do not apply, one "
                                "repair is requested.")
                           : tr("If you send it now, one repair is requested, with the reason."));
    m_findings->setText(lines.join(u'\n'));
    restyle(m_findings, "tone",
        !m_trouble.isEmpty() || (parts > 0 && good == 0) ? u"bad"_s
            : parts > 0 && good == parts                 ? u"good"_s
                                                         : u"secondary"_s);
    m_submit->setEnabled(m_open && !empty);
}

namespace {

int firstLine(const Error& error)
{
    const nlohmann::json& evidence = error.evidence;
    const bool known = evidence.is_object() && evidence.contains("lines") && evidence["lines"].is_array()
        && !evidence["lines"].empty() && evidence["lines"][0].is_number_integer();
    return known ? evidence["lines"][0].get<int>() : 0;
}

PartCheck checkPart(
    const std::string& parent, const std::string& fileName, const std::string& reply, const PatchOptions& options)
{
    PartCheck check;
    const auto result = applyReply(parent, fileName, reply, options);
    if (!result) {
        const Error error = result.error().error();
        check.rule = text(ruleOfCode(result.error().code));
        check.refusal = text(error.text);
        check.line = firstLine(error);
        return check;
    }
    check.applies = true;
    for (const Repair& repair : result->repairs)
        check.repairs << text(repair.line());
    for (const Repair& note : result->notes)
        check.notes << text(note.line());
    for (const DiffLine& line : diffLines(parent, result->text)) {
        check.added += line.change == LineChange::Added;
        check.removed += line.change == LineChange::Removed;
    }
    return check;
}

} // namespace

int ReplyCheck::applying() const
{
    return static_cast<int>(std::ranges::count_if(parts, [](const PartCheck& part) { return part.applies; }));
}

ReplyCheck checkReply(
    const std::string& parent, const std::string& fileName, const std::string& reply, AskedFor askedFor)
{
    ReplyCheck check;
    if (QString::fromStdString(reply).trimmed().isEmpty())
        return check;
    PatchOptions options;
    options.prompt = askedFor == AskedFor::Block ? Prompt::Rewrite : Prompt::Edit;
    for (const std::string& part : proposalsIn(reply))
        check.parts.push_back(checkPart(parent, fileName, part, options));
    return check;
}

QStringList wordsOf(const ReplyCheck& check)
{
    QStringList lines;
    for (std::size_t i = 0; i < check.parts.size(); ++i) {
        const PartCheck& part = check.parts[i];
        const QString name = check.parts.size() > 1 ? tr("Proposal %1").arg(i + 1) : tr("The patch");
        if (part.applies) {
            lines << (part.repairs.isEmpty() ? tr("%1 applies: +%2 −%3 lines, no repair needed")
                                             : tr("%1 applies: +%2 −%3 lines"))
                         .arg(name)
                         .arg(part.added)
                         .arg(part.removed);
            for (const QString& repair : part.repairs)
                lines << tr("repaired: %1").arg(repair);
            for (const QString& note : part.notes)
                lines << tr("noted: %1").arg(note);
        } else {
            lines << (part.line > 0 ? tr("%1 does not apply at line %2 (%3): %4")
                                          .arg(name, QString::number(part.line), part.rule, part.refusal)
                                    : tr("%1 does not apply (%2): %3").arg(name, part.rule, part.refusal));
        }
    }
    return lines;
}

} // namespace tilewright::ui
