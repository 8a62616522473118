// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/setup/set_up_dialog.h"

#include "base/user_folders.h"
#include "ui/theme/theme.h"
#include "ui/translations/number_text.h"
#include "ui/widgets/card.h"
#include "ui/widgets/elided_label.h"

#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QPlainTextEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QTimer>
#include <QVBoxLayout>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <system_error>

namespace roundpipe::ui::setup {
namespace {

namespace fs = std::filesystem;

constexpr int kWidth = 640;
constexpr int kLogHeight = 180;
constexpr qint64 kSettlesAfterMs = 5000; // before that the speed is a guess
constexpr int64_t kMb = 1'000'000;       // as setup counts

QString sizeText(int64_t bytes) {
    return translations::bytesText(bytes);
}

QString place() {
    return QString::fromStdString(setUpFolder().string());
}

// On the disk that will hold it, of whose folders the last may not be there yet; nothing where it cannot be told.
std::optional<int64_t> freeBytes() {
    fs::path folder = setUpFolder();
    std::error_code problem;
    while (!fs::exists(folder, problem) && folder.has_relative_path())
        folder = folder.parent_path();
    const fs::space_info space = fs::space(folder, problem);
    if (problem) return std::nullopt;
    return static_cast<int64_t>(space.available);
}

QLabel* wrapped(const QString& text, const char* look = "") {
    auto* label = new QLabel(text);
    label->setObjectName(QLatin1String(look));
    label->setWordWrap(true);
    label->setTextFormat(Qt::PlainText);
    return label;
}

} // namespace

SetUpDialog::SetUpDialog(std::filesystem::path packaging, QWidget* parent)
    : QDialog(parent), m_process(std::move(packaging)) {
    setWindowTitle(tr("Set up the training engine"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(theme::kMargin, theme::kMargin, theme::kMargin, theme::kMargin);
    layout->setSpacing(theme::kSpacing);
    layout->addWidget(wrapped(tr("One download before you train"), "headline"));
    layout->addWidget(wrapped(tr("Training needs LibTorch and NVIDIA's CUDA libraries, and reading Parquet files needs "
                                 "Arrow. They are large and their makers distribute them themselves, so they are not "
                                 "part of this program's package.")));
    layout->addWidget(buildNumbers());
    layout->addWidget(
        wrapped(tr("Nothing is downloaded before you press the button. It may be interrupted at any time; "
                   "what is complete by then is kept. Until then models, rows, settings and plans work; training "
                   "and Parquet files do not."),
                "dim"));
    layout->addWidget(buildProgress());
    layout->addStretch(1);
    layout->addLayout(buildButtons());
    resize(kWidth, 0);
    fit();
    connect(&m_process, &SetUpProcess::looked, this, &SetUpDialog::showMissing);
    connect(&m_process, &SetUpProcess::progressed, this, &SetUpDialog::showProgress);
    connect(&m_process, &SetUpProcess::said, this, [this](const QString& line) {
        m_log->appendPlainText(line);
        if (m_process.isFetching()) m_line->setFullText(line); // a look lists what is missing
    });
    connect(&m_process, &SetUpProcess::fetched, this, &SetUpDialog::finish);
    connect(&m_process, &SetUpProcess::cancelled, this, [this] {
        rest(tr("Cancelled. What was complete is kept and not downloaded again."), {});
        m_process.look();
    });
    connect(&m_process, &SetUpProcess::failed, this,
            [this](const QString& why) { rest(tr("Set-up did not succeed."), why); });
    m_process.look();
}

QWidget* SetUpDialog::buildNumbers() {
    auto* card = new widgets::Card;
    auto* grid = new QGridLayout;
    grid->setHorizontalSpacing(theme::kSpacing);
    grid->setVerticalSpacing(6);
    grid->setColumnStretch(1, 1);
    const auto add = [grid](const QString& name, QLabel* value) {
        auto* label = new QLabel(name);
        label->setObjectName(QStringLiteral("dim"));
        label->setBuddy(value);
        value->setAccessibleName(name);
        grid->addWidget(label, grid->rowCount(), 0);
        grid->addWidget(value, grid->rowCount() - 1, 1);
        return value;
    };
    m_download = add(tr("To download, from PyPI"), new QLabel(tr("counting…")));
    m_disk = add(tr("Room that it takes"), new QLabel(tr("counting…")));
    m_free = add(tr("Room that is free"), new QLabel);
    add(tr("Folder"), new widgets::ElidedLabel(place()));
    card->body()->addLayout(grid);
    return card;
}

QWidget* SetUpDialog::buildProgress() {
    m_amount = new QLabel;
    m_bar = new QProgressBar;
    m_bar->setTextVisible(false);
    m_bar->setAccessibleName(tr("Downloaded"));
    m_line = new widgets::ElidedLabel;
    m_line->setObjectName(QStringLiteral("dim"));
    m_problem = wrapped({}, "problem");
    m_problem->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_problem->hide();
    m_log = new QPlainTextEdit;
    m_log->setReadOnly(true);
    m_log->setFixedHeight(kLogHeight);
    m_log->setAccessibleName(tr("What set-up says"));
    m_log->hide();
    auto* showLog = new QPushButton(tr("Log"));
    showLog->setCheckable(true);
    showLog->setToolTip(tr("Show all that set-up says"));
    connect(showLog, &QPushButton::toggled, this, [this](bool shown) {
        m_log->setVisible(shown);
        fit();
    });
    m_way = new QWidget;
    auto* layout = new QVBoxLayout(m_way);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(6);
    auto* top = new QHBoxLayout;
    top->addWidget(m_amount, 1);
    top->addWidget(showLog);
    layout->addLayout(top);
    layout->addWidget(m_bar);
    layout->addWidget(m_line);
    layout->addWidget(m_problem);
    layout->addWidget(m_log);
    m_way->hide();
    return m_way;
}

QLayout* SetUpDialog::buildButtons() {
    m_fetch = new QPushButton(tr("Set up"));
    m_fetch->setObjectName(QStringLiteral("primary"));
    m_fetch->setDefault(true);
    m_cancel = new QPushButton(tr("Cancel the download"));
    m_cancel->setAutoDefault(false);
    m_cancel->hide();
    m_later = new QPushButton(tr("Not now"));
    m_later->setAutoDefault(false);
    m_simulate = new QPushButton(tr("Use the simulated engine"));
    m_simulate->setAutoDefault(false);
    m_simulate->setToolTip(tr("Runs are played from their plan; nothing is trained"));
    connect(m_fetch, &QPushButton::clicked, this, &SetUpDialog::begin);
    connect(m_cancel, &QPushButton::clicked, this, [this] {
        m_cancel->setEnabled(false);
        m_process.cancel();
    });
    connect(m_later, &QPushButton::clicked, this, &QDialog::reject);
    connect(m_simulate, &QPushButton::clicked, this, [this] {
        emit simulationWanted();
        accept();
    });
    auto* layout = new QHBoxLayout;
    layout->setSpacing(8);
    layout->addWidget(m_simulate);
    layout->addStretch(1);
    layout->addWidget(m_later);
    layout->addWidget(m_cancel);
    layout->addWidget(m_fetch);
    return layout;
}

void SetUpDialog::showMissing(int downloadMb, int diskMb) {
    m_download->setText(sizeText(downloadMb * kMb));
    m_fetch->setText(tr("Download %1 and set up").arg(sizeText(downloadMb * kMb)));
    m_disk->setText(tr("about %1").arg(sizeText(diskMb * kMb)));
    showFree(diskMb * kMb);
    fit();
}

void SetUpDialog::showFree(int64_t needed) {
    const std::optional<int64_t> free = freeBytes();
    if (!free)
        m_free->setText(tr("unknown"));
    else if (*free < needed)
        m_free->setText(tr("%1: too little").arg(sizeText(*free)));
    else
        m_free->setText(sizeText(*free));
}

void SetUpDialog::showProgress(int doneMb, int ofMb) {
    m_bar->setRange(0, ofMb);
    m_bar->setValue(doneMb);
    const QString done = sizeText(doneMb * kMb);
    const QString all = sizeText(ofMb * kMb);
    const qint64 elapsed = m_sinceBegin.elapsed();
    if (doneMb == 0 || elapsed < kSettlesAfterMs) return m_amount->setText(tr("%1 of %2 downloaded").arg(done, all));
    const double left = static_cast<double>(elapsed) / 1000 * (ofMb - doneMb) / doneMb; // unpacking included
    m_amount->setText(tr("%1 of %2 downloaded, about %3 left").arg(done, all, translations::durationText(left)));
}

void SetUpDialog::begin() {
    m_way->show();
    m_problem->hide();
    m_log->clear();
    m_amount->setText(tr("Beginning…"));
    m_bar->setRange(0, 0);
    m_fetch->hide();
    m_simulate->hide();
    m_cancel->setEnabled(true);
    m_cancel->show();
    m_later->setText(tr("Go on in the background"));
    m_sinceBegin.start();
    m_process.fetch();
    fit();
}

void SetUpDialog::rest(const QString& word, const QString& problem) {
    m_way->show();
    m_amount->setText(word);
    m_problem->setText(problem);
    m_problem->setVisible(!problem.isEmpty());
    m_line->setFullText({});
    m_bar->setRange(0, 1);
    m_bar->reset();
    m_fetch->show();
    m_fetch->setFocus();
    m_cancel->hide();
    m_later->setText(tr("Not now"));
    m_simulate->show();
    show(); // it may go on in the background
    fit();
}

// As wide as the buttons need and as high as what is on show, once the layout knows that.
void SetUpDialog::fit() {
    QTimer::singleShot(0, this, [this] {
        const int wide = std::max(width(), layout()->minimumSize().width());
        resize(wide, layout()->totalHeightForWidth(wide));
    });
}

void SetUpDialog::finish() {
    emit ready();
    accept();
}

void SetUpDialog::done(int result) {
    if (result == Rejected && !isFetching()) emit putOff();
    QDialog::done(result);
}

} // namespace roundpipe::ui::setup
