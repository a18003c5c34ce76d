// SPDX-License-Identifier: GPL-3.0-or-later
// The parameters of a function as rows: how each is written, what it is, and its shape or value. GUI thread.
#pragma once

#include "core/pack/kernel_description.h"

#include <QWidget>

class QGridLayout;

namespace tilewright::ui {

class KernelParameters : public QWidget
{
    Q_OBJECT

public:
    explicit KernelParameters(QWidget* parent = nullptr);

    /// Keeps the rows as long as they are of the same parameters: the one that is typed in keeps the focus.
    void show(const KernelDescription& description, const std::vector<DescriptionFinding>& findings);

Q_SIGNALS:
    /// The user changed one: what it is, its name, its shape or its value.
    void kindChanged(int parameter, tilewright::ParameterKind kind);
    void nameChanged(int parameter, const QString& name);
    void shapeChanged(int parameter, const QString& shape);
    void valueChanged(int parameter, const QString& value);

private:
    void build(const KernelDescription& description);

    QGridLayout* m_grid;
    std::vector<std::pair<std::string, std::string>> m_built; ///< function and type of each row
};

} // namespace tilewright::ui
