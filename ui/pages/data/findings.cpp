#include "ui/pages/data/findings.h"

#include "ui/pages/data/count_text.h"

#include <QCoreApplication>

#include <algorithm>

namespace roundpipe::ui::pages {
namespace {

using Weight = Finding::Weight;

class FindingsMaker {
    Q_DECLARE_TR_FUNCTIONS(Findings)
public:
    FindingsMaker(const session::DatasetReport& report, const QStringList& files) : m_report(report), m_files(files) {}

    std::vector<Finding> make() {
        if (!m_report.refusal.empty())
            add(Weight::kBad, tr("Would not start"), QString::fromStdString(m_report.refusal), {});
        addDropped();
        addRepeats(m_report.leaked, tr("%1 leak"), tr("rows to validate on stand among those to train on"));
        addRepeats(m_report.nearlyLeaked, tr("%1 nearly leak"), tr("rows to validate on are like one to train on"));
        addRepeats(m_report.exact, tr("%1 repeat"), tr("an earlier row"));
        addRepeats(m_report.near, tr("%1 nearly repeat"), tr("an earlier row"));
        addSample(m_report.withoutEnd, tr("%1 without an end"), tr("without an end"),
                  tr("a trained turn has no end: the model learns no stopping"));
        addSample(m_report.emptyTurns, tr("%1 with an empty turn"), tr("with an empty turn"),
                  tr("a message says nothing"));
        addSample(m_report.oneSided, tr("%1 one-sided"), tr("one-sided"), tr("nobody asks: there is no user"));
        addSample(m_report.unanswered, tr("%1 unanswered"), tr("unanswered"),
                  tr("the last message is not the assistant's"));
        addSample(m_report.doubledBos, tr("%1 with two BOS"), tr("with two BOS"),
                  tr("the text starts with the token twice"));
        addSample(m_report.withoutBos, tr("%1 without BOS"), tr("without BOS"),
                  tr("the tokenizer puts one before other texts"));
        for (const session::SpecialTokenUse& use : m_report.specialTokens)
            add(Weight::kWarning, tr("%1 spell a token").arg(countText(use.numRows)),
                tr("%1 in a message becomes the special token itself").arg(QString::fromStdString(use.token)),
                {{use.example, QString::fromStdString(use.token)}});
        for (const session::NamedCount& source : m_report.maskSources)
            add(Weight::kGood, tr("Masks"),
                tr("found by %1 in %2 rows").arg(QString::fromStdString(source.name), countText(source.count)), {});
        return std::move(m_findings);
    }

private:
    QString nameOf(session::RowPlace place) const {
        const QString number = countText(place.number);
        return m_files.size() > 1 ? tr("%1 row %2").arg(m_files.value(place.file), number) : tr("row %1").arg(number);
    }

    void add(Weight weight, const QString& title, const QString& text, std::vector<ListedRow> rows) {
        m_findings.push_back({weight, title, text, std::move(rows)});
    }

    // One line for each reason; each row says what is wrong with it itself.
    void addDropped() {
        for (const session::NamedCount& reason : m_report.dropReasons) {
            std::vector<ListedRow> rows;
            for (const session::DroppedRow& row : m_report.dropped)
                if (row.reason == reason.name) rows.push_back({row.place, QString::fromStdString(row.problem)});
            const QString name = QString::fromStdString(reason.name);
            const QString first = rows.empty() ? QString() : nameOf(rows[0].place) + QLatin1Char(' ') + rows[0].note;
            add(Weight::kBad, tr("%1 dropped: %2").arg(countText(reason.count), name), first, std::move(rows));
        }
    }

    void addRepeats(const session::DuplicateCounts& counts, const QString& title, const QString& text) {
        if (counts.numRows == 0) return;
        std::vector<ListedRow> rows;
        for (const session::RowPair& pair : counts.examples)
            rows.push_back({pair.row, tr("like %1").arg(nameOf(pair.earlier))});
        const QString shown =
            rows.empty() ? text
                         : tr("%1; %2 is %3").arg(text, nameOf(rows[0].place), nameOf(counts.examples[0].earlier));
        add(Weight::kWarning, title.arg(countText(counts.numRows)), shown, std::move(rows));
    }

    // `title` counts the rows, `note` stands beside each of them.
    void addSample(const session::RowSample& sample, const QString& title, const QString& note, const QString& text) {
        if (sample.numRows == 0) return;
        std::vector<ListedRow> rows;
        for (const session::RowPlace& place : sample.examples)
            rows.push_back({place, note});
        add(Weight::kWarning, title.arg(countText(sample.numRows)), text, std::move(rows));
    }

    const session::DatasetReport& m_report;
    const QStringList& m_files;
    std::vector<Finding> m_findings;
};

} // namespace

std::vector<Finding> findingsOf(const session::DatasetReport& report, const QStringList& files) {
    return FindingsMaker(report, files).make();
}

} // namespace roundpipe::ui::pages
