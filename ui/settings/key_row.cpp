// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/settings/key_row.h"

#include "ui/models/format.h"
#include "ui/theme/icons.h"
#include "ui/theme/theme.h"
#include "ui/widgets/tone.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

KeyRow::KeyRow(ModelBench& bench, QWidget* parent)
    : QWidget(parent)
    , m_bench(bench)
    , m_place(new QComboBox(this))
    , m_name(new QLineEdit(this))
    , m_secret(new QLineEdit(this))
    , m_store(new QPushButton(icon(u"key"_s, Tint::Secondary), tr("Store"), this))
    , m_state(new QLabel(this))
{
    m_place->setObjectName(u"keyPlace"_s);
    m_place->setAccessibleName(tr("Where the key is kept"));
    m_place->addItem(tr("no key"), QString());
    m_place->addItem(tr("environment variable"), u"env"_s);
    m_place->addItem(tr("desktop keychain"), u"keychain"_s);
    m_place->addItem(tr("memory, this run only"), u"memory"_s);
    m_name->setObjectName(u"keyName"_s);
    m_name->setAccessibleName(tr("Name of the key"));
    m_secret->setObjectName(u"keySecret"_s);
    m_secret->setAccessibleName(tr("The key itself"));
    m_secret->setEchoMode(QLineEdit::Password);
    m_secret->setPlaceholderText(tr("paste the key"));
    m_store->setObjectName(u"storeKey"_s);
    m_state->setObjectName(u"keyState"_s);
    m_state->setWordWrap(true);
    m_state->setTextFormat(Qt::PlainText);
    m_state->setFont(fontOf(Type::Secondary));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(px(4));
    column->addWidget(m_place);
    column->addWidget(m_name); // a row of its own: names are long
    auto* row = new QHBoxLayout;
    row->setSpacing(px(6));
    row->addWidget(m_secret, 1);
    row->addWidget(m_store);
    column->addLayout(row);
    column->addWidget(m_state);
    connect(m_place, &QComboBox::activated, this, [this] { choose(); });
    connect(m_name, &QLineEdit::editingFinished, this, [this] { choose(); });
    connect(m_secret, &QLineEdit::textChanged, this, [this] { m_store->setEnabled(!m_secret->text().isEmpty()); });
    connect(m_secret, &QLineEdit::returnPressed, m_store, &QPushButton::click);
    connect(m_store, &QPushButton::clicked, this, [this] {
        tell(tr("Storing…"), u"secondary"_s);
        m_storing = m_bench.storeKey(chosen(), m_secret->text());
        m_secret->clear(); // from here on it is only where it is kept
    });
    connect(&bench, &ModelBench::keyAnswered, this, [this](quint64 tag, const Result<void>& answer) {
        const bool storing = tag == m_storing && tag != 0;
        if (!storing && (tag != m_finding || tag == 0))
            return;
        (storing ? m_storing : m_finding) = 0;
        if (!answer)
            return tell(text(answer.error().line()), u"bad"_s);
        const QString where = chosen().place == KeyPlace::Keychain ? tr("the desktop keychain")
            : chosen().place == KeyPlace::Memory                   ? tr("memory, until the program ends")
                                                                   : tr("the environment");
        tell(storing ? tr("Stored in %1. It is not shown again.").arg(where) : tr("There is a key in %1.").arg(where),
            u"good"_s);
        if (storing)
            Q_EMIT stored();
    });
    show({}, {});
}

KeyName KeyRow::chosen() const { return parseKeyName(m_shown.toStdString()).value_or(KeyName{}); }

void KeyRow::show(const QString& key, const QString& usual)
{
    m_usual = usual;
    const bool same = key == m_shown && !m_state->text().isEmpty();
    m_shown = key;
    const QString place = key.section(u':', 0, 0);
    m_place->setCurrentIndex(std::max(0, m_place->findData(place)));
    m_name->setText(key.section(u':', 1));
    m_name->setVisible(!place.isEmpty());
    m_name->setPlaceholderText(place == u"env"_s ? tr("NAME_OF_VARIABLE") : tr("name"));
    const bool typed = place == u"keychain"_s || place == u"memory"_s;
    m_secret->setVisible(typed);
    m_store->setVisible(typed);
    m_store->setEnabled(!m_secret->text().isEmpty());
    if (!same)
        ask();
}

void KeyRow::ask()
{
    m_finding = 0;
    const KeyName name = chosen();
    if (name.place == KeyPlace::None)
        return tell(m_shown.isEmpty() ? tr("No key is sent.") : tr("Give the key a name: letters, digits, - _ ."),
            m_shown.isEmpty() ? u"secondary"_s : u"bad"_s);
    if (name.place == KeyPlace::Keychain && !KeyRing::hasKeychain())
        return tell(tr("This program was built without a keychain. Use an environment variable, or memory."), u"bad"_s);
    tell(tr("Looking for the key…"), u"secondary"_s);
    m_finding = m_bench.findKey(name);
}

void KeyRow::choose()
{
    const QString place = m_place->currentData().toString();
    QString name = m_name->text().trimmed();
    if (place != m_shown.section(u':', 0, 0))
        name = place == u"env"_s ? m_usual.toUpper().replace(u'-', u'_').replace(u'.', u'_') + u"_API_KEY"_s : m_usual;
    const QString key = place.isEmpty() ? QString() : place + u':' + name;
    if (key == m_shown)
        return;
    show(key, m_usual);
    Q_EMIT edited(key);
}

void KeyRow::tell(const QString& text, const QString& tone)
{
    m_state->setText(text);
    restyle(m_state, "tone", tone);
}

} // namespace tilewright::ui
