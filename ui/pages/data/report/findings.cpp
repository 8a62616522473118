// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/data/report/findings.h"

#include "session/spec/named_field.h"
#include "ui/editors/field_text.h"
#include "ui/models/row_remark_text.h"
#include "ui/translations/number_text.h"

#include <QCoreApplication>
#include <QFileInfo>

#include <algorithm>
#include <limits>
#include <ranges>

namespace roundpipe::ui::pages {
namespace {

using Weight = Finding::Weight;

class FindingsMaker {
    Q_DECLARE_TR_FUNCTIONS(Findings)
public:
    FindingsMaker(const session::DatasetReport& report, const QStringList& files) : m_report(report), m_files(files) {}

    std::vector<Finding> make() {
        if (!m_report.refusal.empty()) {
            add(Weight::kBad, tr("Would not start"), models::remarkText(m_report.refusal), {});
            if (m_report.refusal.code == session::RowRemark::kRowsToLeaveOutGone)
                m_findings.back().choice = RowsChoice{std::nullopt, false, tr("Leave none out one by one")};
        }
        addDropped();
        if (!m_report.dropAdvice.empty()) {
            const QString advice = QString::fromStdString(m_report.dropAdvice);
            add(Weight::kWarning, tr("What would help"), advice, {});
            m_findings.back().lead = leadTo(advice);
        }
        addLeftOut();
        const session::DatasetReport& r = m_report;
        addRepeats(r.leaked, LeaveOut::kLeaks,
                   tr("%Ln row(s) leak into validation", nullptr, counted(r.leaked.numRows)),
                   tr("rows to validate on stand among those to train on"));
        addRepeats(r.nearlyLeaked, LeaveOut::kNearLeaks,
                   tr("%Ln row(s) nearly leak into validation", nullptr, counted(r.nearlyLeaked.numRows)),
                   tr("rows to validate on are like one to train on"));
        addRepeats(r.leakedAcross, std::nullopt,
                   tr("%Ln row(s) leak into validation across datasets", nullptr, counted(r.leakedAcross.numRows)),
                   tr("rows to validate on are the same as, or like, one that another dataset trains on"));
        addRepeats(r.exact, LeaveOut::kDuplicates, tr("%Ln repeated row(s)", nullptr, counted(r.exact.numRows)),
                   tr("the same as an earlier row"));
        addRepeats(r.near, LeaveOut::kNearDuplicates,
                   tr("%Ln nearly repeated row(s)", nullptr, counted(r.near.numRows)), tr("much like an earlier row"));
        addRepeats(r.repeatedAcross, std::nullopt,
                   tr("%Ln row(s) repeated across datasets", nullptr, counted(r.repeatedAcross.numRows)),
                   tr("the same as a row of another dataset, or much like it"));
        addSample(
            r.withoutEnd, tr("%Ln row(s) without an end", nullptr, counted(r.withoutEnd.numRows)), tr("without an end"),
            tr("a trained turn has no end: the model learns no stopping; a chat template that ends turns mends it"));
        addSample(r.emptyTurns, tr("%Ln row(s) with an empty turn", nullptr, counted(r.emptyTurns.numRows)),
                  tr("with an empty turn"), tr("a message says nothing"));
        if (r.emptyTurns.numRows > 0) offer(LeaveOut::kEmptyTurns);
        addSample(r.oneSided, tr("%Ln one-sided row(s)", nullptr, counted(r.oneSided.numRows)), tr("one-sided"),
                  tr("nobody asks: there is no user"));
        addSample(r.unanswered, tr("%Ln unanswered row(s)", nullptr, counted(r.unanswered.numRows)), tr("unanswered"),
                  tr("the last message is not the assistant's"));
        addSample(r.doubledBos, tr("%Ln row(s) with two BOS", nullptr, counted(r.doubledBos.numRows)),
                  tr("with two BOS"), tr("the text starts with the token twice"));
        addSample(r.withoutBos, tr("%Ln row(s) without BOS", nullptr, counted(r.withoutBos.numRows)), tr("without BOS"),
                  tr("the tokenizer puts one before other texts"));
        for (const session::SpecialTokenUse& use : m_report.specialTokens)
            add(Weight::kWarning, tr("%Ln row(s) spell out a token", nullptr, counted(use.numRows)),
                tr("%1 in a message becomes the special token itself").arg(QString::fromStdString(use.token)),
                {{use.example, QString::fromStdString(use.token)}});
        for (const session::RowsNotUsed& rows : m_report.notUsed)
            addNotUsed(rows);
        for (const session::ColumnsNotRead& file : m_report.notRead)
            addNotRead(file);
        if (m_report.numSplit > 0)
            add(Weight::kGood, tr("%Ln row(s) split", nullptr, counted(m_report.numSplit)),
                tr("into %1 pieces of at most %2 tokens; no token is trained twice")
                    .arg(translations::wholeText(m_report.numPieces), translations::wholeText(m_report.lengthLimit)),
                {});
        addLeftOutFiles();
        for (const session::MaskCount& mask : m_report.maskSources)
            add(Weight::kGood, tr("Masks"),
                tr("found by %1 in %2 rows")
                    .arg(models::maskSourceText(mask.source), translations::wholeText(mask.count)),
                {});
        return std::move(m_findings);
    }

private:
    // As plural forms want it: beyond what they can count the form stays the same.
    static int counted(int64_t rows) {
        return static_cast<int>(std::min<int64_t>(rows, std::numeric_limits<int>::max()));
    }

    QString nameOf(session::RowPlace place) const {
        const QString number = translations::wholeText(place.number);
        return m_files.size() > 1 ? tr("%1 row %2").arg(m_files.value(place.file), number) : tr("row %1").arg(number);
    }

    void add(Weight weight, const QString& title, const QString& text, std::vector<ListedRow> rows) {
        m_findings.push_back({weight, title, text, std::move(rows)});
    }

    // To leave the rows of the last finding out.
    void offer(LeaveOut rule) {
        const bool keepsOne = rule == LeaveOut::kDuplicates || rule == LeaveOut::kNearDuplicates;
        m_findings.back().choice = RowsChoice{rule, true, keepsOne ? tr("Keep one of each") : tr("Leave out")};
    }

    // What was left out by choice: a line for each rule, which can be taken back.
    void addLeftOut() {
        using session::RowRemark;
        addLeftOut(RowRemark::kLeftOutRow, std::nullopt, tr("chosen one by one"));
        addLeftOut(RowRemark::kLeftOutLeak, LeaveOut::kLeaks, tr("to validate on, and the same as one to train on"));
        addLeftOut(RowRemark::kLeftOutNearLeak, LeaveOut::kNearLeaks, tr("to validate on, and like one to train on"));
        addLeftOut(RowRemark::kLeftOutDuplicate, LeaveOut::kDuplicates, tr("the same as an earlier row"));
        addLeftOut(RowRemark::kLeftOutNearDuplicate, LeaveOut::kNearDuplicates, tr("much like an earlier row"));
        addLeftOut(RowRemark::kLeftOutEmptyTurn, LeaveOut::kEmptyTurns, tr("a message says nothing"));
    }

    void addLeftOut(session::RowRemark code, std::optional<LeaveOut> rule, const QString& why) {
        std::vector<ListedRow> rows;
        for (const session::DroppedRow& row : m_report.dropped)
            if (row.problem.code == code) rows.push_back({row.place, models::remarkText(row.problem)});
        if (rows.empty()) return;
        const int count = counted(std::ssize(rows));
        add(Weight::kGood, tr("%Ln row(s) left out", nullptr, count), why, std::move(rows));
        m_findings.back().choice = RowsChoice{rule, false, tr("Take back")};
    }

    // One line for each reason; each row says what is wrong with it itself.
    void addDropped() {
        for (const session::DropCount& drop : m_report.dropReasons) {
            if (drop.reason == session::DropReason::kLeftOut) continue;
            std::vector<ListedRow> rows;
            for (const session::DroppedRow& row : m_report.dropped)
                if (row.reason == drop.reason) rows.push_back({row.place, models::remarkText(row.problem)});
            const QString first = rows.empty() ? QString() : tr("%1 %2").arg(nameOf(rows[0].place), rows[0].note);
            add(Weight::kBad,
                tr("%Ln dropped row(s): %1", nullptr, counted(drop.count)).arg(models::dropReasonText(drop.reason)),
                first, std::move(rows));
        }
    }

    void addNotRead(const session::ColumnsNotRead& file) {
        QStringList columns;
        for (const std::string& column : file.columns)
            columns += QString::fromStdString(column);
        const QString names = columns.join(QStringLiteral(", "));
        add(Weight::kGood, tr("%Ln column(s) not read", nullptr, static_cast<int>(columns.size())),
            m_files.size() > 1 ? tr("%1 of %2").arg(names, m_files.value(file.file)) : names, {});
    }

    // Texts may well be meant to be read without a template; the rest is lost to the model.
    void addNotUsed(const session::RowsNotUsed& rows) {
        std::vector<ListedRow> listed;
        for (const session::RowPlace& place : rows.rows.examples)
            listed.push_back({place, tr("not used in full")});
        const bool mayBeMeant = rows.what.code == session::RowRemark::kTextsWithoutTemplate;
        add(mayBeMeant ? Weight::kGood : Weight::kWarning,
            tr("Not used in %Ln row(s)", nullptr, counted(rows.rows.numRows)), models::remarkText(rows.what),
            std::move(listed));
    }

    void addLeftOutFiles() {
        constexpr std::size_t kShown = 3;
        if (m_report.leftOut.empty()) return;
        QStringList files;
        for (const session::LeftOutFile& file : m_report.leftOut | std::views::take(kShown))
            files += tr("%1 %2").arg(QFileInfo(QString::fromStdString(file.path)).fileName(),
                                     models::remarkText(file.reason));
        if (m_report.leftOut.size() > kShown) files += QStringLiteral("…");
        add(Weight::kGood, tr("%Ln file(s) not used", nullptr, counted(std::ssize(m_report.leftOut))),
            files.join(QStringLiteral("; ")), {});
    }

    // `rule` leaves them out; none: no rule does.
    void addRepeats(const session::DuplicateCounts& counts, std::optional<LeaveOut> rule, const QString& title,
                    const QString& text) {
        if (counts.numRows == 0) return;
        std::vector<ListedRow> rows;
        for (const session::RowPair& pair : counts.examples)
            rows.push_back({pair.row, tr("like %1").arg(nameOf(pair.earlier))});
        const QString shown =
            rows.empty() ? text
                         : tr("%1; %2 is %3").arg(text, nameOf(rows[0].place), nameOf(counts.examples[0].earlier));
        add(Weight::kWarning, title, shown, std::move(rows));
        if (rule) offer(*rule);
    }

    // `note` stands beside each row.
    void addSample(const session::RowSample& sample, const QString& title, const QString& note, const QString& text) {
        if (sample.numRows == 0) return;
        std::vector<ListedRow> rows;
        for (const session::RowPlace& place : sample.examples)
            rows.push_back({place, note});
        add(Weight::kWarning, title, text, std::move(rows));
    }

    const session::DatasetReport& m_report;
    const QStringList& m_files;
    std::vector<Finding> m_findings;
};

} // namespace

std::optional<FindingLead> leadTo(const QString& text) {
    const session::Field* field = session::fieldNamedIn(text.toStdString());
    if (field == nullptr || field->key.starts_with("data.")) return std::nullopt;
    return FindingLead{editors::labelOf(*field), QStringLiteral("settings"), QString::fromStdString(field->key)};
}

std::vector<Finding> findingsOf(const session::DatasetReport& report, const QStringList& files) {
    return FindingsMaker(report, files).make();
}

} // namespace roundpipe::ui::pages
