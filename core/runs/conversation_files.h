// SPDX-License-Identifier: GPL-3.0-or-later
// Conversations that are kept: a file each, as session::conversationJson() writes it, named as the conversation is.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace roundpipe::runs {

struct KeptConversation {
    std::filesystem::path file;
    std::string name;      // the file's, without its ending
    int64_t changedAt = 0; // seconds since 1970
};

// Where conversations with such an adapter or model are kept: `conversations` in the folder of the run that it came
// from (RUN/adapter, RUN/checkpoints/best, RUN/model), else that of the user's own data. Makes nothing.
std::filesystem::path conversationsFolderOf(const std::filesystem::path& adapterOrModel);

// The latest first; files that hold something else are passed over. Empty where there is no such folder.
std::vector<KeptConversation> listConversations(const std::filesystem::path& folder);
// One that is not there yet, named after what was asked first.
std::filesystem::path newConversationFile(const std::filesystem::path& folder, const std::string& firstQuestion);
// Writes it; the folder is made where need be. Throws kIo, kNoSpace.
void keepConversation(const std::filesystem::path& file, const std::string& json);
// Where it lies from then on. Throws kInvalidInput for an empty name and one that another conversation has; kIo.
std::filesystem::path renameConversation(const std::filesystem::path& file, const std::string& name);
void removeConversation(const std::filesystem::path& file); // throws kIo

} // namespace roundpipe::runs
