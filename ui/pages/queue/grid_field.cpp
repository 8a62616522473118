// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/queue/grid_field.h"

#include "base/error.h"
#include "session/spec/value_text.h"
#include "ui/editors/field_text.h"
#include "ui/pages/queue/grid_values.h"
#include "ui/widgets/help_place.h"

#include <QCheckBox>
#include <QComboBox>
#include <QCompleter>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalBlocker>
#include <QStackedWidget>

#include <algorithm>

namespace roundpipe::ui::pages {
namespace {

constexpr std::size_t kMostBoxes = 6;
constexpr int kFieldWidth = 230;

// What can be ticked: texts and what they mean.
std::vector<std::pair<QString, session::FieldValue>> choicesOf(const session::Field& field) {
    std::vector<std::pair<QString, session::FieldValue>> choices;
    const session::FieldValue example = field.get(session::RunSpec());
    if (std::holds_alternative<bool>(example))
        for (const bool on : {true, false})
            choices.emplace_back(editors::textOfValue(on), on);
    if (std::holds_alternative<std::string>(example))
        for (const std::string& choice : field.choices)
            choices.emplace_back(editors::choiceText(field, choice), choice);
    return choices;
}

} // namespace

GridField::GridField(const session::RunSpec& own, const char* key, QWidget* parent)
    : QWidget(parent)
    , m_own(own)
    , m_fields(new QComboBox)
    , m_values(new QStackedWidget)
    , m_typed(new QLineEdit)
    , m_remove(new QPushButton(tr("Remove"))) {
    m_fields->setEditable(true); // to find one by a few letters
    m_fields->setInsertPolicy(QComboBox::NoInsert);
    m_fields->completer()->setFilterMode(Qt::MatchContains);
    m_fields->completer()->setCompletionMode(QCompleter::PopupCompletion);
    m_fields->setAccessibleName(tr("Setting"));
    m_fields->setFixedWidth(kFieldWidth);
    for (const session::Field* field : queue::sweepableFields()) {
        m_fields->addItem(editors::labelOf(*field), QString::fromStdString(field->key));
        m_fields->setItemData(m_fields->count() - 1, editors::helpOf(*field), Qt::ToolTipRole);
    }
    m_typed->setAccessibleName(tr("Values"));
    m_values->addWidget(m_typed);
    m_values->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(8);
    row->addWidget(m_fields);
    row->addWidget(m_values, 1);
    row->addWidget(m_remove);
    connect(m_typed, &QLineEdit::textChanged, this, &GridField::changed);
    connect(m_fields, &QComboBox::currentIndexChanged, this, [this] {
        showField();
        emit changed();
    });
    // What is no setting's name is replaced by the one that was chosen before.
    connect(m_fields->lineEdit(), &QLineEdit::editingFinished, this, [this] {
        const int found = m_fields->findText(m_fields->currentText(), Qt::MatchFixedString);
        if (found >= 0) m_fields->setCurrentIndex(found);
        m_fields->setEditText(m_fields->itemText(m_fields->currentIndex()));
    });
    connect(m_remove, &QAbstractButton::clicked, this, &GridField::removeWanted);
    const QSignalBlocker quiet(m_fields);
    choose(key);
    showField();
}

void GridField::choose(const std::string& key) {
    m_fields->setCurrentIndex(std::max(0, m_fields->findData(QString::fromStdString(key))));
}

const session::Field& GridField::field() const {
    return session::fieldByKey(m_fields->currentData().toString().toStdString());
}

void GridField::setRemovable(bool isRemovable) {
    m_remove->setEnabled(isRemovable);
}

void GridField::focusValues() {
    m_boxes.empty() ? m_typed->setFocus() : m_boxes.front()->setFocus();
}

std::vector<QWidget*> GridField::tabStops() const {
    std::vector<QWidget*> stops = {m_fields};
    stops.insert(stops.end(), m_boxes.begin(), m_boxes.end());
    if (m_boxes.empty()) stops.push_back(m_typed);
    stops.push_back(m_remove);
    return stops;
}

void GridField::showField() {
    const session::Field& field = this->field();
    const session::FieldValue own = field.get(m_own);
    widgets::setHelpPlace(*this, QStringLiteral("settings.md#") + QString::fromStdString(field.key));
    m_fields->setToolTip(editors::helpOf(field));
    m_remove->setAccessibleName(tr("Remove %1").arg(editors::labelOf(field)));
    m_boxes.clear();
    delete m_choices;
    m_choices = nullptr;
    const auto choices = choicesOf(field);
    if (!choices.empty() && choices.size() <= kMostBoxes) {
        m_choices = new QWidget;
        auto* row = new QHBoxLayout(m_choices);
        row->setContentsMargins(0, 0, 0, 0);
        for (const auto& [text, value] : choices) {
            m_boxes.push_back(new QCheckBox(text));
            m_boxes.back()->setChecked(value == own);
            row->addWidget(m_boxes.back());
            connect(m_boxes.back(), &QCheckBox::toggled, this, &GridField::changed);
        }
        row->addStretch(1);
        m_values->addWidget(m_choices);
        m_values->setCurrentWidget(m_choices);
        return;
    }
    m_values->setCurrentWidget(m_typed);
    const QSignalBlocker quiet(m_typed);
    m_typed->setText(editors::isLeftOpen(field, own) ? QString() : editors::textOfValue(own));
    const bool isList = session::isList(own);
    m_typed->setPlaceholderText(tr("Values with ; between"));
    m_typed->setToolTip(isList ? tr("Values with ; between, the parts of one with +") : tr("Values with ; between"));
    if (isList) m_typed->setText(m_typed->text().replace(QStringLiteral(", "), QStringLiteral("+")));
}

queue::SweptField GridField::swept() const {
    queue::SweptField swept;
    swept.field = &field();
    if (m_boxes.empty()) {
        swept.values = gridValuesOf(field(), m_typed->text());
        return swept;
    }
    const auto choices = choicesOf(field());
    for (std::size_t i = 0; i < choices.size(); ++i)
        if (m_boxes[i]->isChecked()) swept.values.push_back(choices[i].second);
    return swept;
}

} // namespace roundpipe::ui::pages
