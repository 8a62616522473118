// SPDX-License-Identifier: GPL-3.0-or-later
// Keeps the token lens on the row that is current: asks the workbench for its tokens, and fills the lens as they come.
#pragma once

#include "ui/pages/data/rows/rows_model.h"

namespace roundpipe::ui::document {
class Document;
}

namespace roundpipe::ui::pages {

class LensPanel;
class RowsCard;

// One row is asked for at a time; who walks on meanwhile sees the row where they are once that is answered. An answer
// fills the lens and nothing else: whether it is on show is not decided here.
class LensFeed : public QObject {
    Q_OBJECT
public:
    LensFeed(bridge::WorkbenchController& workbench, const document::Document& document, RowsCard& rows,
             LensPanel& lens, QObject* parent = nullptr);
    // The workbench has opened the dataset, again with other settings: what was asked before is not answered.
    void reopen();
    void close();                                                         // there is none
    void fail();                                                          // no row can be used
    void setFiles(const QStringList& files);                              // of the rows, by their names
    void forgetRow();                                                     // the rows are others now
    void setReport(std::shared_ptr<const session::DatasetReport> report); // null: none

private:
    void request(session::RowPlace place);
    void take(const session::WorkbenchResult& result);
    void show(session::TokenLens lens);
    void refresh();
    void leaveCurrentOut();
    const session::DroppedRow* leftOutByRule(session::RowPlace place) const;

    bridge::WorkbenchController& m_workbench;
    const document::Document& m_document;
    RowsCard& m_rows;
    LensPanel& m_lens;
    QStringList m_files;
    std::shared_ptr<const session::DatasetReport> m_report;
    bool m_isOpen = false;
    bool m_hasFailed = false;
    uint64_t m_request = 0;    // 0: none is awaited
    session::RowPlace m_place; // of the row that is shown or asked for; number 0: none
};

} // namespace roundpipe::ui::pages
