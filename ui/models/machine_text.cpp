// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/machine_text.h"

#include "ui/translations/number_text.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>
#include <fstream>
#include <map>
#include <string>
#include <vector>

namespace roundpipe::ui::models {
namespace {

struct MachineWords { // the context of its translations
    Q_DECLARE_TR_FUNCTIONS(MachineText)
};

// What stands after each line's "key:".
QStringList valuesOf(const std::string& key, const std::filesystem::path& file) {
    QStringList values;
    std::ifstream in(file);
    for (std::string line; std::getline(in, line);) {
        const std::size_t colon = line.find(':');
        if (colon == std::string::npos || !line.starts_with(key)) continue;
        values.append(QString::fromStdString(line.substr(colon + 1)).trimmed());
    }
    return values;
}

// "131841856 kB" of a line of meminfo, in bytes; 0: it is not there.
int64_t memoryOf(const std::string& key, const std::filesystem::path& proc) {
    return valuesOf(key, proc / "meminfo").value(0).section(QLatin1Char(' '), 0, 0).toLongLong() * 1024;
}

QStringList gpusOf(const std::filesystem::path& proc) {
    std::map<QString, int> counts;
    for (const QString& name : gpuNames(proc))
        ++counts[name];
    QStringList gpus;
    for (const auto& [name, count] : counts)
        gpus.append(count == 1 ? name : MachineWords::tr("%1 × %2").arg(count).arg(name));
    return gpus;
}

} // namespace

QString machineText(const std::filesystem::path& proc) {
    QStringList parts = gpusOf(proc);
    if (parts.isEmpty()) parts.append(MachineWords::tr("no NVIDIA GPU (training uses the processor)"));
    if (const auto threads = static_cast<int>(valuesOf("processor", proc / "cpuinfo").size()); threads > 0)
        parts.append(MachineWords::tr("%n processor thread(s)", nullptr, threads));
    if (const int64_t memory = memoryOf("MemTotal", proc); memory > 0)
        parts.append(MachineWords::tr("%1 of memory").arg(translations::bytesText(memory)));
    // A line that is broken does not begin with the point.
    return MachineWords::tr("This machine: %1").arg(parts.join(QChar(QChar::Nbsp) + QStringLiteral("· ")));
}

QStringList gpuNames(const std::filesystem::path& proc) {
    std::vector<std::filesystem::path> gpus;
    std::error_code failed;
    for (std::filesystem::directory_iterator gpu(proc / "driver/nvidia/gpus", failed), end; !failed && gpu != end;
         gpu.increment(failed))
        gpus.push_back(gpu->path());
    std::ranges::sort(gpus);
    QStringList names;
    for (const std::filesystem::path& gpu : gpus)
        names += valuesOf("Model", gpu / "information");
    return names;
}

int64_t freeMemoryBytes(const std::filesystem::path& proc) {
    return memoryOf("MemAvailable", proc);
}

} // namespace roundpipe::ui::models
