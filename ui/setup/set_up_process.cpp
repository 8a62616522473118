// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/setup/set_up_process.h"

#include "base/user_folders.h"

#include <QFile>
#include <QTimer>

#include <csignal>
#include <unistd.h>

namespace roundpipe::ui::setup {
namespace {

namespace fs = std::filesystem;

constexpr int kKillAfterMs = 5000;
constexpr QLatin1String kProblemMark("roundpipe: "); // before what made setup give up

QByteArray contentOf(const fs::path& path) {
    QFile file(QString::fromStdString(path.string()));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

} // namespace

bool isSetUp(const fs::path& packaging) {
    for (const char* list : {"engine.txt", "data.txt"}) {
        const QByteArray wanted = contentOf(packaging / "requirements" / list);
        if (wanted.isEmpty() || wanted != contentOf(setUpFolder() / "python" / ".sets" / list)) return false;
    }
    return true;
}

SetUpProcess::SetUpProcess(fs::path packaging, QObject* parent) : QObject(parent), m_packaging(std::move(packaging)) {
    m_process.setProcessChannelMode(QProcess::MergedChannels);
    m_process.setStandardInputFile(QProcess::nullDevice());
    m_process.setChildProcessModifier([] { ::setpgid(0, 0); });
    connect(&m_process, &QProcess::readyRead, this, &SetUpProcess::readLines);
    connect(&m_process, &QProcess::finished, this, &SetUpProcess::finish);
    connect(&m_process, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
        if (error != QProcess::FailedToStart) return; // what ends in another way finishes
        m_isFetching = false;
        emit failed(tr("%1 could not be started: %2.").arg(m_process.program(), m_process.errorString()));
    });
}

SetUpProcess::~SetUpProcess() {
    m_process.disconnect(this);
    if (m_process.state() == QProcess::NotRunning) return;
    endGroup(SIGTERM);
    if (!m_process.waitForFinished(1000)) endGroup(SIGKILL);
    m_process.waitForFinished();
}

void SetUpProcess::look() {
    start({QStringLiteral("--list")});
}

void SetUpProcess::fetch() {
    m_isFetching = true;
    start({QStringLiteral("--yes")});
}

void SetUpProcess::start(const QStringList& arguments) {
    if (m_process.state() != QProcess::NotRunning) { // a look that has said what is missing and is not over yet
        const QSignalBlocker silent(&m_process);
        endGroup(SIGKILL);
        m_process.waitForFinished();
    }
    m_problem.clear();
    m_wasCancelled = false;
    m_process.start(QString::fromStdString((m_packaging / "setup").string()),
                    QStringList{QStringLiteral("--run-time"), QStringLiteral("--report")} + arguments);
}

void SetUpProcess::cancel() {
    if (!m_isFetching) return;
    m_wasCancelled = true;
    endGroup(SIGTERM);
    QTimer::singleShot(kKillAfterMs, &m_process, [this] {
        if (m_wasCancelled && m_isFetching) endGroup(SIGKILL);
    });
}

void SetUpProcess::endGroup(int signal) const {
    if (m_process.processId() > 0) ::kill(-static_cast<pid_t>(m_process.processId()), signal);
}

void SetUpProcess::readLines() {
    while (m_process.canReadLine())
        take(QString::fromUtf8(m_process.readLine()).trimmed());
}

void SetUpProcess::take(const QString& line) {
    const QStringList words = line.split(QLatin1Char(' '));
    if (words.front() == QLatin1String("@missing")) return emit looked(words.value(1).toInt(), words.value(2).toInt());
    if (words.front() == QLatin1String("@progress"))
        return emit progressed(words.value(1).toInt(), words.value(2).toInt());
    if (line.isEmpty()) return;
    if (line.startsWith(kProblemMark))
        m_problem = line.mid(kProblemMark.size());
    else if (!m_problem.isEmpty())
        m_problem += QLatin1Char('\n') + line;
    emit said(line);
}

void SetUpProcess::finish(int exitCode, QProcess::ExitStatus status) {
    readLines();
    take(QString::fromUtf8(m_process.readAll()).trimmed());
    const bool wasFetching = m_isFetching;
    m_isFetching = false;
    if (m_wasCancelled) return emit cancelled();
    if (status == QProcess::NormalExit && exitCode == 0) {
        if (wasFetching) emit fetched();
        return;
    }
    emit failed(!m_problem.isEmpty() ? m_problem : tr("Set-up ended early. Its last lines, in the log, may say why."));
}

} // namespace roundpipe::ui::setup
