// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/error.h"
#include "base/file.h"
#include "base/log.h"
#include "base/secrets.h"
#include "testing/fixtures.h"

#include <gtest/gtest.h>

#include <cerrno>
#include <string>
#include <utility>

namespace roundpipe {
namespace {

TEST(Secrets, ofAddressesAreHidden) {
    for (const auto& [text, told] : {
             std::pair{"https://me:secret@host/a?b=1", "https://(hidden)@host/a?b=1"},
             {"/runs/a/https:/me:secret@host/model", "/runs/a/https:/(hidden)@host/model"},
             {"'https://secret@host'", "'https://(hidden)@host'"},
             {"https://me:se@cret@host/x@y", "https://(hidden)@host/x@y"},
             {"https://host/a?token=secret&b=1#c", "https://host/a?token=(hidden)&b=1#c"},
             {"\"https://host?b=1&X-Amz-Signature=secret\"", "\"https://host?b=1&X-Amz-Signature=(hidden)\""},
             {"https://host?b=1&amp;api_key=secret<br>", "https://host?b=1&amp;api_key=(hidden)<br>"},
             {"two: a://b:secret@c and d://e:secret@f", "two: a://(hidden)@c and d://(hidden)@f"},
             {"with hf_secretSECRETsecret012 in it", "with hf_(hidden) in it"},
         })
        EXPECT_EQ(withoutSecrets(text), told);
}

// Made up, of the lengths and letters of real ones.
const std::string kLetters = "aB3dEfGh1jKlMnOpQrStUvWx";

TEST(Secrets, ofServicesAreKnownByTheirMarks) {
    const std::string longer = kLetters + kLetters;
    for (const auto& [mark, rest] : {
             std::pair{std::string("hf_"), kLetters},
             {"sk-", kLetters},
             {"sk-", "proj-" + longer},
             {"sk-", "ant-api03-" + kLetters + "_x-" + kLetters},
             {"ghp_", longer.substr(0, 36)},
             {"gho_", longer.substr(0, 36)},
             {"ghs_", longer.substr(0, 36)},
             {"github_pat_", kLetters + "_" + kLetters},
             {"glpat-", longer.substr(0, 20)},
             {"xoxb-", "123456789012-123456789012-" + kLetters},
             {"xoxp-", "123456789012-" + kLetters},
             {"AKIA", "IOSFODNN7EXAMPLE"},
             {"AIza", longer.substr(0, 35)},
             {"eyJ", "hbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0." + kLetters},
             {"password=", "hunter2"},
             {"password=", "correcthorsebatterystaple"},
             {"PGPASSWORD=", "hunter2"},
             {"api_key=", kLetters},
             {"{\"api_key\": \"", kLetters},
             {"{\"token\":\"", "abc12345"},
             {"{\\\"password\\\": \\\"", "hunter2"},
             {"Authorization: Bearer ", kLetters},
         })
        for (const char* const end : {"", " ", "\" and so on", "'."})
            EXPECT_EQ(withoutSecrets("a " + mark + rest + end), "a " + mark + "(hidden)" + end);
    EXPECT_EQ(withoutSecrets("--prompt-template is 'xhf_" + kLetters + "'"), "--prompt-template is 'xhf_(hidden)'");
    EXPECT_EQ(withoutSecrets("//me:secret@host/rows"), "//(hidden)@host/rows");
    EXPECT_EQ(withoutSecrets("-----BEGIN PRIVATE KEY-----\nMIIE\n-----END PRIVATE KEY-----"),
              "-----BEGIN PRIVATE KEY-----(hidden)-----END PRIVATE KEY-----");
    for (const std::string& text : {"hf_" + kLetters, std::string("password=hunter2 //a:b@c"), "api_key: " + kLetters,
                                    "token = " + kLetters, std::string("-----BEGIN PRIVATE KEY-----")}) {
        EXPECT_TRUE(holdsSecret(text));
        EXPECT_FALSE(holdsSecret(withoutSecrets(text))) << "what is hidden is no secret any more";
    }
}

// The rule of base/secret_forms.h: {what stands before, the secret, what follows}.
TEST(Secrets, behindANameAreKnownByLengthAndMix) {
    struct Case {
        const char *before, *secret, *after;
    };
    for (const Case& one : {
             Case{"api_key: ", "abcdef0123456789", ""},
             {"api_key: ", "abcdef0123456789", "\nmodel: small\n"},
             {"api_key:   ", "abcdef0123456789", "  # mine"},
             {"api_key:", "abcdef0123456789", ""},
             {"Our api-key: ", "abcdef0123456789", " is old"},
             {"token: ", "9f86d081884c7d659a2feaa0c55ad015", ""},
             {"gitlab_token: ", "abcdefABCDEF0123", ""},
             {"client_secret: '", "abcd1234", "'"},
             {"secret: \"", "abcd1234", "\""},
             {"password: ", "hunter2", ""},
             {"password: ", "hunter2", "\r\nuser: me"},
             {"password: ", "hunter2", "\\nuser: me"},
             {"password: ", "pass!word", " # comment"},
             {"Passwort: ", "Sommer2024", ""},
             {"Kennwort: ", "M\u00fcller2024", ""},
             {"password: ", "84920175", ""},
             {"password = '", "hunter2", "'"},
             {"password == '", "hunter2", "'"},
             {"password := \"", "hunter2", "\""},
             {"'password' => '", "hunter2", "'"},
             {"API_KEY = ", "abcdef0123456789", ""},
             {"export API_KEY=", "abc12345", ""},
             {"db password=\"", "Tr0ub4dor&3", "\""},
             {"{\"user\":\"bob\",\"password\":\"", "Tr0ub4dor;3", "\"}"},
             {"password='", "kL2m(n4P9", "'"},
             {"password=\"", "12345678&90", "\" and more"},
             {"api_key=\"", "Zx9(kL2)mN4q8", "\""},
             {"SECRET_KEY = '", "x7&2k(q!9@z#m$p%w^r*t", "'"},
             {"{\\\"password\\\": \\\"", "Tr0ub,4dor", "\\\"}"},
             {"password: ", "Tr0ub4dor&3", ""},
             {"DB_PASSWORD=", "xK9|mP2qR7sT", " psql"},
             {"password=", "hunter2", ", user=me"},
             {"password=", "hunter2", ";host=there"},
             {"MYSQL_PASSWORD=", "hunter2", " mysql"},
             {"login(password=", "hunter2", ")"},
             {"password=", "hunter2", "\uff0c\u8fd9\u662f\u4ec0\u4e48"},
             {"secret=", "zqxjkvbpwmfhgydt", ""},
             {"secret=", "aQzXjKvBpWmFhGyD", ""},
             {"token=", "abc12345", ""},
             {"https://example.com/a?token=", "abc123", "&b=1"},
             {"https://example.com/a?key=", "AB12cd34EF", ""},
             {"https://example.com/a?sv=1&sig=", "aB3%2Fx9z0", ""},
             {"https://example.com/a?AWSAccessKeyId=", "ABCDEF", ""},
             {"-----BEGIN RSA PRIVATE KEY-----", "", ""},
             {"-----BEGIN PRIVATE KEY-----(hidden)-----END PRIVATE KEY-----\n-----BEGIN PRIVATE KEY-----", "\nMIIE",
              "-----END PRIVATE KEY-----"},
             {"-----BEGIN PGP PRIVATE KEY BLOCK-----", "\nlQOYBF", ""},
             {"-----BEGIN OPENSSH PRIVATE KEY-----", "\\nb3BlbnNz", ""},
         })
        EXPECT_EQ(withoutSecrets(std::string(one.before) + one.secret + one.after),
                  std::string(one.before) + "(hidden)" + one.after);
}

TEST(Secrets, behindANameAreNoneThatAWordOrCodeCouldBe) {
    for (const char* const text : {
             "https://example.com/a?token=cls",
             "https://example.com/a?token=",
             "https://example.com/a?token=<token>",
             "https://example.com/a?token={token}",
             "https://example.com/a?api_key=YOUR_API_KEY",
             "https://example.com/a?keyword=transformers2024",
             "https://example.com/a?design=abcdef0123",
             "https://example.com/a?max_tokens=1234567",
             "https://example.com/a?key=animals",
             "token=cls",
             "if (token == TokenType::RightParen2) return parse();",
             "if (token == Token::Sha256Hash) break;",
             "password='(your password 1)'",
             "token: the first word",
             "token: [CLS]",
             "token: 151643",
             "Price of a token: 12345678",
             "password=secret",
             "password=getpass",
             "password=correct-horse-battery-staple",
             "password: must contain a digit",
             "password: sha256 of it",
             "password: str = None",
             "password=sha256(text)",
             "password = base64decode2[0]",
             "password=password123",
             "password=YOUR_PASSWORD_1",
             "password=xxxxxxxx",
             "password=********",
             "password: 12345",
             "password=$PASSWORD_2",
             "password=%PASSWORD_2%",
             "password={password_2}",
             "password: <8characters>",
             "token=CancellationTokenSource",
             "token=getTokenFromEnvironment",
             "token = next2words",
             "secret: see https://example.com/page2",
             "secret: https://example.com/page2/of/3",
             "secret=./secrets/key1.pem",
             "secret=~/keys/key1.pem",
             "api_key: string",
             "api_key=12345678",
             "if (token == other2) return",
             "token != abcdef0123456789",
             "password=\u5bc6\u7801\u662f\u4ec0\u4e48\u610f\u601d\u5462",
             "What is -----BEGIN CERTIFICATE-----?",
             "-----BEGIN PUBLIC KEY-----",
         })
        EXPECT_EQ(withoutSecrets(text), text);
}

TEST(Secrets, wordsAndCodeThatOnlyNameOneAreNone) {
    for (const char* const text : {"my password is weak",
                                   "Is password=1234 a good one?",
                                   "Forgot the password? Write: password reset",
                                   "def login(user, password=None): connect(password=password, token=token)",
                                   "os.environ[\"API_KEY\"]",
                                   "{\"eos_token\": \"<|endoftext|>\", \"pad_token\": \"<pad>\", \"max_tokens\": 512}",
                                   "{\"password\": \"{password}\", \"secret\": \"$SECRET\"}",
                                   "data.columns=prompt=question,token=text",
                                   "sk-learn-for-classification-of-texts-2",
                                   "task-force-with-a-very-long-name-1234567890123",
                                   "risk-1234567890abcdefghij",
                                   "ghp_short",
                                   "a glpat-",
                                   "AKIAMANY",
                                   "MAKIAIOSFODNN7EXAMPLE",
                                   "eyJ.eyJ.a",
                                   "the bearer of good news and internationalization",
                                   "// see a: b@c",
                                   "PWD=/srv/me/work",
                                   "token=/etc/x1234567",
                                   "What is a private key?",
                                   "/models/sk-7b/step-0001",
                                   "llama_hf_instruct"})
        EXPECT_EQ(withoutSecrets(text), text);
}

TEST(Secrets, nothingElseIsHidden) {
    for (const char* const text :
         {"", "https://host/a?b=1&c=2", "/home/a@b/c", "/a:/b@c/d", "a@b.c", "hf:org/name", "hf_hub",
          "What? A token=1 is no address", "://", "?", "a://", "x://@y", "?token", "my_hf_0123456789abcdef0123"})
        EXPECT_EQ(withoutSecrets(text), text);
}

TEST(Secrets, standInNoErrorAndInNoLog) {
    const Error error(ErrorKind::kIo, "Cannot open 'https://me:secret@host'.",
                      "Try https://host?token=secret instead.");
    for (const std::string& text : {std::string(error.what()), error.message(), error.advice()})
        EXPECT_EQ(text.find("secret"), std::string::npos) << text;
    const testing::TemporaryFolder folder;
    log::openFile(folder.path() / "log");
    log::info("reading https://me:secret@host");
    log::closeFile();
    EXPECT_NE(readTextFile(folder.path() / "log").find("reading https://(hidden)@host"), std::string::npos);
}

TEST(IoError, advisesByWhatIsInTheWay) {
    const auto adviceOn = [](int number) { return ioError("write", "a", number).advice(); };
    EXPECT_NE(adviceOn(EACCES).find("Permission is lacking"), std::string::npos);
    EXPECT_NE(adviceOn(EROFS).find("mounted read-only"), std::string::npos);
    EXPECT_NE(adviceOn(EIO).find("The disk"), std::string::npos);
    for (const int full : {ENOSPC, EDQUOT}) {
        EXPECT_NE(adviceOn(full).find("Free some disk space"), std::string::npos);
        EXPECT_EQ(ioError("write", "a", full).kind(), ErrorKind::kNoSpace);
    }
    EXPECT_EQ(ioError("write", "a", EROFS).kind(), ErrorKind::kIo);
    EXPECT_EQ(adviceOn(ENOENT), "");
}

} // namespace
} // namespace roundpipe
