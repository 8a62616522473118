// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/hub/fetch_notice.h"

#include "ui/hub/fetch_progress.h"
#include "ui/hub/hub_label.h"
#include "ui/theme/theme.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace roundpipe::ui::hub {

FetchNotice::FetchNotice(session::HubKind kind, MakeHub makeHub, QWidget* parent)
    : QFrame(parent)
    , m_kind(kind)
    , m_makeHub(std::move(makeHub))
    , m_text(wrappedLabel(""))
    , m_fetch(new QPushButton(tr("Fetch")))
    , m_progress(new FetchProgress)
    , m_problem(wrappedLabel("problem")) {
    setObjectName(QStringLiteral("banner"));
    setProperty("isNotice", true);
    m_fetch->setObjectName(QStringLiteral("primary"));
    m_fetch->setAccessibleDescription(tr("Fetches what the project names of Hugging Face's Hub"));
    connect(m_fetch, &QPushButton::clicked, this, &FetchNotice::fetchFirst);
    connect(m_progress, &FetchProgress::stopWanted, this, &FetchNotice::stop);
    auto* cells = new QHBoxLayout;
    cells->setSpacing(theme::kSpacing);
    cells->addWidget(m_text, 1);
    cells->addWidget(m_fetch, 0, Qt::AlignTop);
    auto* lines = new QVBoxLayout(this);
    lines->addLayout(cells);
    lines->addWidget(m_progress);
    lines->addWidget(m_problem);
    setVisible(false);
    m_problem->hide();
    showState();
}

void FetchNotice::setNames(std::vector<std::string> names) {
    if (names == m_names) return;
    m_names = std::move(names);
    if (!m_underWay.empty() && std::ranges::find(m_names, m_underWay) == m_names.end()) stop();
    m_problem->hide();
    setVisible(!m_names.empty());
    showState();
}

void FetchNotice::fetchFirst() {
    if (m_hub == nullptr) {
        m_hub = new bridge::HubController(m_makeHub(), this);
        connect(m_hub, &bridge::HubController::progressed, m_progress, &FetchProgress::showFetch);
        connect(m_hub, &bridge::HubController::fetched, this, &FetchNotice::take);
        connect(m_hub, &bridge::HubController::failed, this, &FetchNotice::fail);
    }
    m_underWay = m_names.front();
    m_problem->hide();
    m_progress->showFetch({});
    m_hub->fetch(m_kind, m_underWay);
    showState();
}

// The next one follows, where the project has changed as it should.
void FetchNotice::take(const session::HubFetched& what) {
    const std::string name = std::exchange(m_underWay, {});
    emit fetched(name, what);
    if (!m_names.empty() && std::ranges::find(m_names, name) == m_names.end()) fetchFirst();
    showState();
}

void FetchNotice::fail(const QString& problem, const QString& advice) {
    m_underWay.clear();
    m_problem->setText(advice.isEmpty() ? problem : problem + QLatin1Char('\n') + advice);
    m_problem->show();
    showState();
}

void FetchNotice::stop() {
    m_underWay.clear();
    m_hub->cancel();
    showState();
}

void FetchNotice::showState() {
    QStringList names;
    for (const std::string& name : m_names)
        names += QString::fromStdString(name);
    const QString list = names.join(QStringLiteral(", "));
    m_text->setText(m_kind == session::HubKind::kModel
                        ? tr("The project's model is %1 of Hugging Face's Hub. To be used here it is fetched into the "
                             "cache of this machine; what lies there already is not fetched again. Nothing goes to "
                             "the network before you press the button.")
                              .arg(list)
                        : tr("The project's rows are named on Hugging Face's Hub: %1. To be used here they are fetched "
                             "into the cache of this machine; what lies there already is not fetched again. Nothing "
                             "goes to the network before you press the button.")
                              .arg(list));
    m_fetch->setEnabled(m_underWay.empty());
    m_progress->setVisible(!m_underWay.empty());
}

} // namespace roundpipe::ui::hub
