// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/evolve/fitness_look.h"

#include "ui/session/settings.h"
#include "ui/theme/words.h"

#include <QJsonDocument>
#include <QJsonObject>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

namespace {

const QString axisKey = u"axis"_s, valueKey = u"value"_s, logarithmicKey = u"logarithmic"_s,
              migrationsKey = u"migrations"_s;

template <typename T> T choiceOf(const QJsonValue& json, int choices, T otherwise)
{
    const int choice = json.toInt(-1);
    return choice >= 0 && choice < choices ? static_cast<T>(choice) : otherwise;
}

} // namespace

QString nameOf(FitnessValue value)
{
    switch (value) {
    case FitnessValue::Score:
        return tr("Score");
    case FitnessValue::Time:
        return tr("Time");
    case FitnessValue::VersusVendor:
        break;
    }
    return tr("Versus vendor");
}

QByteArray toJson(const FitnessLook& look)
{
    QJsonObject json{{axisKey, static_cast<int>(look.axis)}, {valueKey, static_cast<int>(look.value)}};
    if (look.logarithmic)
        json[logarithmicKey] = *look.logarithmic;
    if (!look.migrations)
        json[migrationsKey] = false;
    return QJsonDocument(json).toJson(QJsonDocument::Compact);
}

FitnessLook fitnessLookFrom(const QByteArray& json)
{
    const QJsonObject read = QJsonDocument::fromJson(json).object();
    FitnessLook look;
    look.axis = choiceOf(read[axisKey], runAxes, look.axis);
    look.value = choiceOf(read[valueKey], fitnessValues, look.value);
    if (read[logarithmicKey].isBool())
        look.logarithmic = read[logarithmicKey].toBool();
    look.migrations = read[migrationsKey].toBool(true);
    return look;
}

QString fitnessLookName(const QString& sessionPath) { return layoutOf(u"fitness"_s, sessionPath); }

} // namespace tilewright::ui
