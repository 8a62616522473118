// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/results/exports_card.h"

#include "ui/models/export_text.h"
#include "ui/models/stored_run_text.h"
#include "ui/pages/results/export_dialog.h"
#include "ui/theme/icon.h"
#include "ui/translations/number_text.h"

#include <QGridLayout>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>

namespace roundpipe::ui::pages {
namespace {

constexpr int kBarSteps = 1000;
constexpr int kMark = 18;

QLabel* wrapped(const char* look) {
    auto* label = new QLabel;
    label->setObjectName(QLatin1String(look));
    label->setWordWrap(true);
    return label;
}

} // namespace

ExportsCard::ExportsCard(const Services& services, QWidget* parent)
    : Card(tr("Exports for other programs"), parent)
    , m_services(services)
    , m_rows(new QGridLayout)
    , m_hint(wrapped("dim"))
    , m_progress(buildProgress())
    , m_more(new QPushButton(tr("Export…"))) {
    m_rows->setContentsMargins(0, 0, 0, 0);
    m_rows->setHorizontalSpacing(12);
    m_rows->setVerticalSpacing(8);
    m_rows->setColumnStretch(1, 1);
    m_more->setToolTip(tr("Make a model for Ollama, llama.cpp, vLLM or others, and prove that it answers as the run"));
    titleRow()->addWidget(m_more);
    body()->addLayout(m_rows);
    body()->addWidget(m_progress);
    body()->addWidget(m_hint);
    connect(m_more, &QPushButton::clicked, this,
            [this] { (new ExportDialog(m_services, *m_details, window()))->open(); });
    const bridge::ExportController& exports = services.exports;
    connect(&exports, &bridge::ExportController::changed, this, &ExportsCard::showWay);
    connect(&exports, &bridge::ExportController::progressed, this, &ExportsCard::showProgress);
    connect(&services.run, &bridge::RunController::stateChanged, this, &ExportsCard::showWay);
    connect(&services.themes, &theme::ThemeManager::changed, this, &ExportsCard::showRows);
    setVisible(false);
}

QWidget* ExportsCard::buildProgress() {
    m_bar = new QProgressBar;
    m_bar->setTextVisible(false);
    m_bar->setAccessibleName(tr("How far the export is"));
    m_doing = wrapped("dim");
    m_stop = new QPushButton(tr("Stop"));
    connect(m_stop, &QPushButton::clicked, this, [this] {
        m_stop->setEnabled(false);
        m_doing->setText(tr("stopping…"));
        m_services.exports.cancel();
    });
    auto* progress = new QWidget;
    auto* cells = new QGridLayout(progress);
    cells->setContentsMargins(0, 4, 0, 0); // apart from the last export's proof
    cells->setColumnStretch(0, 1);
    cells->addWidget(m_bar, 0, 0);
    cells->addWidget(m_doing, 1, 0);
    cells->addWidget(m_stop, 0, 1, 2, 1);
    return progress;
}

void ExportsCard::showRun(std::shared_ptr<const bridge::RunDetails> details) {
    m_details = std::move(details);
    const bool hasAny = m_details && (m_details->run.resultBytes() > 0 || !m_details->run.checkpoints.empty() ||
                                      !m_details->exports.empty());
    setVisible(hasAny);
    showRows();
    showWay();
}

void ExportsCard::showRows() {
    while (QLayoutItem* item = m_rows->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    if (!m_details) return;
    int row = 0;
    for (const runs::ExportRecord& made : m_details->exports)
        addRow(row++, made);
}

void ExportsCard::addRow(int row, const runs::ExportRecord& made) {
    const theme::Theme& theme = m_services.themes.theme();
    const bool isBad = made.proof && !made.proof->passed;
    auto* mark = new QLabel;
    const theme::Icon icon = isBad ? theme::Icon::kBad : made.proof ? theme::Icon::kCheck : theme::Icon::kDot;
    mark->setPixmap(theme::pixmapOf(icon,
                                    isBad        ? theme.bad
                                    : made.proof ? theme.good
                                                 : theme.dim,
                                    kMark, devicePixelRatioF()));
    const QString name = models::exportName(made), folder = QString::fromStdString(made.folder);
    auto* words = new QWidget;
    auto* lines = new QVBoxLayout(words);
    lines->setContentsMargins(0, 0, 0, 0);
    lines->setSpacing(0);
    lines->addWidget(new QLabel(name));
    QLabel* proof = wrapped(isBad ? "problem" : "dim");
    proof->setText(translations::withWholeFigures(models::proofText(made)));
    if (made.proof) words->setToolTip(models::proofInFull(*made.proof));
    lines->addWidget(proof);
    auto* size = new QLabel(models::bytesText(made.bytes));
    size->setObjectName(QStringLiteral("dim"));
    auto* open = new QPushButton(tr("Show"));
    open->setObjectName(QStringLiteral("link"));
    open->setAccessibleName(tr("Show %1").arg(name));
    open->setToolTip(folder);
    connect(open, &QPushButton::clicked, this, [this, folder] { emit folderWanted(folder); });
    m_rows->addWidget(mark, row, 0);
    m_rows->addWidget(words, row, 1);
    m_rows->addWidget(size, row, 2, Qt::AlignRight);
    m_rows->addWidget(open, row, 3);
}

bool ExportsCard::isOfThisRun(const session::ExportTask& request) const {
    return m_details && request.run == m_details->run.folder;
}

void ExportsCard::showWay() {
    if (!m_details) return;
    const session::ExportTask* const underWay = m_services.exports.underWay();
    const bool isHere = underWay && isOfThisRun(*underWay);
    if (isHere && m_progress->isHidden()) showProgress({});
    m_progress->setVisible(isHere);
    m_stop->setEnabled(true);
    QString why;
    if (!m_services.exports.canExport())
        why = tr("The engine makes exports, and it is not loaded.");
    else if (m_services.run.isRunning())
        why = tr("A run is under way: exports wait for its end, as the proof needs the memory.");
    else if (underWay && !isHere)
        why = tr("An export of another run is under way.");
    else if (m_details->exports.empty() && !underWay)
        why = tr("None yet. An export is asked the same as the run, and has to answer the same.");
    m_more->setVisible(m_services.exports.canExport() && !m_services.run.isRunning() && !underWay);
    m_hint->setText(why);
    m_hint->setVisible(!why.isEmpty());
}

void ExportsCard::showProgress(const session::ExportState& now) {
    if (!m_stop->isEnabled()) return; // it was stopped
    using Phase = session::ExportState::Phase;
    m_bar->setRange(0, now.all > 0 ? kBarSteps : 0);
    if (now.all > 0)
        m_bar->setValue(static_cast<int>(kBarSteps * static_cast<double>(now.done) / static_cast<double>(now.all)));
    if (now.phase == Phase::kProving)
        m_doing->setText(tr("proving it: %1 of %2").arg(now.done).arg(now.all));
    else if (now.all > 0)
        m_doing->setText(tr("writing: %1 of %2").arg(models::bytesText(now.done), models::bytesText(now.all)));
    else
        m_doing->setText(tr("reading the model…"));
}

} // namespace roundpipe::ui::pages
