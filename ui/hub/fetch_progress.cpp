// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/hub/fetch_progress.h"

#include "ui/hub/hub_label.h"
#include "ui/translations/number_text.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QVBoxLayout>

#include <cmath>

namespace roundpipe::ui::hub {
namespace {

constexpr int kBarSteps = 1000;

QString lineOf(const session::HubProgress& now) {
    if (now.retryInSeconds > 0)
        return FetchProgress::tr("The Hub does not answer, or asks to wait. Next try in %1.")
            .arg(translations::durationText(now.retryInSeconds));
    if (now.numFiles == 0) return FetchProgress::tr("Asking what there is…");
    const QString file = QString::fromStdString(now.file);
    const QString done = translations::bytesText(now.bytesDone), all = translations::bytesText(now.bytes);
    if (!now.secondsLeft) return FetchProgress::tr("%1 of %2: %3").arg(done, all, file);
    return FetchProgress::tr("%1 of %2, %3 a second, %4 left: %5")
        .arg(done, all, translations::bytesText(std::llround(now.bytesPerSecond)),
             translations::durationText(*now.secondsLeft), file);
}

} // namespace

FetchProgress::FetchProgress(QWidget* parent) : QWidget(parent), m_bar(new QProgressBar), m_line(wrappedLabel("dim")) {
    m_bar->setTextVisible(false);
    m_bar->setAccessibleName(tr("How far it is"));
    auto* stop = new QPushButton(tr("Stop"));
    stop->setAutoDefault(false);
    connect(stop, &QPushButton::clicked, this, &FetchProgress::stopWanted);
    auto* lines = new QVBoxLayout;
    lines->addWidget(m_bar);
    lines->addWidget(m_line);
    auto* cells = new QHBoxLayout(this);
    cells->setContentsMargins({});
    cells->addLayout(lines, 1);
    cells->addWidget(stop);
}

void FetchProgress::showLooking() {
    m_bar->setRange(0, 0); // something moves
    m_line->setText(tr("Looking…"));
}

void FetchProgress::showFetch(const session::HubProgress& now) {
    m_bar->setRange(0, now.bytes > 0 ? kBarSteps : 0);
    if (now.bytes > 0)
        m_bar->setValue(
            static_cast<int>(kBarSteps * static_cast<double>(now.bytesDone) / static_cast<double>(now.bytes)));
    m_line->setText(lineOf(now));
}

} // namespace roundpipe::ui::hub
