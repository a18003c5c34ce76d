// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/settings/model_bench.h"

#include "core/llm/alarm_clock.h"
#include "core/llm/model_client.h"

namespace tilewright::ui {
namespace {

constexpr unsigned long longestGoodbyeMs = 3000;
constexpr int triesOfATest = 2; ///< a user waits: two are enough to tell

} // namespace

/// What lives on the thread. Everything it finds goes back as a queued call to the bench.
struct ModelBench::Worker : QObject {
    explicit Worker(ModelBench& owner)
        : bench(owner)
        , clock(this)
        , keys(this)
    {
    }

    template <typename Call> void tell(Call call)
    {
        QMetaObject::invokeMethod(&bench, std::move(call), Qt::QueuedConnection);
    }

    void list(quint64 tag, const ModelEndpoint& endpoint)
    {
        auto& directory = directories[tag] = std::make_unique<ModelDirectory>(clock, keys);
        directory->list(endpoint, [this, tag](Result<std::vector<ListedModel>> models) {
            const auto found = directories.find(tag);
            if (found == directories.end())
                return;
            found->second.release()->deleteLater(); // it is on the stack
            directories.erase(found);
            tell([bench = &bench, tag, models = std::move(models)] { Q_EMIT bench->listed(tag, models); });
        });
    }

    void test(quint64 tag, const ModelsFile& file, const std::string& model)
    {
        auto& client = clients[tag] = std::make_unique<ModelClient>(file, clock, keys, tag);
        RetryRules rules;
        rules.mostAttempts = triesOfATest;
        client->setRetryRules(rules);
        const Capabilities before = client->capabilitiesOf(model);
        Capabilities tried;
        if (const ModelSpec* spec = file.model(model))
            if (const ModelEndpoint* endpoint = file.endpoint(spec->endpoint))
                tried = triedByProbe(*spec, endpoint->protocol);
        connect(client.get(), &ModelClient::finished, this, [this, tag, model, before, tried](const ModelReply& reply) {
            const auto found = clients.find(tag);
            if (found == clients.end())
                return;
            const Capabilities after = found->second->capabilitiesOf(model);
            found->second.release()->deleteLater();
            clients.erase(found);
            tell([bench = &bench, tag, report = probeReport(reply, tried), before, after] {
                Q_EMIT bench->tested(tag, report, before, after);
            });
        });
        client->submit(probeRequest(model));
    }

    void storeKey(quint64 tag, const KeyName& name, const QString& key)
    {
        const auto done = [this, tag](Result<void> stored) {
            tell([bench = &bench, tag, stored] { Q_EMIT bench->keyAnswered(tag, stored); });
        };
        auto usable = usableKey(key.toStdString(), name.name);
        if (!usable)
            return done(std::unexpected(usable.error()));
        if (name.place == KeyPlace::Keychain)
            return keys.store(name.name, *usable, done);
        keys.keepInMemory(name.name, *usable);
        done({});
    }

    void findKey(quint64 tag, const KeyName& name)
    {
        keys.find(name, [this, tag](const Result<std::string>& key) {
            const Result<void> answer = key ? Result<void>() : std::unexpected(key.error());
            tell([bench = &bench, tag, answer] { Q_EMIT bench->keyAnswered(tag, answer); });
        });
    }

    void cancel(quint64 tag)
    {
        directories.erase(tag);
        if (const auto client = clients.find(tag); client != clients.end())
            client->second->cancelAll();
    }

    ModelBench& bench;
    SystemAlarmClock clock;
    KeyRing keys;
    std::map<quint64, std::unique_ptr<ModelDirectory>> directories;
    std::map<quint64, std::unique_ptr<ModelClient>> clients;
};

ModelBench::ModelBench(QObject* parent)
    : QObject(parent)
    , m_worker(new Worker(*this))
{
    m_worker->moveToThread(&m_thread);
    connect(&m_thread, &QThread::finished, m_worker, &QObject::deleteLater);
    m_thread.setObjectName(QStringLiteral("model settings"));
    m_thread.start();
}

ModelBench::~ModelBench()
{
    m_thread.quit();
    m_thread.wait(longestGoodbyeMs);
}

quint64 ModelBench::list(const ModelEndpoint& endpoint)
{
    const quint64 tag = ++m_lastTag;
    QMetaObject::invokeMethod(
        m_worker, [worker = m_worker, tag, endpoint] { worker->list(tag, endpoint); }, Qt::QueuedConnection);
    return tag;
}

quint64 ModelBench::test(const ModelsFile& file, const std::string& model)
{
    const quint64 tag = ++m_lastTag;
    QMetaObject::invokeMethod(
        m_worker, [worker = m_worker, tag, file, model] { worker->test(tag, file, model); }, Qt::QueuedConnection);
    return tag;
}

quint64 ModelBench::storeKey(const KeyName& name, const QString& key)
{
    const quint64 tag = ++m_lastTag;
    QMetaObject::invokeMethod(
        m_worker, [worker = m_worker, tag, name, key] { worker->storeKey(tag, name, key); }, Qt::QueuedConnection);
    return tag;
}

quint64 ModelBench::findKey(const KeyName& name)
{
    const quint64 tag = ++m_lastTag;
    QMetaObject::invokeMethod(
        m_worker, [worker = m_worker, tag, name] { worker->findKey(tag, name); }, Qt::QueuedConnection);
    return tag;
}

void ModelBench::cancel(quint64 tag)
{
    QMetaObject::invokeMethod(
        m_worker, [worker = m_worker, tag] { worker->cancel(tag); }, Qt::QueuedConnection);
}

} // namespace tilewright::ui
