// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/contract/remark_lines.h"

#include "ui/models/command_line.h"
#include "ui/models/export_text.h"
#include "ui/models/run_text.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace roundpipe::ui::pages {
namespace {

QLabel* wordsOf(const QString& text) {
    auto* words = new QLabel(models::withWholeOptions(text));
    words->setObjectName(QStringLiteral("remark"));
    words->setWordWrap(true);
    return words;
}

} // namespace

RemarkLines::RemarkLines(const Services& services, QString keys, QWidget* parent)
    : QWidget(parent), m_services(services), m_keys(std::move(keys)) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    connect(&services.plan, &ProjectPlan::changed, this, &RemarkLines::showRemarks);
    connect(&services.document, &document::Document::opened, this, &RemarkLines::showRemarks);
    connect(&services.document, &document::Document::changed, this, &RemarkLines::showRemarks);
    showRemarks();
}

void RemarkLines::showRemarks() {
    std::vector<session::SpecRemark> remarks = m_services.plan.remarks();
    std::erase_if(remarks, [&](const auto& remark) { return !remark.field.starts_with(m_keys.toStdString()); });
    std::vector<session::ExportRemark> refusals;
    if (m_keys.isEmpty()) refusals = m_services.plan.refusals();
    setVisible(!remarks.empty() || !refusals.empty());
    if (remarks == m_shown && refusals == m_refusals) return; // a button that is about to be pressed stays
    m_shown = std::move(remarks);
    m_refusals = std::move(refusals);
    if (m_lines != nullptr) { // the button that was pressed lies in it
        m_lines->hide();
        m_lines->deleteLater();
    }
    m_lines = new QWidget;
    auto* lines = new QVBoxLayout(m_lines);
    lines->setContentsMargins(0, 0, 0, 0);
    lines->setSpacing(4);
    for (const session::SpecRemark& remark : m_shown)
        lines->addWidget(lineOf(remark));
    for (const session::ExportRemark& refusal : m_refusals)
        lines->addWidget(wordsOf(models::remarkText(refusal)));
    layout()->addWidget(m_lines);
}

QWidget* RemarkLines::lineOf(const session::SpecRemark& remark) const {
    auto* use = new QPushButton(models::betterText(remark));
    connect(use, &QPushButton::clicked, this, [this, remark] {
        const session::Field& field = session::fieldByKey(remark.field);
        if (field.isOfDataset) m_services.document.setDataset(remark.dataset);
        m_services.document.set(field, remark.better);
    });
    auto* line = new QWidget;
    auto* cells = new QHBoxLayout(line);
    cells->setContentsMargins(0, 0, 0, 0);
    cells->addWidget(wordsOf(models::runText(remark.text)), 1);
    cells->addWidget(use, 0, Qt::AlignTop);
    return line;
}

} // namespace roundpipe::ui::pages
