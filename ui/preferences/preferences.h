// SPDX-License-Identifier: GPL-3.0-or-later
// What the window remembers of its user. Nothing here decides a run.
#pragma once

#include <QObject>
#include <QSettings>
#include <QStringList>
#include <QVariant>

#include <filesystem>

namespace roundpipe::ui::preferences {

// GUI thread only. Written a moment after each change, atomically. A file that can't be read as settings is kept as
// NAME.broken.ini, and everything starts anew.
class Preferences : public QObject {
    Q_OBJECT
public:
    explicit Preferences(const std::filesystem::path& file, QObject* parent = nullptr); // need not exist

    // What happened to a file that could not be read; empty: nothing.
    const QString& problem() const { return m_problem; }

    // Run files, the last opened first; those that are gone are left out.
    QStringList recentProjects() const;
    QString nameOfRecent(const QString& runFile) const; // as the project said when it was open; empty: not known
    void addRecentProject(const QString& runFile, const QString& name = {});
    void forgetRecentProject(const QString& runFile);

    // Anything else, by a key of its owner: "window/place", "settings/expert".
    QVariant value(const QString& key, const QVariant& otherwise = {}) const {
        return m_settings.value(key, otherwise);
    }
    void set(const QString& key, const QVariant& value) { m_settings.setValue(key, value); }

signals:
    void recentProjectsChanged();

private:
    static QString keepAsideIfBroken(const std::filesystem::path& file); // what is to be said about it
    void setRecent(const QStringList& files);

    QString m_problem;
    QSettings m_settings;
};

} // namespace roundpipe::ui::preferences
