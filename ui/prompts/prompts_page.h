// SPDX-License-Identifier: GPL-3.0-or-later
// The Prompts mode: the templates that prompts are written from, and the prompts that wait for a user. GUI thread.
#pragma once

#include "core/model/requests/model_request.h"
#include "ui/session/screen.h"
#include "ui/session/view_context.h"

#include <QWidget>

class QStackedWidget;

namespace tilewright::ui {

class OpenPromptsPage;
class Segments;
class TemplatesPage;
class Workspace;

class PromptsPage : public QWidget, public Screen
{
    Q_OBJECT

public:
    enum Part { Templates, Open };

    explicit PromptsPage(const ViewContext& context, QWidget* parent = nullptr);

    /// And stays there until another session is shown.
    void show(Part part);
    Part part() const;
    /// An open prompt.
    void choose(ModelRequestId modelRequest);
    /// Words in the text that is read or written there.
    bool canFind() const override { return true; }
    void find() override;
    void setLoading(bool loading) override;
    TemplatesPage& templates() { return *m_templates; }
    QWidget& asWidget() override { return *this; }
    Workspace* docks() override; ///< of the templates
    QString statusText() override;
    int badge() const override;
    OpenPromptsPage& openPrompts() { return *m_open; }

Q_SIGNALS:
    void partChanged();

private:
    void bring(Part part);
    void refresh();

    ViewContext m_context;
    Segments* m_parts;
    QStackedWidget* m_stack;
    TemplatesPage* m_templates;
    OpenPromptsPage* m_open;
    bool m_chosen = false; ///< by a user or a caller, for this session
};

} // namespace tilewright::ui
