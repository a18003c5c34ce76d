// SPDX-License-Identifier: GPL-3.0-or-later
// Under the preview of a prompt: puts this very prompt once, tells what became of the last one of this template that
// was sent so, and takes it back while it was not sent yet. GUI thread.
#pragma once

#include "ui/prompts/template_key.h"
#include "ui/session/view_context.h"
#include "ui/theme/words.h"

#include <QFrame>
#include <utility>

class QLabel;
class QPushButton;

namespace tilewright::ui {

class SendOnceBar : public QFrame
{
    Q_OBJECT

public:
    explicit SendOnceBar(const ViewContext& context, QWidget* parent = nullptr);
    /// hindrance: why the prompt in the preview cannot be sent; empty if it can.
    void show(const TemplateKey& key, const QString& hindrance);

Q_SIGNALS:
    void wanted();

private:
    /// The newest steering request of this template that was not taken back; null if there is none.
    const SteeringRequest* sent() const;
    void refuse(const QString& why);

    ViewContext m_context;
    TemplateKey m_key;
    QPushButton *m_send, *m_takeBack;
    QLabel* m_state;
    QString m_refused; ///< what the engine said against the newest try
    std::size_t m_steeringRequestsSeen = 0;
    bool m_asked = false; ///< the engine has yet to take it
};

// Who proposes in a session, as the choice of it is titled.

/// Without the file or session that it reads.
inline QString proposerTitle(const QString& proposer)
{
    const QString kind = proposer.section(u':', 0, 0);
    const std::pair<QString, QString> titles[] = {{QStringLiteral("model"), tr("Language models")},
        {QStringLiteral("replay"), tr("Replay")}, {QStringLiteral("mutator"), tr("Built-in mutator")},
        {QStringLiteral("tuner"), tr("Tuner")}, {QStringLiteral("random"), tr("Random edits")}};
    for (const auto& [name, title] : titles)
        if (name == kind)
            return title;
    return kind;
}

} // namespace tilewright::ui
