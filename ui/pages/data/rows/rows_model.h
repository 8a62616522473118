// SPDX-License-Identifier: GPL-3.0-or-later
// The rows of a dataset as a table: any number of them, of which only those in sight are fetched.
#pragma once

#include "ui/bridge/workbench_controller.h"

#include <QAbstractTableModel>
#include <QCache>
#include <QHash>
#include <QSet>
#include <QTimer>

#include <cstdint>
#include <vector>

namespace roundpipe::ui::pages {

// A row that is listed for a reason.
struct ListedRow {
    session::RowPlace place;
    QString note;
};

// Rows are known by their numbers, so a blank line of a JSONL file is an empty row. Files are counted one after
// another, and the table grows meanwhile. What a view asks for and is not there yet is shown as it arrives: texts
// first, what training makes of the rows once nobody scrolls.
class RowsModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { kNumber, kFile, kText, kTurns, kTokens, kTrained, kNumColumns };
    static constexpr int kShareRole = Qt::UserRole;      // of kTrained: trained tokens by all, a double; -1: not known
    static constexpr int kRemarkRole = Qt::UserRole + 1; // of kText: why the row is listed, or what is odd about it

    explicit RowsModel(bridge::WorkbenchController& workbench, QObject* parent = nullptr);

    void open(const QStringList& files); // names, as they are listed; forgets everything
    void refresh();                      // the same files, other settings: verdicts are asked for anew
    void showAll();
    void showOnly(std::vector<ListedRow> rows);
    void addListed(const std::vector<ListedRow>& rows); // to those of showOnly()
    void setNotes(const std::vector<ListedRow>& notes); // beside the rows of showAll()
    bool showsAll() const { return !m_isListed; }

    session::RowPlace placeOf(int row) const;
    int rowOf(session::RowPlace place) const; // -1: not in the table
    int64_t numCounted() const { return m_starts.back(); }
    bool isCounted() const { return m_numCounted == m_files.size(); } // all files

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

signals:
    void countChanged(); // of rows

private:
    struct Row {
        QString text;
        bool isRaw = false; // the file's own words: no format is known, or it cannot be read
        bool hasVerdict = false;
        session::RowVerdict verdict = {};
    };
    enum class Asked { kRows, kVerdicts, kCount };
    struct Request {
        Asked asked;
        session::RowPlace first;
        int count;
    };

    static uint64_t keyOf(session::RowPlace place);
    Request requestFor(Asked asked, session::RowPlace place) const;
    void want(Asked asked, session::RowPlace place) const;
    void wantAround(session::RowPlace place) const;
    void send();
    void ask(const Request& request);
    void count();
    void take(const session::WorkbenchResult& result);
    void take(const Request& request, const session::RowsResult& result);
    void take(const Request& request, const session::VerdictsResult& result);
    void growTo(int file, int64_t lastNumber, bool isCounted);
    void rowsChanged();
    QVariant textOf(int row, Column column) const;
    QString remarkOf(session::RowPlace place) const;

    bridge::WorkbenchController& m_workbench;
    QStringList m_files;
    std::vector<int64_t> m_starts{0}; // rows before each file, and of all so far
    qsizetype m_numCounted = 0;       // files
    bool m_isListed = false;
    std::vector<ListedRow> m_list;
    QHash<uint64_t, QString> m_notes;
    QHash<uint64_t, int> m_listedAt;
    mutable QCache<uint64_t, Row> m_rows;
    mutable QHash<uint64_t, Request> m_wantedRows, m_wantedVerdicts; // by their first rows
    QHash<uint64_t, Request> m_open;                                 // requests by number
    bool m_verdictsFail = false;
    mutable QTimer m_sendRows, m_sendVerdicts;
    QTimer m_countTimer;
};

} // namespace roundpipe::ui::pages
