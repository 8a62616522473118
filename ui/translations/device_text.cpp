// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/translations/device_text.h"

#include <QCoreApplication>

namespace roundpipe::ui::translations {

QString deviceText(bool isGpu, int32_t device) {
    return (isGpu ? QCoreApplication::translate("Device", "GPU %1")
                  : QCoreApplication::translate("Device", "Worker %1"))
        .arg(device);
}

QString deviceText(const std::string& name, int32_t device) {
    const bool isWorker = name.starts_with("cpu:") || name.find("CPU worker") != std::string::npos;
    return deviceText(!isWorker, device);
}

} // namespace roundpipe::ui::translations
