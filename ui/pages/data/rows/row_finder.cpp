// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/data/rows/row_finder.h"

namespace roundpipe::ui::pages {

RowFinder::RowFinder(bridge::WorkbenchController& workbench, QObject* parent)
    : QObject(parent), m_workbench(workbench) {
    connect(&workbench, &bridge::WorkbenchController::answered, this, &RowFinder::take);
}

void RowFinder::find(const QString& text) {
    m_text = text;
    m_fraction = 0;
    m_numFound = 0;
    ask(true);
}

void RowFinder::stop() {
    m_text.clear();
    m_request = 0;
}

void RowFinder::ask(bool anew) {
    m_request = m_workbench.requestSearch(m_text.toStdString(), anew);
}

void RowFinder::take(const session::WorkbenchResult& result) {
    if (m_request == 0 || result.request != m_request) return;
    m_request = 0;
    if (const auto* problem = std::get_if<session::LookupFailed>(&result.value))
        return emit failed(QString::fromStdString(problem->problem));
    const auto* piece = std::get_if<session::SearchResult>(&result.value);
    if (piece == nullptr) return;
    std::vector<session::RowPlace> rows = piece->rows;
    if (m_numFound + rows.size() > kMost) rows.resize(kMost - m_numFound);
    m_numFound += rows.size();
    m_fraction = piece->fraction;
    if (!piece->isDone && m_numFound < kMost) ask(false);
    emit found(rows);
}

} // namespace roundpipe::ui::pages
