// SPDX-License-Identifier: GPL-3.0-or-later
// Talks to model servers and to the keychain for the settings, on a thread of its own: the window only asks and is told
// later, under the tag it got. Lives on the GUI thread; what it owns lives on its thread. A key passes through once, on
// its way to where it is kept, and never comes back.
#pragma once

#include "core/llm/keys.h"
#include "core/llm/model_directory.h"
#include "core/llm/models_file.h"

#include <QObject>
#include <QThread>

namespace tilewright::ui {

class ModelBench : public QObject
{
    Q_OBJECT

public:
    explicit ModelBench(QObject* parent = nullptr);
    ~ModelBench() override;

    /// listed() follows once, unless cancelled.
    quint64 list(const ModelEndpoint& endpoint);
    /// One tiny call; tested() follows once, also after cancel(). The file holds the model and its endpoint.
    quint64 test(const ModelsFile& file, const std::string& model);
    /// keyAnswered() follows once. Places: Keychain, Memory.
    quint64 storeKey(const KeyName& name, const QString& key);
    /// Whether a key is there; keyAnswered() follows once.
    quint64 findKey(const KeyName& name);
    void cancel(quint64 tag);

Q_SIGNALS:
    void listed(quint64 tag, const tilewright::Result<std::vector<tilewright::ListedModel>>& models);
    /// `before` and `after`: what the model's table allowed before the call, and once the server had refused things.
    void tested(quint64 tag, const tilewright::ProbeReport& report, const tilewright::Capabilities& before,
        const tilewright::Capabilities& after);
    void keyAnswered(quint64 tag, const tilewright::Result<void>& answer);

private:
    struct Worker;

    QThread m_thread;
    Worker* m_worker; ///< lives in m_thread, deleted there
    quint64 m_lastTag = 0;
};

} // namespace tilewright::ui
