// What the window remembers of its user. Nothing here decides a run.
#pragma once

#include <QObject>
#include <QSettings>
#include <QStringList>
#include <QVariant>

#include <filesystem>

namespace roundpipe::ui::preferences {

// GUI thread only. Written a moment after each change, atomically; a file that can't be read counts as an empty one.
class Preferences : public QObject {
    Q_OBJECT
public:
    explicit Preferences(const std::filesystem::path& file, QObject* parent = nullptr); // need not exist

    // Run files, the last opened first; those that are gone are left out.
    QStringList recentProjects() const;
    void addRecentProject(const QString& runFile);
    void forgetRecentProject(const QString& runFile);

    // Anything else, by a key of its owner: "window/place", "settings/expert".
    QVariant value(const QString& key, const QVariant& otherwise = {}) const {
        return m_settings.value(key, otherwise);
    }
    void set(const QString& key, const QVariant& value) { m_settings.setValue(key, value); }

signals:
    void recentProjectsChanged();

private:
    void setRecent(const QStringList& files);

    QSettings m_settings;
};

} // namespace roundpipe::ui::preferences
