// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/settings/changes_card.h"

#include "ui/editors/field_text.h"
#include "ui/pages/settings/setting_sections.h"

#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace roundpipe::ui::pages {

ChangesCard::ChangesCard(document::Document& document, QWidget* parent)
    : Card(tr("Changed from the defaults"), parent), m_document(document), m_reset(new QPushButton(tr("Reset all"))) {
    m_reset->setObjectName(QStringLiteral("link"));
    titleRow()->addWidget(m_reset);
    connect(m_reset, &QPushButton::clicked, this, [this] {
        m_document.change(tr("Reset all settings"), [](session::RunSpec& spec) {
            const session::RunSpec usual;
            for (const session::Field* field : changesOf(spec))
                field->set(spec, field->get(usual));
        });
    });
    connect(&document, &document::Document::opened, this, &ChangesCard::showChanges);
    connect(&document, &document::Document::changed, this, &ChangesCard::showChanges);
    showChanges();
}

std::vector<const session::Field*> ChangesCard::changesOf(const session::RunSpec& spec) {
    std::vector<const session::Field*> fields = session::differingFields(spec, {});
    std::erase_if(fields, [&](const session::Field* field) {
        return editors::isOwnToARun(*field) || !whyIdle(*field, spec.method).isEmpty();
    });
    return fields;
}

void ChangesCard::showChanges() {
    const session::RunSpec usual;
    const auto fields = changesOf(m_document.spec());
    m_reset->setVisible(!fields.empty());
    delete m_list;
    m_list = new QWidget;
    auto* grid = new QGridLayout(m_list);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setVerticalSpacing(0);
    grid->setColumnStretch(0, 1);
    for (const session::Field* field : fields) {
        const int row = grid->rowCount();
        auto* name = new QPushButton(editors::labelOf(*field));
        name->setObjectName(QStringLiteral("link"));
        const QString key = QString::fromStdString(field->key);
        connect(name, &QPushButton::clicked, this, [this, key] { emit chosen(key); });
        auto* change =
            new QLabel(editors::shownValue(*field, field->get(usual)) + QStringLiteral(" → <b>") +
                       editors::shownValue(*field, m_document.value(*field)).toHtmlEscaped() + QStringLiteral("</b>"));
        change->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
        change->setWordWrap(true);
        grid->addWidget(name, row, 0, Qt::AlignLeft);
        grid->addWidget(change, row, 1);
    }
    if (fields.empty()) {
        auto* none = new QLabel(tr("Nothing: all settings are at their defaults."));
        none->setObjectName(QStringLiteral("dim"));
        none->setWordWrap(true);
        grid->addWidget(none, 0, 0);
    }
    body()->addWidget(m_list);
}

} // namespace roundpipe::ui::pages
