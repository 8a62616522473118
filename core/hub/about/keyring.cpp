// SPDX-License-Identifier: GPL-3.0-or-later
#include "hub/about/keyring.h"

#include "base/library_function.h"

#include <cstdlib>
#include <dlfcn.h>
#include <filesystem>

namespace roundpipe::hub {
namespace {

// As libsecret and GLib declare them; what they point to is theirs.
struct GList {
    void* data;
    GList *next, *previous;
};
using Hash = unsigned(const void*);
using Equal = int(const void*, const void*);

constexpr int kSearchAll = 1 << 1, kLoadSecrets = 1 << 3; // of SecretSearchFlags

// libsecret and, through it, GLib. Never unloaded: GLib has threads of its own once it talked to the bus.
class SecretLibrary {
public:
    static const SecretLibrary* get() {
        static const SecretLibrary library;
        return library.m_isWhole ? &library : nullptr;
    }

    void* (*newTable)(Hash*, Equal*) = nullptr;
    int (*insert)(void*, void*, void*) = nullptr;
    void (*freeTable)(void*) = nullptr;
    Hash* hashOfText = nullptr;
    Equal* equalTexts = nullptr;
    GList* (*search)(void*, const void*, void*, int, void*, void**) = nullptr;
    void* (*secretOf)(void*) = nullptr;
    const char* (*bytesOf)(void*, std::size_t*) = nullptr;
    void (*freeSecret)(void*) = nullptr;
    void (*freeObject)(void*) = nullptr;
    void (*freeList)(GList*) = nullptr;
    void (*freeError)(void*) = nullptr;

private:
    SecretLibrary() {
        m_handle = ::dlopen("libsecret-1.so.0", RTLD_NOW | RTLD_LOCAL);
        m_isWhole =
            m_handle != nullptr && bindFunction(m_handle, "g_hash_table_new", newTable) &&
            bindFunction(m_handle, "g_hash_table_insert", insert) &&
            bindFunction(m_handle, "g_hash_table_unref", freeTable) &&
            bindFunction(m_handle, "g_str_hash", hashOfText) && bindFunction(m_handle, "g_str_equal", equalTexts) &&
            bindFunction(m_handle, "secret_service_search_sync", search) &&
            bindFunction(m_handle, "secret_item_get_secret", secretOf) &&
            bindFunction(m_handle, "secret_value_get", bytesOf) &&
            bindFunction(m_handle, "secret_value_unref", freeSecret) &&
            bindFunction(m_handle, "g_object_unref", freeObject) && bindFunction(m_handle, "g_list_free", freeList) &&
            bindFunction(m_handle, "g_error_free", freeError);
    }

    void* m_handle = nullptr;
    bool m_isWhole = false;
};

// Without one GLib would start a bus for us.
bool hasBus() {
    const char* const address = std::getenv("DBUS_SESSION_BUS_ADDRESS");
    if (address != nullptr && *address != '\0') return true;
    const char* const folder = std::getenv("XDG_RUNTIME_DIR");
    std::error_code ignored;
    return folder != nullptr && std::filesystem::exists(std::filesystem::path(folder) / "bus", ignored);
}

std::optional<std::string> textOf(const SecretLibrary& library, void* item) {
    void* const secret = library.secretOf(item); // null of one that is locked
    if (secret == nullptr) return std::nullopt;
    std::size_t size = 0;
    const char* const bytes = library.bytesOf(secret, &size);
    std::string text(bytes, size);
    library.freeSecret(secret);
    return text;
}

} // namespace

std::optional<std::string> secretInKeyring(const std::string& host) {
    const SecretLibrary* const library = hasBus() ? SecretLibrary::get() : nullptr;
    if (library == nullptr) return std::nullopt;
    std::string names[] = {"protocol", "https", "server", host}; // GLib takes texts that it could change
    void* const attributes = library->newTable(library->hashOfText, library->equalTexts);
    library->insert(attributes, names[0].data(), names[1].data());
    library->insert(attributes, names[2].data(), names[3].data());
    void* error = nullptr;
    GList* const items = library->search(nullptr, nullptr, attributes, kSearchAll | kLoadSecrets, nullptr, &error);
    library->freeTable(attributes);
    if (error != nullptr) library->freeError(error); // no service: as good as an empty one

    std::optional<std::string> found;
    for (const GList* item = items; item != nullptr; item = item->next) {
        if (!found) found = textOf(*library, item->data);
        library->freeObject(item->data);
    }
    library->freeList(items);
    return found;
}

} // namespace roundpipe::hub
