// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/own/kernel_parameters.h"

#include "core/base/text.h"
#include "ui/models/display_text.h"
#include "ui/theme/theme.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/room.h"

#include <QComboBox>
#include <QGridLayout>
#include <QLineEdit>
#include <algorithm>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

namespace {

enum Column { Written, Name, Is, Element, Extent };

QString kindInWords(ParameterKind kind)
{
    switch (kind) {
    case ParameterKind::Input:
        return KernelParameters::tr("input");
    case ParameterKind::Output:
        return KernelParameters::tr("output");
    case ParameterKind::Dimension:
        return KernelParameters::tr("size");
    case ParameterKind::Constant:
        return KernelParameters::tr("constant");
    case ParameterKind::Unknown:
        break;
    }
    return {};
}

/// What a parameter of this type may be. A size may be fixed, a fraction has to be.
std::vector<ParameterKind> kindsOf(const DescribedParameter& parameter)
{
    if (parameter.isTensor())
        return {ParameterKind::Input, ParameterKind::Output};
    if (parameter.type.find("float") != std::string::npos || parameter.type.find("double") != std::string::npos
        || parameter.type.find("bool") != std::string::npos)
        return {ParameterKind::Constant};
    return {ParameterKind::Dimension, ParameterKind::Constant};
}

template <typename Widget> Widget* cell(QGridLayout* grid, int row, int column)
{
    QLayoutItem* item = grid->itemAtPosition(row, column);
    return item ? qobject_cast<Widget*>(item->widget()) : nullptr;
}

} // namespace

KernelParameters::KernelParameters(QWidget* parent)
    : QWidget(parent)
    , m_grid(new QGridLayout(this))
{
    setAccessibleName(tr("Parameters of the function"));
    m_grid->setContentsMargins(0, 0, 0, 0);
    m_grid->setHorizontalSpacing(px(8));
    m_grid->setVerticalSpacing(px(6));
    m_grid->setColumnStretch(Written, 3);
    m_grid->setColumnStretch(Name, 2);
    m_grid->setColumnStretch(Extent, 3);
}

void KernelParameters::build(const KernelDescription& description)
{
    while (QLayoutItem* item = m_grid->takeAt(0)) {
        if (QWidget* widget = item->widget()) {
            widget->hide();
            widget->deleteLater();
        }
        delete item;
    }
    const QStringList heads{tr("In the file"), tr("Name"), tr("Role"), tr("Type"), tr("Shape or value")};
    for (int column = 0; column < heads.size(); ++column) {
        auto* head = new QLabel(heads[column], this);
        head->setProperty("tone", u"secondary"_s);
        head->setFont(fontOf(Type::Secondary));
        m_grid->addWidget(head, 0, column);
    }
    for (std::size_t i = 0; i < description.parameters.size(); ++i) {
        const DescribedParameter& parameter = description.parameters[i];
        const int at = static_cast<int>(i), row = at + 1;
        auto* written = new ElidedLabel(text(parameter.type), this);
        written->setFont(fontOf(Type::Mono));
        written->setToolTip(text(parameter.type));
        m_grid->addWidget(written, row, Written);
        auto* name = new QLineEdit(this);
        name->setObjectName(u"parameterName:%1"_s.arg(at));
        name->setAccessibleName(tr("Name of parameter %1").arg(row));
        name->setMinimumWidth(px(80));
        m_grid->addWidget(name, row, Name);
        auto* is = new QComboBox(this);
        is->setObjectName(u"parameterKind:%1"_s.arg(at));
        is->setAccessibleName(tr("Role of %1").arg(text(parameter.name)));
        for (const ParameterKind kind : kindsOf(parameter))
            is->addItem(kindInWords(kind), static_cast<int>(kind));
        m_grid->addWidget(is, row, Is);
        auto* type = new QLabel(parameter.isTensor() ? text(nameOf(parameter.dtype)) : QString(), this);
        type->setFont(fontOf(Type::Mono));
        m_grid->addWidget(type, row, Element);
        auto* shape = new QLineEdit(this);
        shape->setObjectName(u"parameterShape:%1"_s.arg(at));
        shape->setMinimumWidth(px(110));
        m_grid->addWidget(shape, row, Extent);
        connect(name, &QLineEdit::editingFinished, this, [this, at, name] {
            if (name->isModified())
                Q_EMIT nameChanged(at, name->text());
        });
        connect(is, &QComboBox::activated, this,
            [this, at, is] { Q_EMIT kindChanged(at, static_cast<ParameterKind>(is->currentData().toInt())); });
        connect(shape, &QLineEdit::editingFinished, this, [this, at, shape] {
            if (!shape->isModified())
                return;
            if (shape->property("holdsValue").toBool())
                Q_EMIT valueChanged(at, shape->text());
            else
                Q_EMIT shapeChanged(at, shape->text());
        });
    }
}

void KernelParameters::show(const KernelDescription& description, const std::vector<DescriptionFinding>& findings)
{
    std::vector<std::pair<std::string, std::string>> rows;
    for (const DescribedParameter& parameter : description.parameters)
        rows.emplace_back(description.function, parameter.type);
    if (rows != m_built) {
        m_built = rows;
        build(description);
    }
    for (std::size_t i = 0; i < description.parameters.size(); ++i) {
        const DescribedParameter& parameter = description.parameters[i];
        const int row = static_cast<int>(i) + 1;
        const bool constant = parameter.kind == ParameterKind::Constant;
        const auto put = [](QLineEdit* edit, const QString& text) {
            if (edit->text() != text)
                edit->setText(text);
            edit->setModified(false);
        };
        auto* name = cell<QLineEdit>(m_grid, row, Name);
        put(name, text(parameter.name));
        name->setEnabled(parameter.isTensor());
        auto* is = cell<QComboBox>(m_grid, row, Is);
        is->setCurrentIndex(is->findData(static_cast<int>(parameter.kind)));
        is->setEnabled(is->count() > 1);
        auto* shape = cell<QLineEdit>(m_grid, row, Extent);
        shape->setProperty("holdsValue", constant);
        shape->setVisible(constant || parameter.isTensor());
        shape->setAccessibleName(
            constant ? tr("Value of %1").arg(text(parameter.name)) : tr("Shape of %1").arg(text(parameter.name)));
        shape->setPlaceholderText(constant ? tr("its value")
                : parameter.isTensor()     ? tr("its sizes, outermost first")
                                           : QString());
        put(shape, text(constant ? parameter.value : joined(parameter.shape, ", ")));
        QString problem;
        for (const DescriptionFinding& finding : findings)
            if (finding.field == parameter.name || finding.field.starts_with(parameter.name + "."))
                problem = text(finding.text);
        restyle(shape, "invalid", !problem.isEmpty());
        shape->setToolTip(problem);
    }
}

} // namespace tilewright::ui
