// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/document.h"

#include "base/error.h"
#include "base/file.h"
#include "base/fresh_folder.h"

#include <QCoreApplication>
#include <QUndoCommand>

#include <chrono>
#include <future>
#include <optional>

namespace roundpipe::ui::document {
namespace {

namespace fs = std::filesystem;

constexpr int kSaveAfterMs = 1000;
constexpr int kPollMs = 20;

QString text(const std::string& utf8) {
    return QString::fromStdString(utf8);
}

} // namespace

// The whole project before and after: a few kilobytes, and every kind of change is the same code.
class Document::Step : public QUndoCommand {
public:
    Step(Document& document, const QString& text, Project before, Project after, QString gesture)
        : QUndoCommand(text)
        , m_document(document)
        , m_before(std::move(before))
        , m_after(std::move(after))
        , m_gesture(std::move(gesture)) {}

    void redo() override { m_document.apply(m_after); }
    void undo() override {
        m_document.m_lastGesture.clear(); // what follows is a step of its own
        m_document.apply(m_before);
    }
    int id() const override { return m_gesture.isEmpty() ? -1 : 1; }
    bool mergeWith(const QUndoCommand* other) override {
        const auto& next = static_cast<const Step&>(*other);
        if (next.m_gesture != m_gesture) return false;
        m_after = next.m_after;
        setObsolete(session::differingFields(m_before.spec, m_after.spec).empty() &&
                    m_before.prompts == m_after.prompts);
        return true;
    }

private:
    Document& m_document;
    Project m_before, m_after;
    QString m_gesture;
};

struct Document::Written {
    std::optional<Error> error;
    std::string text;            // of the file now
    std::filesystem::path other; // where what somebody else wrote is kept; empty: nothing
};

struct Document::Writing {
    std::future<Written> outcome;
    bool writesPrompts = false;
};

Document::Document(fs::path projects, QObject* parent) : QObject(parent), m_projects(std::move(projects)) {
    m_saveSoon.setSingleShot(true);
    m_saveSoon.setInterval(kSaveAfterMs);
    connect(&m_saveSoon, &QTimer::timeout, this, &Document::write);
    m_poll.setInterval(kPollMs);
    connect(&m_poll, &QTimer::timeout, this, &Document::finishWriting);
}

Document::~Document() {
    const QSignalBlocker silent(this); // nobody listens any more
    letGo();
}

QString Document::name() const {
    if (!m_project.spec.name.empty()) return text(m_project.spec.name);
    if (m_file.empty()) return tr("Untitled");
    const bool isUsual = m_file.filename() == "run.json"; // its folder has the name
    return text((isUsual ? m_file.parent_path().filename() : m_file.stem()).string());
}

bool Document::read(const fs::path& runFile, Project& project) {
    try {
        ReadProject read = readProject(runFile);
        project = std::move(read.project);
        if (!read.promptsProblem.empty()) emit warned(text(read.promptsProblem));
        return true;
    } catch (const Error& error) {
        emit failed(text(error.message()), text(error.advice()));
    } catch (const fs::filesystem_error& error) {
        emit failed(text(error.what()), {});
    }
    return false;
}

bool Document::open(const fs::path& runFile) {
    std::error_code ignored;
    const fs::path file = fs::absolute(fs::is_directory(runFile, ignored) ? runFile / "run.json" : runFile);
    Project project;
    if (!read(file, project)) return false;
    replace(std::move(project), file);
    m_onDisk = textOnDisk(file);
    return true;
}

bool Document::openCopy(const fs::path& runFile) {
    Project project;
    if (!read(runFile, project)) return false;
    if (project.spec.name.empty()) project.spec.name = fs::absolute(runFile).parent_path().filename().string();
    replace(std::move(project), {});
    m_promptsChanged = true; // to be written with the first change
    return true;
}

void Document::create() {
    replace({}, {});
}

void Document::createFrom(session::RunSpec spec) {
    replace({std::move(spec), {}}, {});
}

void Document::replace(Project project, fs::path file) {
    letGo();
    m_undo.clear();
    m_lastGesture.clear();
    m_promptsChanged = false;
    m_project = std::move(project);
    m_file = std::move(file);
    m_onDisk.clear();
    setDataset(0);
    setSaved(m_file.empty() ? Saved::kNothing : Saved::kYes);
    emit opened();
}

QString Document::gestureOf(const QString& key, bool continues) {
    const QString prefix = key + QLatin1Char('#');
    const bool joins = continues && m_lastGesture.startsWith(prefix);
    return joins ? m_lastGesture : prefix + QString::number(++m_numGestures);
}

void Document::setDataset(std::size_t dataset) {
    if (std::exchange(m_dataset, dataset) != dataset) emit datasetChanged();
}

void Document::set(const session::Field& field, const session::FieldValue& value, bool continues) {
    const QString gesture = gestureOf(text(field.key) + QString::number(m_dataset), continues);
    Project after = m_project;
    field.set(after.spec, value, m_dataset);
    push(tr("Change “%1”").arg(QCoreApplication::translate("RunSpec", field.label.c_str())), std::move(after), gesture);
}

void Document::setPrompts(std::vector<std::string> prompts, bool continues) {
    const QString gesture = gestureOf(QStringLiteral("prompts"), continues);
    Project after = m_project;
    after.prompts = std::move(prompts);
    push(tr("Change the prompts"), std::move(after), gesture);
}

void Document::change(const QString& text, const std::function<void(session::RunSpec&)>& edit, const QString& gesture) {
    Project after = m_project;
    edit(after.spec);
    push(text, std::move(after), gesture);
}

void Document::push(const QString& text, Project after, const QString& gesture) {
    if (after.prompts == m_project.prompts && session::differingFields(after.spec, m_project.spec).empty()) return;
    m_lastGesture = gesture;
    m_undo.push(new Step(*this, text, m_project, std::move(after), gesture));
}

void Document::apply(const Project& project) {
    QStringList keys;
    for (const session::Field* field : session::differingFields(m_project.spec, project.spec))
        keys.append(text(field->key));
    if (m_project.prompts != project.prompts) {
        keys.append(QStringLiteral("prompts"));
        m_promptsChanged = true;
    }
    m_project = project;
    setDataset(std::min(m_dataset, m_project.spec.data.datasets.size() - 1));
    m_saveSoon.start();
    setSaved(Saved::kSoon);
    emit changed(keys);
}

void Document::setSaved(Saved saved, const QString& problem) {
    m_saved = saved;
    m_saveProblem = problem;
    emit savedChanged();
}

bool Document::saveTo(const fs::path& runFile) {
    flush();
    m_file = fs::absolute(runFile);
    if (m_file.extension() != ".json") m_file += ".json";
    m_onDisk = textOnDisk(m_file); // which is to be replaced
    m_promptsChanged = !m_project.prompts.empty();
    setSaved(Saved::kSoon);
    flush();
    return m_saved == Saved::kYes;
}

bool Document::save() {
    RP_CHECK(!m_file.empty());
    flush();
    return m_saved == Saved::kYes;
}

void Document::write() {
    m_saveSoon.stop();
    if (m_writing != nullptr) { // with the next poll
        m_saveSoon.start();
        return;
    }
    if (m_file.empty()) m_file = freshFolder(m_projects, name().toStdString()) / "run.json";
    m_writing = std::make_unique<Writing>();
    m_writing->writesPrompts = m_promptsChanged;
    m_promptsChanged = false;
    const auto task = [project = m_project, file = m_file, known = m_onDisk, prompts = m_writing->writesPrompts] {
        Written written;
        try {
            const std::string there = textOnDisk(file);
            if (!known.empty() && !there.empty() && there != known) {
                const std::filesystem::path other = placeOfOther(file);
                writeFileAtomically({other, FileStamp{}}, there);
                written.other = other;
            }
            writeProject(project, file, prompts);
            written.text = textOnDisk(file);
        } catch (const Error& error) {
            written.error = error;
        }
        return written;
    };
    m_writing->outcome = std::async(std::launch::async, task);
    m_poll.start();
}

void Document::finishWriting() {
    if (m_writing == nullptr || m_writing->outcome.wait_for(std::chrono::seconds(0)) != std::future_status::ready)
        return;
    m_poll.stop();
    const std::unique_ptr<Writing> writing = std::move(m_writing);
    const Written written = writing->outcome.get();
    if (const std::optional<Error>& error = written.error) {
        m_promptsChanged |= writing->writesPrompts;
        setSaved(Saved::kFailed, text(error->message()));
        emit failed(tr("The project is not saved. %1").arg(text(error->message())),
                    text(error->advice()) + QLatin1Char(' ') + tr("Save it to another place: File, Save as."));
    } else {
        m_onDisk = written.text;
        setSaved(m_saveSoon.isActive() ? Saved::kSoon : Saved::kYes);
        if (!written.other.empty())
            emit warned(tr("The project was changed by another window or program, too. What that saved is kept as %1.")
                            .arg(text(written.other.string())));
    }
}

void Document::flush() {
    const auto wait = [this] {
        if (m_writing == nullptr) return;
        m_writing->outcome.wait();
        finishWriting();
    };
    wait();
    if (m_saved != Saved::kSoon && m_saved != Saved::kFailed) return;
    write();
    wait();
}

// What can't be written where it belongs (the disk is gone, the folder read-only) is kept among the user's projects.
void Document::letGo() {
    flush();
    if (m_saved != Saved::kFailed) return;
    m_file = freshFolder(m_projects, tr("%1 (rescued)").arg(name()).toStdString()) / "run.json";
    m_promptsChanged = !m_project.prompts.empty();
    flush();
    if (m_saved == Saved::kYes)
        emit warned(tr("The project could not be saved in its place. It is kept as %1.").arg(text(m_file.string())));
}

} // namespace roundpipe::ui::document
