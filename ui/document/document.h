// SPDX-License-Identifier: GPL-3.0-or-later
// The one owner of the open project: every page reads it, changes it here, and hears what others changed.
#pragma once

#include "session/spec/run_spec_fields.h"
#include "ui/document/project_file.h"

#include <QObject>
#include <QStringList>
#include <QTimer>
#include <QUndoStack>

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace roundpipe::ui::document {

// There is always a project: an empty one at first. Each change can be undone and is written to disk about a second
// later, in a thread of its own. GUI thread only; nothing here waits for a disk, but for opening, saving at once and
// the destructor.
class Document : public QObject {
    Q_OBJECT
public:
    enum class Saved {
        kNothing, // nothing was changed yet, and there is no file
        kYes,
        kSoon,
        kFailed // see saveProblem(); tried again with the next change
    };

    // `projects`: the folder in which projects get their files that were not opened from one.
    explicit Document(std::filesystem::path projects, QObject* parent = nullptr);
    ~Document() override; // writes what is not written yet, as when another project is opened

    // Those that follow save the project that was open, among the user's projects where its own place can't be
    // written, and clear the undo stack. What can't be opened leaves the
    // open project as it is, emits failed() and returns false; broken prompts are left out with warned().
    bool open(const std::filesystem::path& runFile);     // or a folder with run.json
    bool openCopy(const std::filesystem::path& runFile); // `runFile` itself is never written
    void create();                                       // an empty project
    void createFrom(session::RunSpec spec);              // one that was made of something else; it has no file yet
    // Writes there at once and goes on there. What does not end in .json gets that ending, as projects are found by it.
    bool saveTo(const std::filesystem::path& runFile);
    bool save(); // at once, where it has a file

    const session::RunSpec& spec() const { return m_project.spec; }
    const std::vector<std::string>& prompts() const { return m_project.prompts; }
    QString name() const; // the run's; else its file's, or the folder's of a run.json
    const std::filesystem::path& file() const { return m_file; } // empty: it has none yet
    Saved saved() const { return m_saved; }
    const QString& saveProblem() const { return m_saveProblem; }

    // Which of the project's datasets is being edited: value() and set() of what each has of its own are about it. No
    // part of the project; the last one where it was removed, the first of another project.
    std::size_t dataset() const { return m_dataset; }
    void setDataset(std::size_t dataset); // it exists

    session::FieldValue value(const session::Field& field) const { return field.get(m_project.spec, m_dataset); }
    // One step of the undo stack; none where nothing differs. `continues`: this goes on with the change before (a
    // slider that is dragged, a number that is typed), and is undone with it if that was of the same field.
    // Throws kInvalidInput where the value is none of the field's choices.
    void set(const session::Field& field, const session::FieldValue& value, bool continues = false);
    void setPrompts(std::vector<std::string> prompts, bool continues = false); // as set()
    // Several fields in one step, called `text` in the Edit menu; `gesture` joins it to a step before with the same.
    void change(const QString& text, const std::function<void(session::RunSpec&)>& edit, const QString& gesture = {});

    QUndoStack& undoStack() { return m_undo; }

signals:
    void opened(); // another project: read everything again
    // The fields that differ now, "lora.rank"; "prompts" for those. After each change, undone and redone ones too.
    void changed(const QStringList& keys);
    void datasetChanged(); // before changed(), where both are
    void savedChanged();   // saved(), saveProblem() or file()
    void warned(const QString& text);
    void failed(const QString& message, const QString& advice);

private:
    class Step;
    struct Written;
    struct Writing;

    void replace(Project project, std::filesystem::path file);
    void push(const QString& text, Project after, const QString& gesture);
    QString gestureOf(const QString& key, bool continues);
    void apply(const Project& project);
    bool read(const std::filesystem::path& runFile, Project& project);
    void setSaved(Saved saved, const QString& problem = {});
    void write(); // in a thread of its own
    void finishWriting();
    void flush(); // waits
    void letGo(); // before another project takes its place

    std::filesystem::path m_projects;
    std::filesystem::path m_file;
    std::string m_onDisk; // its text when it was read or written last; empty: not known
    Project m_project;
    std::size_t m_dataset = 0;
    bool m_promptsChanged = false; // since they were written
    Saved m_saved = Saved::kNothing;
    QString m_saveProblem;
    QString m_lastGesture;
    int m_numGestures = 0;
    QUndoStack m_undo;
    QTimer m_saveSoon;
    QTimer m_poll; // while writing
    std::unique_ptr<Writing> m_writing;
};

} // namespace roundpipe::ui::document
