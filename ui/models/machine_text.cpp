// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/machine_text.h"

#include "ui/translations/number_text.h"

#include <QCoreApplication>
#include <QStringList>

#include <fstream>
#include <map>
#include <string>

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

// As the NVIDIA driver lists them.
QStringList gpusOf(const std::filesystem::path& proc) {
    std::map<QString, int> counts;
    std::error_code failed;
    for (std::filesystem::directory_iterator gpu(proc / "driver/nvidia/gpus", failed), end; !failed && gpu != end;
         gpu.increment(failed))
        for (const QString& name : valuesOf("Model", gpu->path() / "information"))
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
    const QString memory = valuesOf("MemTotal", proc / "meminfo").value(0); // "131841856 kB"
    if (const qint64 kib = memory.section(QLatin1Char(' '), 0, 0).toLongLong(); kib > 0)
        parts.append(MachineWords::tr("%1 of memory").arg(translations::bytesText(kib * 1024)));
    return MachineWords::tr("This machine: %1").arg(parts.join(QStringLiteral(" · ")));
}

} // namespace roundpipe::ui::models
