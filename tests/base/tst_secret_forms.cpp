// SPDX-License-Identifier: GPL-3.0-or-later
// What is a secret and what only looks like one, in tables. All of them are made up.
#include "base/secrets.h"

#include <gtest/gtest.h>

#include <string>

namespace roundpipe {
namespace {

// What stands before, the secret, what follows.
struct Held {
    const char *before, *secret, *after;
};
constexpr Held kHeld[] = {
    // given to programs
    {"curl -u user:", "pass", ""},
    {"curl -u user:", "pass", " https://host/a"},
    {"curl -u admin:", "hunter2", " -X POST https://host/a"},
    {"Run `curl -u me:", "Tr0ub4dor&3", "` first"},
    {"curl -s -L -u me:", "swordfish", " -o out.bin https://host/a"},
    {"curl -ume:", "hunter2", " https://host/a"},
    {"curl -u 'me:", "hunter2", "' https://host/a"},
    {"curl -u \"me:", "two words", "\" https://host/a"},
    {"{\"prompt\": \"curl -u \\\"me:", "two words", "\\\" https://host\"}"},
    {"curl --user me:", "hunter2", " https://host/a"},
    {"curl --user=me:", "hunter2", " https://host/a"},
    {"curl -x proxy:3128 -U me:", "hunter2", " https://host/a"},
    {"curl --proxy-user me:", "hunter2", " https://host/a"},
    {"curl https://host/a \\\n  -u me:", "hunter2", ""},
    {"/usr/bin/curl -u me:", "hunter2", "."},
    {"mysql -p", "PASS", ""},
    {"mysql -u root -p", "hunter2", " shop"},
    {"mysql -uroot -p", "swordfish", " < dump.sql"},
    {"mysql -u root -p'", "two words", "' shop"},
    {"mysql -h db -p\"", "Tr0ub4dor;3", "\""},
    {"mysqldump -u me -p", "Sommer2024", " shop > dump.sql"},
    {"mysqladmin -p", "hunter2", " status"},
    {"mariadb -u me -p", "hunter2", ""},
    {"sshpass -p ", "hunter2", " ssh me@host"},
    {"sshpass -p'", "hunter 2", "' ssh me@host"},
    {"cd /srv && mysql -p", "hunter2", " && echo done"},
    // in quotes, with blanks
    {"password=\"", "a b c", "\""},
    {"password='", "correct horse battery staple", "'"},
    {"password: \"", "correct horse battery staple", "\""},
    {"{\"password\": \"", "my dog is 9", "\", \"port\": 1}"},
    {"{\\\"password\\\": \\\"", "my dog is 9", "\\\"}"},
    {"DB_PASSWORD=\"", "Rain in Spain, 1964!", "\" ./start"},
    {"passphrase = '", "seven lazy brown dogs", "'"},
    {"password=\"", "my pass, word1", "\""},
    // names with a colon
    {"api_key: ", "ABC123DEF456", ""},
    {"api_key: ", "ABC123DEF456", " is what I use"},
    {"API_KEY: ", "abc12345", "\nmodel: small"},
    {"apiKey: ", "Zx9kL2mN", ""},
    {"X-Api-Key: ", "0a1b2c3d4e", ""},
    {"secret_key: ", "ABCDEFGHIJKLMNOPQRSTUV", ""},
    {"access_token: ", "q1w2e3r4t5", ""},
    {"openai_api_key : ", "q1w2e3r4t5y6", ""},
    {"Authorization: Basic ", "bWU6aHVudGVyMg==", ""},
    {"curl -H 'authorization: basic ", "bWU6aHVudGVyMg==", "'"},
    // heads of keys, with or without what follows
    {"-----BEGIN PRIVATE KEY-----", "", ""},
    {"This is it: -----BEGIN EC PRIVATE KEY-----", "", ""},
    {"-----BEGIN ENCRYPTED PRIVATE KEY-----", "", ""},
    {"-----BEGIN DSA PRIVATE KEY-----", "\nMIIBuwIBAAKBgQ", ""},
    {"-----BEGIN OPENSSH PRIVATE KEY-----", "\\nb3BlbnNzaC1rZXk", ""},
};
static_assert(std::size(kHeld) >= 40);

TEST(SecretForms, whatIsOneIsHidden) {
    for (const Held& one : kHeld) {
        const std::string text = std::string(one.before) + one.secret + one.after;
        const std::string shown = std::string(one.before) + "(hidden)" + one.after;
        EXPECT_EQ(withoutSecrets(text), shown);
        EXPECT_EQ(withoutSecrets(shown), shown) << "what is hidden is no secret any more";
    }
}

constexpr const char* kNone[] = {
    // code and words behind a name
    "password=base64.b64decode(...)",
    "password=base64.b64decode(os.environ['P'])",
    "password = base64.b64decode(encoded).decode()",
    "password=request2.form.password",
    "db_password=cfg2.password",
    "password=getpass.getpass()",
    "password=config.get(\"db\", \"password\")",
    "password=settings.DATABASE_PASSWORD",
    "connect(user=user, password=password, host=host)",
    "password=args.password, timeout=30",
    "password=hashlib.sha256(text).hexdigest()",
    "password=os.environ[\"DB_PASSWORD\"]",
    "password=secrets.token_urlsafe(16)",
    "password=None",
    "password=input(\"Your password: \")",
    "query = \"WHERE password='\" + password + \"' AND name='\" + name + \"'\"",
    "sql = \"password='%s' and name='%s'\" % (p, n)",
    "f\"password='{password} {salt}'\"",
    "password=\"\"",
    "password=\"Enter your new password\"",
    "password='at least 8 characters'",
    "{\"password\": \"what the user types\"}",
    "{\"password\": \"The account's pass phrase\"}",
    "{\"password\": \"must contain a digit\"}",
    "<input type=\"password\" name=\"a b\" class=\"c d\">",
    "password: what is it?\nname: \"a b\"",
    // addresses
    "https://host/a?token=cls",
    "https://huggingface.co/docs?token=cls#pooling",
    "https://host/a?token=pad&b=1",
    "https://host/a?key=value",
    "https://host/a?sort=token",
    // programs and options that are spoken of
    "curl -u $USER:$PASSWORD https://host",
    "curl -u \"${USER}:${TOKEN}\" https://host",
    "curl -u <user>:<password> https://host",
    "curl -u user:password https://host",
    "curl -u username:YOUR_TOKEN https://host",
    "curl -u {user}:{password} https://host",
    "curl -u me: https://host",
    "curl -u me https://host:8080/a",
    "curl -o a:b https://host",
    "curl https://host:443/a",
    "curl's -u option takes a name:word",
    "What does curl -u do?",
    "diff -u a:b c:d",
    "docker run -u 1000:1000 image",
    "mysql -u root -p",
    "mysql -u root -p, then type it",
    "mysql -u root -p < dump.sql",
    "mysql -p; echo done",
    "mysql -p|less",
    "mysql -p$PASSWORD shop",
    "mysql -p\"$PASSWORD\" shop",
    "mysql -p<password> shop",
    "mysql -P 3306 --protocol=tcp",
    "mkdir -p mysql/data",
    "mkdir -pv a; mysql -e 'select 1'",
    "sshpass -p \"$PASS\" ssh host",
    "ssh -p 2222 host",
    "the mysql server -- port 3306",
    // names with a colon
    "api_key: string",
    "secret_key = s3_connection",
    "secret_key = s3_example_simple",
    "private_key: ed25519.Ed25519PrivateKey,",
    "api_key: your key of the service",
    "api_key: the 2nd argument",
    "api_key: Optional[str] = None",
    "token: 2 of them",
    "The secret: practise every day",
    "Authorization: Basic authentication is old",
    "Authorization: Basic <credentials>",
    // keys that are none
    "-----BEGIN PUBLIC KEY-----",
    "-----BEGIN CERTIFICATE-----",
    "A PRIVATE KEY----- without its head",
    "How do I make a private key?",
};
static_assert(std::size(kNone) >= 40);

TEST(SecretForms, whatOnlyLooksLikeOneStays) {
    for (const char* const text : kNone)
        EXPECT_EQ(withoutSecrets(text), text);
}

} // namespace
} // namespace roundpipe
