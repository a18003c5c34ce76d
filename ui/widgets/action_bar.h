// SPDX-License-Identifier: GPL-3.0-or-later
// The bar at the foot of a page: what there is to say, a line each, and below it the row of buttons. GUI thread.
#pragma once

#include "ui/theme/theme.h"
#include "ui/widgets/segments.h"

#include <QAbstractSpinBox>
#include <QFrame>
#include <QKeyEvent>
#include <QLineEdit>

class QHBoxLayout;
class QPushButton;
class QVBoxLayout;

namespace tilewright::ui {

class ActionBar : public QFrame
{
    Q_OBJECT

public:
    enum class Kind { Plain, Primary, Flat };

    explicit ActionBar(QWidget* parent = nullptr);
    /// Above the row.
    void addLine(QWidget* line);
    /// At the end of the row; no sign for none.
    QPushButton* addButton(const QString& name, const QString& sign, const QString& text, Kind kind = Kind::Plain);
    /// Other words on one of its buttons, or behind its sign where that stands alone.
    void setWords(QPushButton* button, const QString& words);
    void addWidget(QWidget* widget, int stretch = 0);
    void addStretch();
    QSize minimumSizeHint() const override;

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void fit();

    BriefButtons m_brief; ///< all but the primary one
    QVBoxLayout* m_lines;
    QHBoxLayout* m_row;
};

// A field for one number, typed rather than stepped. What is typed or pasted stands as it was given: where it is no
// number that the field takes, the field is marked, says so in its tooltip, and keeps its value until it is one.
// GUI thread.

/// Why the field's text is no number that it takes; empty where it is one.
QString wrongNumber(const QAbstractSpinBox& box);
/// "1 to 64": what the field takes.
QString rangeWords(const QAbstractSpinBox& box);
/// Of the first such field in sight within; empty where there is none.
QString wrongNumberIn(const QWidget& parent);

/// Notes whether the text, as it stands, is a number from low to high. True: that is another word than before.
bool judgeNumber(QAbstractSpinBox& box, QValidator::State state, const QString& low, const QString& high);
bool isWrongNumber(const QAbstractSpinBox& box);

/// Box: QSpinBox or QDoubleSpinBox. Its valueChanged() comes also when what is wrong with the text has changed.
template <typename Box> class TypedNumber : public Box
{
public:
    explicit TypedNumber(QWidget* parent)
        : Box(parent)
    {
        QObject::connect(this->lineEdit(), &QLineEdit::textChanged, this, [this] { judge(); });
        QObject::connect(this, &Box::valueChanged, this, [this] { judge(); }); // the library's own texts come unsaid
    }
    /// A letter is not swallowed: "5abc9" would become 59 without a word.
    QValidator::State validate(QString& words, int& at) const override
    {
        return std::max(Box::validate(words, at), QValidator::Intermediate);
    }

    /// Notes whether what stands there is a number that it takes.
    void judge()
    {
        QString typed = this->text();
        int at = 0;
        const bool isSpecial = !typed.isEmpty() && typed == this->specialValueText();
        const auto number = [this](auto value) { return this->locale().toString(value); };
        if (judgeNumber(*this, isSpecial ? QValidator::Acceptable : Box::validate(typed, at), number(this->minimum()),
                number(this->maximum())))
            Q_EMIT this->valueChanged(this->value());
    }

protected:
    void focusOutEvent(QFocusEvent* event) override
    {
        keeping([&] { Box::focusOutEvent(event); });
    }
    void keyPressEvent(QKeyEvent* event) override
    {
        const bool accepts = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
        if (accepts)
            keeping([&] { Box::keyPressEvent(event); });
        else
            Box::keyPressEvent(event);
    }

private:
    /// The library puts the old number in the place of a text that is none.
    template <typename Does> void keeping(Does does)
    {
        const bool isWrong = isWrongNumber(*this);
        const QString typed = this->lineEdit()->text();
        does();
        if (isWrong && this->lineEdit()->text() != typed)
            this->lineEdit()->setText(typed);
    }
};

template <typename Box, typename Number>
Box* numberBox(Number low, Number high, Number value, const QString& name, const QString& accessible, QWidget* parent)
{
    auto* box = new TypedNumber<Box>(parent);
    box->setRange(low, high);
    box->setValue(value);
    box->setObjectName(name);
    box->setAccessibleName(accessible);
    box->setAlignment(Qt::AlignRight);
    box->setButtonSymbols(QAbstractSpinBox::NoButtons);
    box->setMinimumWidth(px(92));
    return box;
}

/// This number in the place of whatever was typed. The library says nothing where the number was the field's already.
template <typename Box, typename Number> void setNumber(Box& box, Number number)
{
    box.setValue(number);
    if (auto* typed = dynamic_cast<TypedNumber<Box>*>(&box))
        typed->judge();
}

} // namespace tilewright::ui
