// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/data/lens/lens_feed.h"

#include "ui/document/document.h"
#include "ui/pages/data/lens/lens_panel.h"
#include "ui/pages/data/rows/rows_card.h"
#include "ui/translations/number_text.h"

#include <algorithm>
#include <utility>

namespace roundpipe::ui::pages {
namespace {

bool isSameRow(session::RowPlace one, session::RowPlace other) {
    return one.file == other.file && one.number == other.number;
}

} // namespace

LensFeed::LensFeed(bridge::WorkbenchController& workbench, const document::Document& document, RowsCard& rows,
                   LensPanel& lens, QObject* parent)
    : QObject(parent), m_workbench(workbench), m_document(document), m_rows(rows), m_lens(lens) {
    connect(&m_workbench, &bridge::WorkbenchController::answered, this, &LensFeed::take);
    connect(&m_rows, &RowsCard::placeChosen, this, &LensFeed::request);
    connect(&m_rows, &RowsCard::deletePressed, this, &LensFeed::leaveCurrentOut);
}

void LensFeed::reopen() {
    m_isOpen = true;
    m_hasFailed = false;
    m_request = 0;
    request(m_place);
}

void LensFeed::close() {
    m_isOpen = false;
    m_request = 0;
    m_report = nullptr;
    m_place = {};
}

void LensFeed::setFiles(const QStringList& files) {
    m_files = files;
}

void LensFeed::forgetRow() {
    m_place = {};
}

void LensFeed::setReport(std::shared_ptr<const session::DatasetReport> report) {
    m_report = std::move(report);
    if (m_report != nullptr && m_report->isComplete) refresh();
}

void LensFeed::request(session::RowPlace place) {
    if (place.number == 0 || m_request != 0 || !m_isOpen) return; // the answer asks for the row that is current then
    m_place = place;
    m_request = m_workbench.requestLens(place);
}

void LensFeed::take(const session::WorkbenchResult& result) {
    if (m_request == 0 || result.request != m_request) return;
    m_request = 0;
    if (const auto* failed = std::get_if<session::LookupFailed>(&result.value); failed != nullptr && !m_hasFailed)
        m_lens.showProblem(QString::fromStdString(failed->problem + "\n" + failed->advice));
    else if (const auto* lens = std::get_if<session::TokenLens>(&result.value))
        show(*lens);
    if (const session::RowPlace current = m_rows.currentPlace(); !isSameRow(current, m_place)) request(current);
}

// Once, in whatever order the news come.
void LensFeed::fail() {
    if (std::exchange(m_hasFailed, true)) return;
    m_lens.showProblem(m_document.spec().model.path.empty()
                           ? tr("Tokens are told by a model. Choose one on the page Model.")
                           : tr("No tokens: the rows cannot be used. “Worth a look” says why."));
}

// A row alone does not tell that it repeats another one: the report does. Null: no rule leaves the row out.
const session::DroppedRow* LensFeed::leftOutByRule(session::RowPlace place) const {
    const auto placeOf = [](session::RowPlace of) { return std::pair(of.file, of.number); };
    if (m_report == nullptr) return nullptr;
    const auto row = std::ranges::lower_bound(m_report->dropped, placeOf(place), {},
                                              [&](const session::DroppedRow& one) { return placeOf(one.place); });
    const bool isByRule = row != m_report->dropped.end() && isSameRow(row->place, place) &&
                          row->reason == session::DropReason::kLeftOut &&
                          row->problem.code != session::RowRemark::kLeftOutRow;
    return isByRule ? &*row : nullptr;
}

void LensFeed::show(session::TokenLens lens) {
    if (const session::DroppedRow* row = leftOutByRule(lens.place); row != nullptr && !lens.dropReason) {
        lens.dropReason = row->reason;
        lens.dropped = row->problem;
    }
    const QString name =
        tr("%1, row %2").arg(m_files.value(lens.place.file), translations::wholeText(lens.place.number));
    m_lens.show(std::move(lens), name);
}

// Once the report says something else of the row on show than it did.
void LensFeed::refresh() {
    const session::TokenLens& shown = m_lens.view().lens();
    const session::DroppedRow* row = leftOutByRule(shown.place);
    const bool wasByRule =
        shown.dropReason == session::DropReason::kLeftOut && shown.dropped.code != session::RowRemark::kLeftOutRow;
    if ((row != nullptr || wasByRule) && shown.dropped != (row != nullptr ? row->problem : session::Remark()))
        request(m_place);
}

// Or takes it back; the button that stands below its tokens, which must have come.
void LensFeed::leaveCurrentOut() {
    if (isSameRow(m_lens.view().lens().place, m_rows.currentPlace())) m_lens.chooseRow();
}

} // namespace roundpipe::ui::pages
