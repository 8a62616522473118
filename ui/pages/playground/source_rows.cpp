// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/playground/source_rows.h"

#include "ui/document/document.h"
#include "ui/pages/playground/page_parts.h"
#include "ui/widgets/file_choice.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QPushButton>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace roundpipe::ui::pages {
namespace {

namespace fs = std::filesystem;

constexpr int kOtherFolder = -2; // in place of a source

} // namespace

SourceRows::SourceRows(const document::Document& document, QWidget* parent)
    : QWidget(parent)
    , m_document(document)
    , m_layout(new QVBoxLayout)
    , m_more(new QPushButton(tr("Another adapter beside it…"))) {
    m_layout->setContentsMargins(0, 0, 0, 0);
    m_layout->setSpacing(6);
    m_more->setObjectName(QStringLiteral("link"));
    m_more->setToolTip(tr("Load several adapters of the model: what they add is added up, each by its weight"));
    connect(m_more, &QPushButton::clicked, this, &SourceRows::addRow);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(6);
    column->addLayout(m_layout);
    column->addWidget(m_more, 0, Qt::AlignLeft);
    addRow();
}

void SourceRows::addRow() {
    auto* place = new QWidget;
    auto* cells = new QHBoxLayout(place);
    cells->setContentsMargins(0, 0, 0, 0);
    auto* box = new QComboBox;
    box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    box->setMinimumContentsLength(16);
    box->setPlaceholderText(tr("nothing trained yet: choose a folder"));
    cells->addWidget(box, 1);
    const bool isFirst = m_rows.empty();
    box->setAccessibleName(isFirst ? tr("Who answers") : tr("Another adapter"));
    if (!isFirst) {
        auto* remove = new QPushButton(tr("Leave out"));
        remove->setObjectName(QStringLiteral("link"));
        cells->addWidget(remove);
        connect(remove, &QPushButton::clicked, this, [this, place] { removeRow(place); });
    }
    m_rows.push_back(std::make_unique<Row>(Row{place, box, {}}));
    m_layout->addWidget(place);
    Row* row = m_rows.back().get();
    fill(*row);
    connect(box, &QComboBox::activated, this, [this, row] { chosen(*row); });
    showMore();
    emit changed();
}

void SourceRows::removeRow(QWidget* place) {
    std::erase_if(m_rows, [&](const auto& row) { return row->place == place; });
    place->deleteLater();
    m_more->setFocus();
    emit changed();
}

// What the row had stays where it is still offered, else the first that is takes its place. Beside an adapter there are
// other adapters only.
void SourceRows::fill(Row& row) {
    const bool isFirst = &row == m_rows.front().get();
    const std::optional<ChatSource> before = std::exchange(row.source, {});
    const QSignalBlocker quiet(row.box);
    row.box->clear();
    for (std::size_t i = 0; i < m_sources.size(); ++i) {
        const ChatSource& source = m_sources[i];
        if (!isFirst && source.adapter.empty()) continue;
        row.box->addItem(source.name, static_cast<int>(i));
        row.box->setItemData(row.box->count() - 1, textOf(source.adapter.empty() ? source.model : source.adapter),
                             Qt::ToolTipRole);
        if (before && before->adapter == source.adapter && before->model == source.model)
            row.box->setCurrentIndex(row.box->count() - 1);
    }
    row.box->addItem(tr("An adapter in another folder…"), kOtherFolder);
    if (row.box->count() == 1) {
        row.box->setCurrentIndex(-1);
        return;
    }
    if (row.box->currentIndex() < 0) row.box->setCurrentIndex(0); // a box with words for no choice makes none itself
    row.source = m_sources[static_cast<std::size_t>(row.box->currentData().toInt())];
}

void SourceRows::chosen(Row& row) {
    m_wasChosen = true;
    const int index = row.box->currentData().toInt();
    if (index == kOtherFolder) return chooseFolder(row);
    row.source = m_sources[static_cast<std::size_t>(index)];
    showMore();
    if (&row == m_rows.front().get()) emit firstChosen();
    emit changed();
}

void SourceRows::chooseFolder(Row& row) {
    const QString folder = widgets::askForFolder(this, tr("An adapter's folder"));
    if (!folder.isEmpty()) {
        row.source = sourceOf(folder.toStdString(), m_document.spec().model.path);
        m_sources.push_back(*row.source);
    }
    for (const auto& each : m_rows)
        fill(*each);
    if (!folder.isEmpty()) chosen(row);
}

void SourceRows::forgetChoice() {
    m_wasChosen = false;
}

void SourceRows::offer(std::vector<ChatSource> sources) {
    for (const auto& row : m_rows)
        if (row->source && !row->source->adapter.empty() && m_wasChosen &&
            std::ranges::find(sources, row->source->adapter, &ChatSource::adapter) == sources.end())
            sources.push_back(*row->source);
    m_sources = std::move(sources);
    if (!m_wasChosen) m_rows.front()->source.reset();
    for (const auto& row : m_rows)
        fill(*row);
    showMore();
}

void SourceRows::choose(const fs::path& adapterOrModel) {
    for (std::size_t i = 0; i < m_sources.size(); ++i)
        if (m_sources[i].adapter == adapterOrModel ||
            (m_sources[i].adapter.empty() && m_sources[i].model == adapterOrModel)) {
            Row& first = *m_rows.front();
            first.box->setCurrentIndex(first.box->findData(static_cast<int>(i)));
            return chosen(first);
        }
}

std::vector<fs::path> SourceRows::adapters() const {
    std::vector<fs::path> all;
    for (const auto& row : m_rows)
        if (row->source && !row->source->adapter.empty()) all.push_back(row->source->adapter);
    return all;
}

void SourceRows::showMore() {
    m_more->setVisible(first() && !first()->adapter.empty());
}

} // namespace roundpipe::ui::pages
