// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/data/sources/row_settings.h"

#include "ui/editors/field_row.h"

#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <array>

namespace roundpipe::ui::pages {
namespace {

constexpr std::array kOfTables = {"data.delimiter", "data.header"};
constexpr std::array kShown = {"data.prompt_template", "data.system_prompt", "data.system_prompt_use", kOfTables[0],
                               kOfTables[1]};

bool isOfTables(const session::Field& field) {
    return std::ranges::find(kOfTables, field.key) != kOfTables.end();
}

} // namespace

RowSettings::RowSettings(document::Document& document, QWidget* parent)
    : QWidget(parent), m_document(document), m_fold(new QToolButton), m_content(new QWidget) {
    m_fold->setText(tr("Prompt, system prompt, cells of tables"));
    m_fold->setCheckable(true);
    m_fold->setAutoRaise(true);
    m_fold->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    connect(m_fold, &QToolButton::toggled, this, [this](bool isOpen) {
        m_fold->setArrowType(isOpen ? Qt::DownArrow : Qt::RightArrow);
        m_content->setVisible(isOpen);
    });
    auto* rows = new QVBoxLayout(m_content);
    rows->setContentsMargins(0, 0, 0, 0);
    rows->setSpacing(0);
    for (const char* key : kShown) {
        m_rows.push_back(new editors::FieldRow(document, session::fieldByKey(key)));
        rows->addWidget(m_rows.back());
    }
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 8, 0, 0);
    layout->setSpacing(2);
    layout->addWidget(m_fold);
    layout->addWidget(m_content);
    m_fold->setArrowType(Qt::RightArrow);
    m_content->hide();
    for (const auto signal : {&document::Document::opened, &document::Document::datasetChanged})
        connect(&m_document, signal, this, &RowSettings::showAll);
    connect(&m_document, &document::Document::changed, this, &RowSettings::showAll);
    showAll();
}

bool RowSettings::isSet(const session::Field& field) const {
    return m_document.value(field) != field.get(session::RunSpec{});
}

// What is set is never hidden, and what somebody has opened stays open.
void RowSettings::showAll() {
    for (editors::FieldRow* row : m_rows) {
        row->setVisible(m_areTables || !isOfTables(row->field()) || isSet(row->field()));
        if (isSet(row->field())) m_fold->setChecked(true);
    }
}

void RowSettings::setTables(bool areTables) {
    m_areTables = areTables;
    showAll();
}

void RowSettings::showField(const QString& key) {
    const auto found =
        std::ranges::find(m_rows, key.toStdString(), [](const editors::FieldRow* row) { return row->field().key; });
    if (found == m_rows.end()) return;
    m_fold->setChecked(true);
    (*found)->show();
    (*found)->focusInput();
}

} // namespace roundpipe::ui::pages
