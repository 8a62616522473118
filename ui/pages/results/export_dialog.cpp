// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/results/export_dialog.h"

#include "ui/models/command_line.h"
#include "ui/models/export_text.h"
#include "ui/theme/theme.h"

#include <QCheckBox>
#include <QComboBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>

#include <algorithm>

namespace roundpipe::ui::pages {
namespace {

constexpr int kWidth = 620;
constexpr int kHeight = 400;

bool isOfAdapter(ExportKind kind) {
    return kind == ExportKind::kAdapter || kind == ExportKind::kGgufAdapter;
}

// The most asked for first.
constexpr std::array kKinds = {ExportKind::kOllama, ExportKind::kGguf, ExportKind::kMerged, ExportKind::kGgufAdapter,
                               ExportKind::kAdapter};
constexpr std::array kTypes = {GgufType::kQ4KM, GgufType::kQ5KM, GgufType::kQ6K, GgufType::kQ8,
                               GgufType::kF16,  GgufType::kBF16, GgufType::kF32};
constexpr std::array kAdapterTypes = {GgufType::kF32, GgufType::kF16, GgufType::kBF16};

bool isSameChoice(const session::ExportTask& one, const session::ExportTask& other) {
    return one.run == other.run && one.checkpoint == other.checkpoint && one.kind == other.kind;
}

} // namespace

ExportDialog::ExportDialog(const Services& services, const bridge::RunDetails& details, QWidget* parent)
    : QDialog(parent)
    , m_services(services)
    , m_run(details.run.folder)
    , m_what(new QComboBox)
    , m_type(new QComboBox)
    , m_from(new QComboBox)
    , m_typeLabel(new QLabel(tr("&Weights")))
    , m_isProved(new QCheckBox(tr("&Prove it: ask run and export the same, and compare their answers"))) {
    setAttribute(Qt::WA_DeleteOnClose);
    setWindowTitle(tr("Export for other programs"));
    resize(kWidth, kHeight);
    auto* lines = new QVBoxLayout(this);
    lines->setSpacing(theme::kSpacing);
    lines->addWidget(buildChoices(details));
    auto* title = new QLabel(tr("Before anything is written"));
    title->setObjectName(QStringLiteral("title"));
    lines->addWidget(title);
    auto* words = new QWidget;
    m_words = new QVBoxLayout(words);
    m_words->setContentsMargins(0, 0, theme::kSpacing, 0);
    auto* scroll = new QScrollArea;
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setWidget(words);
    lines->addWidget(scroll, 1);
    lines->addWidget(buildFoot());
    connect(&services.exports, &bridge::ExportController::checked, this, &ExportDialog::showRemarks);
    connect(&services.exports, &bridge::ExportController::checkFailed, this,
            [this](const session::ExportFailed& failed) {
                if (!isSameChoice(failed.request, request())) return;
                clearWords();
                say(QString::fromStdString(failed.problem + " " + failed.advice), "problem");
            });
    ask();
}

QWidget* ExportDialog::buildChoices(const bridge::RunDetails& details) {
    for (const ExportKind kind : kKinds)
        if (!details.trainsModel() || !isOfAdapter(kind))
            m_what->addItem(models::exportUse(kind), static_cast<int>(kind));
    const runs::StoredRun& run = details.run;
    if (run.resultBytes() > 0) m_from->addItem(tr("the run's result"), QString());
    for (const runs::StoredCheckpoint& checkpoint : run.checkpoints) {
        const QString name = QString::fromStdString(checkpoint.name);
        m_from->addItem(tr("checkpoint %1, step %2").arg(name).arg(checkpoint.step), name);
    }
    m_isProved->setChecked(true);
    m_isProved->setToolTip(tr("Loads the model twice, one after the other. The figures are kept with the run."));
    auto* choices = new QWidget;
    auto* form = new QFormLayout(choices);
    form->setContentsMargins({});
    form->addRow(tr("&For"), m_what);
    form->addRow(m_typeLabel, m_type);
    form->addRow(tr("&Of"), m_from);
    form->addRow(QString(), m_isProved);
    m_typeLabel->setBuddy(m_type);
    m_what->setAccessibleName(tr("For which programs"));
    m_type->setAccessibleName(tr("Type of the weights"));
    m_from->setAccessibleName(tr("Of which state of the run"));
    fillTypes();
    connect(m_what, &QComboBox::currentIndexChanged, this, [this] {
        fillTypes();
        ask();
    });
    connect(m_from, &QComboBox::currentIndexChanged, this, &ExportDialog::ask);
    return choices;
}

QWidget* ExportDialog::buildFoot() {
    auto* foot = new QWidget;
    auto* cells = new QHBoxLayout(foot);
    cells->setContentsMargins({});
    auto* close = new QPushButton(tr("Cancel"));
    close->setAutoDefault(false);
    auto* begin = new QPushButton(tr("Export"));
    begin->setObjectName(QStringLiteral("primary"));
    begin->setDefault(true);
    cells->addStretch(1);
    cells->addWidget(close);
    cells->addWidget(begin);
    connect(close, &QPushButton::clicked, this, &QDialog::reject);
    connect(begin, &QPushButton::clicked, this, [this] {
        bridge::ExportController& exports = m_services.exports; // a model to talk with leaves first
        m_services.chat.freeThen([&exports, wanted = request()] { exports.begin(wanted); });
        accept();
    });
    return foot;
}

// What weights can be in the export; nothing to choose where they stay as they are.
void ExportDialog::fillTypes() {
    const ExportKind kind = request().kind;
    const QVariant before = m_type->currentData();
    m_type->clear();
    const auto add = [&](const auto& types) {
        for (const GgufType type : types)
            m_type->addItem(models::ggufTypeText(type), static_cast<int>(type));
    };
    if (kind == ExportKind::kGgufAdapter)
        add(kAdapterTypes);
    else if (hasGgufType(kind))
        add(kTypes);
    m_type->setCurrentIndex(std::max(0, m_type->findData(before)));
    m_type->setEnabled(m_type->count() > 0);
    if (m_type->count() == 0) m_type->addItem(tr("as they are"));
}

session::ExportTask ExportDialog::request() const {
    session::ExportTask request{m_run, m_from->currentData().toString().toStdString()};
    request.kind = static_cast<ExportKind>(m_what->currentData().toInt());
    if (hasGgufType(request.kind)) request.type = static_cast<GgufType>(m_type->currentData().toInt());
    request.isProved = m_isProved->isChecked();
    return request;
}

void ExportDialog::ask() {
    clearWords();
    say(tr("Asking who would refuse what…"), "dim");
    m_services.exports.check(request());
}

void ExportDialog::showRemarks(const session::ExportRemarks& found) {
    if (!isSameChoice(found.request, request())) return; // another choice was made meanwhile
    clearWords();
    std::vector<session::ExportRemark> remarks = found.remarks;
    std::ranges::stable_partition(remarks, &session::ExportRemark::refuses);
    for (const session::ExportRemark& remark : remarks)
        say(models::remarkText(remark), remark.refuses ? "remark" : "dim");
    if (remarks.empty()) say(tr("Nothing is known that another program would refuse."), "dim");
}

void ExportDialog::say(const QString& text, const char* look) {
    auto* label = new QLabel(models::withWholeOptions(text, true));
    label->setObjectName(QLatin1String(look));
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_words->addWidget(label);
    m_words->setAlignment(Qt::AlignTop);
}

void ExportDialog::clearWords() {
    while (QLayoutItem* item = m_words->takeAt(0)) {
        delete item->widget();
        delete item;
    }
}

} // namespace roundpipe::ui::pages
