// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/manual_correspondent.h"

namespace tilewright {

ManualCorrespondent::ManualCorrespondent(const std::string& folder, std::chrono::milliseconds quiet)
    : m_folder(QString::fromStdString(folder), quiet)
{
    QObject::connect(
        &m_folder, &ReplyFolder::arrived, &m_folder, [this](const std::string& place, const QByteArray& reply) {
            auto waiting = m_waiting.extract(place);
            if (waiting.empty())
                return;
            Response response;
            response.text = reply.toStdString();
            response.answer.costMicroUsd = 0;
            waiting.mapped().answer(waiting.mapped().id, std::move(response));
        });
}

Result<void> ManualCorrespondent::send(const Letter& letter, Answer answer)
{
    const std::string text = letter.system.empty() ? letter.user : letter.system + "\n\n" + letter.user;
    auto put = m_folder.put(letter.place, text);
    if (put)
        m_waiting.insert_or_assign(letter.place, Waiting{letter.id, std::move(answer)});
    return put;
}

void ManualCorrespondent::forget()
{
    m_waiting.clear();
    m_folder.forget();
}

} // namespace tilewright
