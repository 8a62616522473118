// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/settings/changes_card.h"

#include "ui/editors/field_text.h"
#include "ui/pages/settings/setting_sections.h"

#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include <optional>

namespace roundpipe::ui::pages {
namespace {

std::size_t numPlaces(const session::Field& field, const session::RunSpec& spec) {
    return field.isOfDataset ? spec.data.datasets.size() : 1;
}

// The dataset that has another value than a fresh one, of these the one that is being edited before others; nothing:
// none.
std::optional<std::size_t> changedPlace(const session::Field& field, const session::RunSpec& spec,
                                        std::size_t edited = 0) {
    const session::FieldValue usual = field.get(session::RunSpec{});
    const std::size_t num = numPlaces(field, spec);
    if (edited < num && field.get(spec, edited) != usual) return edited;
    for (std::size_t place = 0; place < num; ++place)
        if (field.get(spec, place) != usual) return place;
    return std::nullopt;
}

} // namespace

ChangesCard::ChangesCard(document::Document& document, QWidget* parent)
    : Card(tr("Changed from the defaults"), parent), m_document(document), m_reset(new QPushButton(tr("Reset all"))) {
    m_reset->setObjectName(QStringLiteral("link"));
    titleRow()->addWidget(m_reset);
    connect(m_reset, &QPushButton::clicked, this, [this] {
        m_document.change(tr("Reset all settings"), [](session::RunSpec& spec) {
            const session::RunSpec usual;
            for (const session::Field* field : changesOf(spec))
                for (std::size_t place = 0; place < numPlaces(*field, spec); ++place)
                    field->set(spec, field->get(usual), place);
        });
    });
    connect(&document, &document::Document::opened, this, &ChangesCard::showChanges);
    connect(&document, &document::Document::changed, this, &ChangesCard::showChanges);
    connect(&document, &document::Document::datasetChanged, this, &ChangesCard::showChanges);
    showChanges();
}

std::vector<const session::Field*> ChangesCard::changesOf(const session::RunSpec& spec) {
    std::vector<const session::Field*> fields;
    for (const session::Field& field : session::runSpecFields())
        if (!editors::isOwnToARun(field) && whyIdle(field, spec.method).isEmpty() && changedPlace(field, spec))
            fields.push_back(&field);
    return fields;
}

void ChangesCard::showChanges() {
    const session::RunSpec usual;
    const auto fields = changesOf(m_document.spec());
    m_reset->setVisible(!fields.empty());
    if (m_list != nullptr) { // the name that was pressed lies in it
        m_list->hide();
        m_list->deleteLater();
    }
    m_list = new QWidget;
    auto* grid = new QGridLayout(m_list);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setVerticalSpacing(0);
    grid->setColumnStretch(0, 1);
    for (const session::Field* field : fields) {
        const int row = grid->rowCount();
        auto* name = new QPushButton(editors::labelOf(*field));
        name->setObjectName(QStringLiteral("link"));
        const std::size_t place = changedPlace(*field, m_document.spec(), m_document.dataset()).value_or(0);
        connect(name, &QPushButton::clicked, this, [this, field, place] {
            const QString key = QString::fromStdString(field->key);
            if (field->isOfDataset) m_document.setDataset(place); // which builds this list anew
            emit chosen(key);
        });
        auto* change = new QLabel(editors::shownValue(*field, field->get(usual)) + QStringLiteral(" → <b>") +
                                  editors::shownValue(*field, field->get(m_document.spec(), place)).toHtmlEscaped() +
                                  QStringLiteral("</b>"));
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
