// SPDX-License-Identifier: GPL-3.0-or-later
// What the window asks of a page. A page has a place in the rail, a header with its commands, and a body of its own.
#pragma once

#include "ui/pages/contract/services.h"
#include "ui/theme/icon.h"
#include "ui/widgets/pill.h"

#include <QWidget>

#include <functional>
#include <vector>

class QAction;
class QHBoxLayout;
class QLabel;
class QPushButton;
class QVBoxLayout;

namespace roundpipe::ui::pages {

class WordsLine;

// What does not change.
struct PageLook {
    QString id;           // "model": how other pages name it
    QString title;        // "Model"
    theme::Icon icon;     // in the rail
    bool isApart = false; // not a step of the project: below the line in the rail
};

// What the rail says.
struct PageStatus {
    enum class Mark { kNone, kDone, kMissing, kRunning };
    Mark mark = Mark::kNone;
    QString text; // "Qwen3-8B", "no rows yet"

    bool operator==(const PageStatus&) const = default;
};

class Page : public QWidget {
    Q_OBJECT
public:
    Page(const Services& services, PageLook look, QWidget* parent = nullptr);
    const PageLook& look() const { return m_look; }
    QSize minimumSizeHint() const override; // without what a wide window leaves at the sides

    virtual PageStatus status() const = 0;
    // What must be chosen on this page before a run can start, the most important first.
    virtual std::vector<Missing> missing() const { return {}; }
    // A part of what it would otherwise do at its first showing, when nobody waits for it; true: there is more.
    virtual bool prepare();
    // Brings the setting into view and gives it the focus; no-op for what is not on this page.
    virtual void showField(const QString& /*key*/) {}

signals:
    void statusChanged(); // status() or missing()
    void pageWanted(const QString& id, const QString& field = {});
    void openWanted();                     // the question which project to open
    void traceWanted(const QString& file); // in a window of its own
    void failed(const QString& message, const QString& advice);
    // Quiet: goes by itself. `action`: what a button beside it does.
    void noticed(const QString& text, const QString& actionName = {}, const std::function<void()>& action = {});

protected:
    const Services& services() const { return m_services; }
    QVBoxLayout* body() const { return m_body; }
    widgets::Pill& pill() const { return *m_pill; }                         // beside the title
    void setTitle(const QString& text);                                     // instead of the name in the rail
    void setSubtitle(const QString& text, const QStringList& shorter = {}); // below it; see ElidedLabel
    QPushButton* addCommand(QAction* action, bool primary = false);         // to the header's right end
    void addToHeader(QWidget* widget);                                      // the same for what is no button
    // A link below the title to the step that comes next, while this one is done. For the end of the constructor.
    void leadOnTo(const QString& id, const QString& text);
    void setMostWidth(int pixels); // in a wider window all stands in the middle
    // In the desktop's file manager; where there is none, the path is said, to be copied.
    void openFolder(const QString& path);
    void reachIntoMargin(); // body() ends with a widgets::ColumnScroll's gutter

    void resizeEvent(QResizeEvent* event) override;

private:
    void placeMargins();

    Services m_services;
    PageLook m_look;
    QLabel* m_title;
    WordsLine* m_words;
    widgets::Pill* m_pill;
    QHBoxLayout* m_commands;
    QHBoxLayout* m_header;
    QVBoxLayout* m_body;
    int m_mostWidth = QWIDGETSIZE_MAX;
    int m_gutter = 0; // of the margin at the right
};

} // namespace roundpipe::ui::pages
