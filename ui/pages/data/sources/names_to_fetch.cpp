// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/data/sources/names_to_fetch.h"

#include "session/spec/hub_prefix.h"

#include <algorithm>

namespace roundpipe::ui::pages {

std::vector<std::string> namesToFetch(const session::RunSpec& spec) {
    std::vector<std::string> names;
    const auto add = [&](const std::string& file) {
        if (session::isHubName(file) && std::ranges::find(names, file) == names.end()) names.push_back(file);
    };
    for (const session::DatasetSection& dataset : spec.data.datasets)
        std::ranges::for_each(dataset.files, add);
    add(spec.data.validationFile);
    return names;
}

bool isToValidateOn(const std::string& name, const session::RunSpec& spec) {
    return spec.data.validationFile == name;
}

void putFiles(const std::string& name, const std::vector<std::string>& files, session::RunSpec& spec) {
    for (session::DatasetSection& dataset : spec.data.datasets) {
        std::vector<std::string> all;
        for (const std::string& file : dataset.files)
            if (file == name)
                all.insert(all.end(), files.begin(), files.end());
            else
                all.push_back(file);
        dataset.files = std::move(all);
    }
    if (isToValidateOn(name, spec)) spec.data.validationFile = files.front();
}

} // namespace roundpipe::ui::pages
