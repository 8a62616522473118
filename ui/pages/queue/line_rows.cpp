// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/queue/line_rows.h"

#include "queue/device_sets.h"
#include "ui/editors/field_text.h"
#include "ui/models/stored_run_text.h"
#include "ui/translations/device_text.h"
#include "ui/translations/number_text.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>
#include <set>

namespace roundpipe::ui::pages {
namespace {

using bridge::QueueView;
using session::RunSpec;

struct LineWords {
    Q_DECLARE_TR_FUNCTIONS(QueueLine)
};

QString lastPart(const std::string& path) {
    const std::filesystem::path whole(path);
    return QString::fromStdString((whole.has_filename() ? whole : whole.parent_path()).filename().string());
}

QString rowsText(const RunSpec& spec) {
    std::vector<std::string> files;
    for (const session::DatasetSection& dataset : spec.data.datasets)
        files.insert(files.end(), dataset.files.begin(), dataset.files.end());
    if (files.empty()) return models::nothingText();
    const QString first = lastPart(files.front());
    return files.size() == 1 ? first : QStringLiteral("%1 + %2").arg(first).arg(files.size() - 1);
}

// What is not as a new project has it. Devices are said by the line that the run stands in.
void saySettings(const RunSpec& spec, LineRow& row) {
    QStringList said;
    for (const session::Field* field : session::differingFields(RunSpec(), spec)) {
        if (editors::isOwnToARun(*field) || field->key == "engine.devices") continue;
        said += editors::labelOf(*field) + QLatin1Char(' ') + editors::shownValue(*field, field->get(spec));
    }
    row.settings = said.isEmpty() ? LineWords::tr("defaults") : said.join(QStringLiteral(" · "));
    row.detail = said.join(QLatin1Char('\n'));
}

LineRow startingRow(const queue::BegunRun& entry) {
    LineRow row;
    row.kind = LineRow::Kind::kStarting;
    row.number = entry.number;
    row.name = QString::fromStdString(entry.name);
    row.state = LineWords::tr("Starting");
    row.model = row.rows = row.settings = row.time = models::nothingText();
    return row;
}

LineRow rowOf(const QueueView::Begun& begun) {
    if (begun.isStarting) return startingRow(begun.entry);
    const runs::StoredRun& run = *begun.run;
    LineRow row;
    row.kind = LineRow::Kind::kUnderWay;
    row.number = begun.entry.number;
    row.folder = run.folder;
    row.name = QString::fromStdString(run.name);
    row.isSilent = models::silentSeconds(run) > 0;
    row.state = row.isSilent         ? models::stateText(run)
                : run.totalSteps > 0 ? LineWords::tr("Step %1 of %2").arg(run.steps).arg(run.totalSteps)
                                     : models::stateText(run);
    row.model = QString::fromStdString(run.model);
    if (begun.spec) {
        row.model = lastPart(begun.spec->model.path);
        row.rows = rowsText(*begun.spec);
        saySettings(*begun.spec, row);
    }
    const double left = begun.secondsLeft();
    row.time = left > 0 ? LineWords::tr("%1 left").arg(translations::durationText(left)) : models::nothingText();
    return row;
}

LineRow rowOf(const queue::QueuedRun& run) {
    LineRow row;
    row.kind = LineRow::Kind::kWaiting;
    row.number = run.number;
    row.name = QString::fromStdString(run.spec.name);
    row.state = LineWords::tr("Waits");
    row.model = lastPart(run.spec.model.path);
    row.rows = rowsText(run.spec);
    row.time = models::durationText(run.expectedSeconds);
    saySettings(run.spec, row);
    return row;
}

// Its words stand where a run's settings do, and whole in `problem`.
LineRow unreadableRow(const queue::QueuedRun& run) {
    LineRow row;
    row.kind = LineRow::Kind::kWaiting;
    row.number = run.number;
    row.name = run.spec.name.empty() ? LineWords::tr("Run %1").arg(run.number) : QString::fromStdString(run.spec.name);
    row.state = LineWords::tr("Can't be read");
    row.model = row.rows = row.time = models::nothingText();
    row.settings = QString::fromStdString(run.problem);
    row.problem = QString::fromStdString(run.problem + "\n" + run.advice).trimmed();
    row.detail = row.problem;
    return row;
}

// "cuda:0@4090@20GiB" is GPU 0; described rigs say no number.
QString deviceText(const std::string& device) {
    const std::string name = device.substr(0, device.find('@'));
    if (name.starts_with("cpu")) return LineWords::tr("processor");
    const std::size_t colon = name.find(':');
    return colon == std::string::npos ? QString::fromStdString(name)
                                      : translations::deviceText(true, std::atoi(name.c_str() + colon + 1));
}

} // namespace

QString devicesText(const std::vector<std::vector<std::string>>& devicesOfRuns) {
    std::set<QString> devices;
    for (const std::vector<std::string>& ofRun : devicesOfRuns)
        for (const std::string& device : ofRun) {
            if (device == "auto") return LineWords::tr("all devices");
            devices.insert(deviceText(device));
        }
    if (devices.empty()) return LineWords::tr("all devices");
    return QStringList(devices.begin(), devices.end()).join(QStringLiteral(", "));
}

QString expectedText(const std::vector<double>& seconds) {
    double known = 0;
    for (const double one : seconds)
        known += one;
    if (known == 0) return {};
    const bool isAll = std::ranges::find(seconds, 0.0) == seconds.end();
    return (isAll ? LineWords::tr("about %1") : LineWords::tr("more than %1")).arg(translations::durationText(known));
}

std::vector<LineRow> lineRowsOf(const QueueView& view) {
    std::vector<LineRow> runs, unreadable;
    std::vector<std::vector<std::string>> devices;
    std::vector<double> seconds;
    for (const QueueView::Begun& begun : view.begun)
        if (begun.isUnderWay() || begun.isStarting) {
            runs.push_back(rowOf(begun));
            devices.push_back(begun.devices());
            seconds.push_back(-1);
        }
    for (const queue::QueuedRun& run : view.waiting) {
        if (!run.isReadable()) {
            unreadable.push_back(unreadableRow(run));
            continue;
        }
        runs.push_back(rowOf(run));
        devices.push_back(run.spec.engine.devices);
        seconds.push_back(run.expectedSeconds);
    }
    std::vector<LineRow> rows;
    int number = 0;
    const auto addHeading = [&](QStringList words) {
        words.removeAll(QString());
        LineRow& heading = rows.emplace_back();
        heading.line = number;
        heading.name = words.join(QStringLiteral(" · "));
    };
    const auto waitText = [](std::size_t count) {
        return LineWords::tr("%n wait(s)", nullptr, static_cast<int>(count));
    };
    const auto add = [&](const LineRow& row) { rows.emplace_back(row).line = number; };
    for (const std::vector<std::size_t>& line : queue::linesOf(devices)) {
        std::vector<std::vector<std::string>> theirs;
        std::vector<double> theirSeconds;
        for (const std::size_t run : line) {
            theirs.push_back(devices[run]);
            if (seconds[run] >= 0) theirSeconds.push_back(seconds[run]);
        }
        addHeading({LineWords::tr("On %1").arg(devicesText(theirs)),
                    theirSeconds.empty() ? LineWords::tr("nothing waits") : waitText(theirSeconds.size()),
                    expectedText(theirSeconds)});
        for (const std::size_t run : line)
            add(runs[run]);
        ++number;
    }
    if (!unreadable.empty()) addHeading({LineWords::tr("Not readable by this version"), waitText(unreadable.size())});
    std::ranges::for_each(unreadable, add);
    return rows;
}

} // namespace roundpipe::ui::pages
