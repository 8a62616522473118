// SPDX-License-Identifier: GPL-3.0-or-later
// roundpipe hub: models and datasets of Hugging Face's Hub, looked for, fetched, listed. Nothing else here goes to the
// network, but for names that begin with hf: where a model or a file is named.
#include "hub/about/hub_settings.h"

#include "base/error.h"
#include "base/units.h"
#include "commands.h"
#include "console/print_json.h"
#include "console/table.h"
#include "exit_codes.h"
#include "hub/fetch_names.h"
#include "hub/search.h"
#include "hub/store/cached_repositories.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <memory>
#include <utility>
#include <vector>

namespace roundpipe::cli {
namespace {

using Json = nlohmann::ordered_json;
using Align = Table::Align;
using session::HubHit;
using session::HubKind;

constexpr const char* kDatasetHelp = "A dataset, not a model.";

HubKind kindOf(bool dataset) {
    return dataset ? HubKind::kDataset : HubKind::kModel;
}

std::string asCount(int64_t number) {
    return number > 0 ? formatCount(static_cast<double>(number)) : "";
}

void print(const std::vector<HubHit>& hits) {
    Table table({{"name", Align::kLeft},
                 {"type", Align::kLeft},
                 {"parameters"},
                 {"downloads"},
                 {"likes"},
                 {"changed", Align::kLeft},
                 {"licence", Align::kLeft},
                 {"", Align::kLeft}});
    for (const HubHit& hit : hits)
        table.addRow({"hf:" + hit.repository, hit.modelType, asCount(hit.numParameters), asCount(hit.numDownloads),
                      asCount(hit.numLikes), hit.changed, hit.licence, hit.isGated ? "gated" : ""});
    fmt::print("{}", table.text());
}

Json jsonOf(const HubHit& hit) {
    return {{"repository", hit.repository},  {"model_type", hit.modelType}, {"parameters", hit.numParameters},
            {"downloads", hit.numDownloads}, {"likes", hit.numLikes},       {"changed", hit.changed},
            {"licence", hit.licence},        {"gated", hit.isGated}};
}

CommandBody addSearch(CLI::App& app) {
    struct Options {
        std::vector<std::string> words;
        bool dataset = false, json = false;
        int limit = 20;
    };
    const auto options = std::make_shared<Options>();
    app.add_option("words", options->words, "Parts of the name.")->required();
    app.add_flag("--dataset", options->dataset, "Look for datasets, not for models.");
    app.add_option("--limit", options->limit, "How many at most. (20)")->check(CLI::Range(1, 100));
    app.add_flag("--json", options->json, "Print one JSON list.");
    return [options] {
        const hub::HubSettings settings = hub::HubSettings::ofUser();
        const std::string words = fmt::format("{}", fmt::join(options->words, " "));
        const std::vector<HubHit> hits = hub::search(settings, kindOf(options->dataset), words, options->limit);
        if (options->json) {
            Json list = Json::array();
            for (const HubHit& hit : hits)
                list.push_back(jsonOf(hit));
            printJson(list);
        } else if (hits.empty()) {
            fmt::print("'{}' has no {} with '{}' in its name{}.\n", settings.host(),
                       spellingOf(kindOf(options->dataset)), words, options->dataset ? "" : " and safetensors");
        } else {
            print(hits);
        }
        return static_cast<int>(kSuccess);
    };
}

CommandBody addFetch(CLI::App& app) {
    struct Options {
        std::vector<std::string> names;
        bool dataset = false, json = false;
    };
    const auto options = std::make_shared<Options>();
    app.add_option("names", options->names,
                   "hf:OWNER/NAME of a model; with --dataset hf:OWNER/NAME[/SUBSET][:SPLIT]. @REVISION behind the name "
                   "chooses a branch, a tag or a commit.")
        ->required();
    app.add_flag("--dataset", options->dataset, kDatasetHelp);
    app.add_flag("--json", options->json, "Print one JSON list.");
    return [options] {
        Json list = Json::array();
        for (const std::string& name : options->names) {
            const session::HubFetched fetched = fetchName(kindOf(options->dataset), name);
            list.push_back({{"name", fetched.name},
                            {"folder", fetched.folder},
                            {"files", fetched.files},
                            {"other_splits", fetched.otherSplits},
                            {"bytes", fetched.bytes},
                            {"bytes_fetched", fetched.bytesFetched}});
            if (options->json) continue;
            if (!options->dataset) fmt::print("{}\n", fetched.folder);
            if (options->dataset) fmt::print("{}\n", fmt::join(fetched.files, "\n"));
            if (!fetched.otherSplits.empty())
                fmt::print(stderr, "Other splits: {}\n", fmt::join(fetched.otherSplits, ", "));
        }
        if (options->json) printJson(list);
        return static_cast<int>(kSuccess);
    };
}

CommandBody addList(CLI::App& app) {
    const auto json = std::make_shared<bool>(false);
    app.add_flag("--json", *json, "Print one JSON list.");
    return [json] {
        const hub::HubSettings settings = hub::HubSettings::ofUser();
        Json list = Json::array();
        Table table({{"name", Align::kLeft}, {"kind", Align::kLeft}, {"size"}, {"not whole"}, {"commits"}});
        for (const hub::CachedRepository& one : hub::cachedRepositories(settings.cache)) {
            list.push_back({{"repository", one.repository},
                            {"kind", spellingOf(one.kind)},
                            {"commits", one.commits},
                            {"bytes", one.bytes},
                            {"incomplete_bytes", one.incompleteBytes}});
            table.addRow({"hf:" + one.repository, spellingOf(one.kind), formatBytes(one.bytes),
                          one.incompleteBytes > 0 ? formatBytes(one.incompleteBytes) : "",
                          std::to_string(one.commits.size())});
        }
        if (*json)
            printJson(list);
        else if (list.empty())
            fmt::print("The cache '{}' is empty.\n", settings.cache.string());
        else
            fmt::print("{}\nin '{}'\n", table.text(), settings.cache.string());
        return static_cast<int>(kSuccess);
    };
}

CommandBody addAbout(CLI::App& app) {
    const auto offline = std::make_shared<std::string>();
    app.add_option("--offline", *offline, "on: use only what is in the cache, from now on; off: the network again.")
        ->check(CLI::IsMember({"on", "off"}));
    return [offline] {
        if (!offline->empty()) hub::saveOffline(*offline == "on");
        const session::HubAbout about = hub::HubSettings::ofUser().withKeyring().about();
        fmt::print("host     {}\n", about.host);
        fmt::print("cache    {}\n", about.cache);
        fmt::print("token    {}\n", about.tokenFrom.empty() ? "none" : "from " + about.tokenFrom);
        fmt::print("network  {}\n", about.isOffline ? "not used, by " + about.offlineFrom : "used when asked");
        return static_cast<int>(kSuccess);
    };
}

} // namespace

CommandBody addHubCommand(CLI::App& app) {
    app.require_subcommand(1);
    std::vector<std::pair<CLI::App*, CommandBody>> commands;
    const auto add = [&](const char* name, const char* help, CommandBody (*make)(CLI::App&)) {
        CLI::App* sub = app.add_subcommand(name, help);
        commands.emplace_back(sub, make(*sub));
    };
    add("search", "Look for models or datasets by parts of their names.", addSearch);
    add("fetch", "Bring models, or the split of a dataset, into Hugging Face's cache.", addFetch);
    add("list", "Show what that cache holds; the Hub is not asked.", addList);
    add("about", "Show which server, cache and token are used, and whether the network is.", addAbout);
    return [commands] {
        for (const auto& [sub, command] : commands)
            if (sub->parsed()) return command();
        return static_cast<int>(kInvalidInput);
    };
}

} // namespace roundpipe::cli
