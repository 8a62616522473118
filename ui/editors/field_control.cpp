// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/editors/field_control.h"

#include "ui/editors/field_text.h"
#include "ui/editors/number_box.h"
#include "ui/editors/path_list.h"
#include "ui/widgets/file_choice.h"

#include <QButtonGroup>
#include <QCheckBox>
#include <QComboBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QPushButton>
#include <QStyle>
#include <QVBoxLayout>

#include <algorithm>

namespace roundpipe::ui::editors {
namespace {

using session::Field;
using session::FieldValue;

// Lays the input out and names it.
template <class Input>
Input* place(FieldControl& control, const Field& field, Input* input) {
    auto* layout = new QHBoxLayout(&control);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(6);
    layout->addWidget(input);
    input->setAccessibleName(labelOf(field));
    input->setAccessibleDescription(helpOf(field));
    control.setInput(input);
    return input;
}

void markWrong(QWidget& input, bool wrong) {
    if (input.property("wrong").toBool() == wrong) return;
    input.setProperty("wrong", wrong);
    input.style()->unpolish(&input);
    input.style()->polish(&input);
}

class NumberControl : public FieldControl {
public:
    NumberControl(const Field& field, bool isWhole, QWidget* parent)
        : FieldControl(parent), m_box(place(*this, field, new NumberBox(isWhole, field.minimum, field.maximum))) {
        layout()->setAlignment(m_box, Qt::AlignLeft);
        if (const FieldValue none = int64_t{0}; isLeftOpen(field, none)) m_box->setOpen(0, shownValue(field, none));
        connect(m_box, &NumberBox::edited, this, [this, isWhole](double value, bool continues) {
            emit edited(isWhole ? FieldValue(static_cast<int64_t>(value)) : FieldValue(value), continues);
        });
        connect(m_box, &NumberBox::notANumber, this, [this, isWhole](const QString& text, bool continues) {
            emit rejected(isWhole ? FieldControl::tr("“%1” is not a whole number.").arg(text)
                                  : FieldControl::tr("“%1” is not a number.").arg(text),
                          continues);
        });
    }
    void show(const FieldValue& value) override {
        const auto* whole = std::get_if<int64_t>(&value);
        m_box->setValue(whole != nullptr ? static_cast<double>(*whole) : std::get<double>(value));
    }
    void setWrong(bool wrong) override { markWrong(*m_box, wrong); }

private:
    NumberBox* m_box;
};

class TickControl : public FieldControl {
public:
    TickControl(const Field& field, QWidget* parent)
        : FieldControl(parent), m_tick(place(*this, field, new QCheckBox(FieldControl::tr("on")))) {
        connect(m_tick, &QCheckBox::clicked, this, [this](bool on) { emit edited(FieldValue(on), false); });
    }
    void show(const FieldValue& value) override { m_tick->setChecked(std::get<bool>(value)); }
    void setWrong(bool) override {} // both values are allowed

private:
    QCheckBox* m_tick;
};

class ChoiceControl : public FieldControl {
public:
    ChoiceControl(const Field& field, QWidget* parent)
        : FieldControl(parent), m_list(place(*this, field, new QComboBox)) {
        for (const std::string& choice : field.choices)
            m_list->addItem(choiceText(field, choice), QString::fromStdString(choice));
        m_list->setFocusPolicy(Qt::StrongFocus);
        m_list->installEventFilter(this);
        layout()->setAlignment(m_list, Qt::AlignLeft);
        connect(m_list, &QComboBox::activated, this, [this](int index) {
            emit edited(FieldValue(m_list->itemData(index).toString().toStdString()), false);
        });
    }
    void show(const FieldValue& value) override {
        m_list->setCurrentIndex(m_list->findData(QString::fromStdString(std::get<std::string>(value))));
    }
    void setWrong(bool) override {} // nothing else can be chosen

protected:
    bool eventFilter(QObject* watched, QEvent* event) override {
        if (event->type() == QEvent::Wheel && !m_list->hasFocus()) { // scrolls the page
            event->ignore();
            return true;
        }
        return FieldControl::eventFilter(watched, event);
    }

private:
    QComboBox* m_list;
};

// Any of a few choices: a tick for each.
class ChoicesControl : public FieldControl {
public:
    ChoicesControl(const Field& field, QWidget* parent) : FieldControl(parent) {
        QWidget* all = place(*this, field, new QWidget);
        auto* column = new QVBoxLayout(all);
        column->setContentsMargins(0, 0, 0, 0);
        column->setSpacing(2);
        for (const std::string& choice : field.choices) {
            auto* tick = new QCheckBox(choiceText(field, choice));
            tick->setAccessibleName(FieldControl::tr("%1: %2").arg(labelOf(field), choiceText(field, choice)));
            tick->setAccessibleDescription(helpOf(field));
            column->addWidget(tick);
            m_ticks.emplace_back(choice, tick);
            connect(tick, &QCheckBox::clicked, this, [this] { emit edited(FieldValue(chosen()), false); });
        }
    }
    void show(const FieldValue& value) override {
        const auto& texts = std::get<std::vector<std::string>>(value);
        for (const auto& [choice, tick] : m_ticks)
            tick->setChecked(std::ranges::find(texts, choice) != texts.end());
    }
    void setWrong(bool) override {} // nothing else can be chosen

private:
    std::vector<std::string> chosen() const {
        std::vector<std::string> texts;
        for (const auto& [choice, tick] : m_ticks)
            if (tick->isChecked()) texts.push_back(choice);
        return texts;
    }

    std::vector<std::pair<std::string, QCheckBox*>> m_ticks;
};

// Texts, and lists of texts or whole numbers with commas between.
class LineControl : public FieldControl {
public:
    LineControl(const Field& field, QWidget* parent)
        : FieldControl(parent), m_example(field.get(session::RunSpec{})), m_line(place(*this, field, new QLineEdit)) {
        if (field.isPath) addBrowseButton(field);
        connect(m_line, &QLineEdit::textEdited, this, [this](const QString& text) { read(text); });
        connect(m_line, &QLineEdit::editingFinished, this, [this] { m_continues = false; });
    }
    void show(const FieldValue& value) override {
        if (const auto current = valueFromText(m_example, m_line->text()); current && *current == value) return;
        m_line->setText(textOfValue(value));
        m_line->setCursorPosition(0); // where it begins, however long it is
    }
    void setWrong(bool wrong) override { markWrong(*m_line, wrong); }

private:
    void read(const QString& text) {
        const auto value = valueFromText(m_example, text);
        if (!value) {
            emit rejected(FieldControl::tr("Write whole numbers with commas between: 9, 10, 9."), m_continues);
            return;
        }
        emit edited(*value, m_continues);
        m_continues = true;
    }
    void addBrowseButton(const Field& field) {
        auto* browse = new QPushButton(FieldControl::tr("Browse…"));
        browse->setAccessibleName(FieldControl::tr("Browse for %1").arg(labelOf(field)));
        layout()->addWidget(browse);
        const bool isFile = isFilePath(field);
        connect(browse, &QPushButton::clicked, this, [this, isFile] {
            const QString path = isFile ? widgets::askForFile(this, {}, {}, m_line->text())
                                        : widgets::askForFolder(this, {}, m_line->text());
            if (path.isEmpty()) return;
            m_line->setText(path);
            emit edited(FieldValue(path.toStdString()), false);
        });
    }

    FieldValue m_example;
    QLineEdit* m_line;
    bool m_continues = false;
};

class PathsControl : public FieldControl {
public:
    PathsControl(const Field& field, QWidget* parent)
        : FieldControl(parent), m_list(place(*this, field, new PathList)) {
        connect(m_list, &PathList::edited, this,
                [this](const std::vector<std::string>& paths) { emit edited(FieldValue(paths), false); });
    }
    void show(const FieldValue& value) override { m_list->setPaths(std::get<std::vector<std::string>>(value)); }
    void setWrong(bool) override {}

private:
    PathList* m_list;
};

} // namespace

void FieldControl::focusInput() {
    QList<QWidget*> inputs = m_input->findChildren<QWidget*>();
    inputs.prepend(m_input);
    const auto first = std::ranges::find_if(inputs, [this](const QWidget* one) {
        return (one->focusPolicy() & Qt::TabFocus) != 0 && one->isVisibleTo(m_input) && one->isEnabled();
    });
    if (first != inputs.end()) (*first)->setFocus(Qt::OtherFocusReason);
}

FieldControl* makeFieldControl(const Field& field, QWidget* parent) {
    const FieldValue example = field.get(session::RunSpec{});
    if (std::holds_alternative<bool>(example)) return new TickControl(field, parent);
    if (std::holds_alternative<int64_t>(example)) return new NumberControl(field, true, parent);
    if (std::holds_alternative<double>(example)) return new NumberControl(field, false, parent);
    if (!field.choices.empty() && std::holds_alternative<std::vector<std::string>>(example))
        return new ChoicesControl(field, parent);
    if (!field.choices.empty()) return new ChoiceControl(field, parent);
    if (field.isPath && std::holds_alternative<std::vector<std::string>>(example))
        return new PathsControl(field, parent);
    return new LineControl(field, parent);
}

} // namespace roundpipe::ui::editors
