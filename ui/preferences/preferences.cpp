#include "ui/preferences/preferences.h"

#include <QFileInfo>

namespace roundpipe::ui::preferences {
namespace {

constexpr qsizetype kMaxRecent = 20;

QString recentKey() {
    return QStringLiteral("projects/recent");
}

} // namespace

Preferences::Preferences(const std::filesystem::path& file, QObject* parent)
    : QObject(parent), m_settings(QString::fromStdString(file.string()), QSettings::IniFormat) {}

QStringList Preferences::recentProjects() const {
    QStringList files = m_settings.value(recentKey()).toStringList();
    files.removeIf([](const QString& file) { return !QFileInfo::exists(file); });
    return files;
}

void Preferences::addRecentProject(const QString& runFile) {
    QStringList files = m_settings.value(recentKey()).toStringList();
    if (files.value(0) == runFile) return;
    files.removeAll(runFile);
    files.prepend(runFile);
    setRecent(files.mid(0, kMaxRecent));
}

void Preferences::forgetRecentProject(const QString& runFile) {
    QStringList files = m_settings.value(recentKey()).toStringList();
    files.removeAll(runFile);
    setRecent(files);
}

void Preferences::setRecent(const QStringList& files) {
    m_settings.setValue(recentKey(), files);
    emit recentProjectsChanged();
}

} // namespace roundpipe::ui::preferences
