// SPDX-License-Identifier: GPL-3.0-or-later
// packaging/setup as a child process: what an installed program lacks to train, and fetching it.
#pragma once

#include <QObject>
#include <QProcess>
#include <QString>

#include <filesystem>

namespace roundpipe::ui::setup {

// Whether what the lists in the folder `packaging` name is there, by what setup wrote down when it had ended well.
bool isSetUp(const std::filesystem::path& packaging);

// GUI thread only; one child at a time.
class SetUpProcess : public QObject {
    Q_OBJECT
public:
    explicit SetUpProcess(std::filesystem::path packaging, QObject* parent = nullptr); // the folder that holds setup
    ~SetUpProcess() override; // ends the child and what it started

    void look();   // what is missing; uses no network
    void fetch();  // downloads and unpacks it; what is complete is not fetched again
    void cancel(); // ends it; no-op where nothing is fetched
    bool isFetching() const { return m_isFetching; }

signals:
    void looked(int downloadMb, int diskMb); // 0: nothing is missing
    void progressed(int doneMb, int ofMb);   // of what is downloaded
    void said(const QString& line);          // what setup says, for people
    void fetched();                          // all of it
    void cancelled();                        // what is complete is kept
    void failed(const QString& why);         // setup's own words, with its advice

private:
    void start(const QStringList& arguments);
    void readLines();
    void take(const QString& line);
    void finish(int exitCode, QProcess::ExitStatus status);
    void endGroup(int signal) const;

    std::filesystem::path m_packaging;
    QProcess m_process;
    QString m_problem;
    bool m_isFetching = false;
    bool m_wasCancelled = false;
};

} // namespace roundpipe::ui::setup
