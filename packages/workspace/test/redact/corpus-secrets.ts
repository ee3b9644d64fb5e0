// Secrets that were never anybody's: every value is put together here from words that say so, and never stands in this
// file as a whole, so that no scanner takes it for a leak.

const WORDS = "ExAmPle1mAdEuP2nOtReAl3fOrTeSt4";

/** Made-up characters of an alphabet, the same every time. */
function made(length: number, alphabet = WORDS): string {
  let out = "";
  for (let i = 0; out.length < length; i++) out += alphabet[(i * 7 + 3) % alphabet.length] ?? "";
  return out;
}

const HEX = "0f1e2d3c4b5a69788796a5b4c3d2e1f0";
const UPPER = "EXAMPLE2MADEUP3NOTREAL4FORTEST5";
const DIGITS = "1029384756";
const hex = (n: number): string => made(n, HEX);
const upper = (n: number): string => made(n, UPPER);
const digits = (n: number): string => made(n, DIGITS);
const join = (...parts: string[]): string => parts.join("");

/** A word of a password that no list has. */
const PLAIN = join("made", "Up", "4", "Test", "!x");
const VALUE = join("Fak3", "-", "V4lue", "-", "n0t", "-", "r34l");

export interface Secret {
  readonly name: string;
  /** What must not be left. */
  readonly secret: string;
  readonly text: string;
}

const of = (name: string, secret: string, around: (secret: string) => string = (s) => `value ${s} end`): Secret => ({
  name,
  secret,
  text: around(secret),
});

/** By their form alone. */
const BY_FORM: readonly Secret[] = [
  of("Stripe secret key", join("sk", "_live_", made(24))),
  of("Stripe restricted key", join("rk", "_live_", made(24))),
  of("Stripe test key", join("sk", "_test_", made(24))),
  of("Stripe webhook secret", join("wh", "sec_", made(32))),
  of("DigitalOcean token", join("dop", "_v1_", hex(64))),
  of("DigitalOcean refresh token", join("dor", "_v1_", hex(64))),
  of("DigitalOcean OAuth token", join("doo", "_v1_", hex(64))),
  of("GitHub token", join("gh", "p_", made(36))),
  of("GitHub OAuth token", join("gh", "o_", made(36))),
  of("GitHub server token", join("gh", "s_", made(36))),
  of("GitHub fine-grained token", join("github", "_pat_", made(22), "_", made(59))),
  of("GitLab token", join("gl", "pat-", made(20))),
  of("GitLab deploy token", join("gl", "dt-", made(20))),
  of("GitLab runner token", join("gl", "rt-", made(20))),
  of("Slack bot token", join("xo", "xb-", digits(12), "-", digits(13), "-", made(24))),
  of("Slack user token", join("xo", "xp-", digits(12), "-", digits(12), "-", hex(32))),
  of("Slack app token", join("xa", "pp-1-", upper(11), "-", digits(13), "-", hex(40))),
  of("Slack hook", join("https://hooks.slack", ".com/services/T", upper(8), "/B", upper(8), "/", made(24))),
  of("Discord hook", join("https://discord", ".com/api/webhooks/", digits(18), "/", made(68))),
  of("Discord bot token", join("M", made(23), ".", made(6), ".", made(27))),
  of("Telegram bot token", join(digits(9), ":AA", made(33))),
  of("SendGrid key", join("SG", ".", made(22), ".", made(43))),
  of("Mailgun key", join("ke", "y-", hex(32))),
  of("Mailchimp key", join(hex(32), "-us", "12")),
  of("Twilio key", join("S", "K", hex(32))),
  of("npm token", join("np", "m_", made(36))),
  of("PyPI token", join("py", "pi-", "AgEIcHlwaS5vcmc", made(60))),
  of("RubyGems key", join("ruby", "gems_", hex(48))),
  of("Docker token", join("dckr", "_pat_", made(27))),
  of("Linear key", join("lin", "_api_", made(40))),
  of("Notion token", join("nt", "n_", made(46))),
  of("Shopify token", join("shp", "at_", hex(32))),
  of("Shopify secret", join("shp", "ss_", hex(32))),
  of("Atlassian token", join("ATA", "TT3x", made(60))),
  of("Bitbucket token", join("AT", "BB", made(32))),
  of("Databricks token", join("da", "pi", hex(32))),
  of("Hugging Face token", join("h", "f_", made(34))),
  of("OpenAI key", join("s", "k-", made(48))),
  of("OpenAI project key", join("s", "k-proj-", made(60))),
  of("Anthropic key", join("s", "k-ant-", "api03-", made(80))),
  of("Groq key", join("gs", "k_", made(52))),
  of("Replicate key", join("r", "8_", made(37))),
  of("Perplexity key", join("pp", "lx-", made(48))),
  of("Google key", join("AI", "za", made(35))),
  of("Google access token", join("ya", "29.", made(60))),
  of("Google client secret", join("GOC", "SPX-", made(28))),
  of("AWS key id", join("AK", "IA", upper(16))),
  of("AWS session key id", join("AS", "IA", upper(16))),
  of("Alibaba key id", join("LT", "AI", made(20))),
  of("Vault token", join("hv", "s.", made(40))),
  of("Terraform token", join(made(14), ".atlas", "v1.", made(60))),
  of("Doppler token", join("dp", ".pt.", made(43))),
  of("Pulumi token", join("pu", "l-", hex(40))),
  of("Grafana token", join("gl", "sa_", made(32), "_", hex(8))),
  of("New Relic key", join("NR", "AK-", upper(27))),
  of("Sentry token", join("sn", "trys_", made(60))),
  of("Supabase token", join("sb", "p_", hex(40))),
  of("PlanetScale token", join("pscale", "_tkn_", made(43))),
  of("Postman key", join("PM", "AK-", hex(24), "-", hex(34))),
  of("age key", join("AGE-SECRET", "-KEY-1", upper(58))),
  of("Figma token", join("fi", "gd_", made(40))),
  of("Airtable token", join("pa", "t", made(14), ".", hex(64))),
  of("Netlify token", join("nf", "p_", made(40))),
  of("Fly token", join("fm", "2_", made(80))),
  of("Tailscale key", join("ts", "key-auth-", made(16), "-", made(32))),
  of("Mapbox token", join("sk", ".eyJ", made(60), ".", made(22))),
  of("Square token", join("sq0", "atp-", made(22))),
  of("Plaid token", join("access-", "production-", hex(8), "-", hex(4), "-", hex(4), "-", hex(4), "-", hex(12))),
  of("Braintree token", join("access_token", "$production$", hex(16), "$", hex(32))),
  of("Contentful token", join("CF", "PAT-", made(43))),
  of("Typeform token", join("tf", "p_", made(44))),
  of("Dynatrace token", join("dt0", "c01.", upper(24), ".", upper(64))),
  of("Sourcegraph token", join("sg", "p_", hex(40))),
  of("Brevo key", join("xkey", "sib-", hex(64), "-", made(16))),
  of("Buildkite token", join("bk", "ua_", hex(40))),
  of("SonarQube token", join("sq", "u_", hex(40))),
  of("Heroku key", join("HR", "KU-", hex(8), "-", hex(4), "-", hex(4), "-", hex(4), "-", hex(12))),
  of("Firebase key", join("AAAA", made(7), ":", made(140))),
  of("JWT", join("ey", "JhbGciOiJub25lIn0", ".", "ey", "JtYWRlIjoidXAifQ", ".", made(43))),
  of("bcrypt hash", join("$2", "b$12$", made(53))),
  of("crypt hash", join("$", "6$", made(12), "$", made(80))),
  of("argon2 hash", join("$argon", "2id$v=19$m=65536,t=3,p=4$", made(22), "$", made(43))),
  of("long random token", made(40)),
];

/** By what they are called. */
const BY_NAME: readonly Secret[] = [
  ...[
    ["address parameter", "https://api.made.example/v1?user=me&password=@@&x=1"],
    ["first address parameter", "GET https://made.example/login?password=@@ HTTP/1.1"],
    ["address token", "https://made.example/hook?access_token=@@"],
    ["signature in an address", "https://made.blob.example/c?sv=2024&se=2030&sr=c&sig=@@"],
    ["connection string, Pwd", 'new SqlConnection("Server=db;Uid=app;Pwd=@@;")'],
    ["connection string, Password", "Server=db;User Id=app;Password=@@;Encrypt=true"],
    ["connection string, AccountKey", "DefaultEndpointsProtocol=https;AccountName=made;AccountKey=@@;"],
    ["connection string, SharedAccessKey", "Endpoint=sb://x/;SharedAccessKeyName=root;SharedAccessKey=@@"],
    ["JDBC address", "jdbc:mysql://db:3306/app?user=app&password=@@"],
    ["credentials in an address", "postgres://app:@@@db:5432/app"],
    ["credentials without a name", "redis://:@@@cache:6379/0"],
    ["MongoDB address", "mongodb+srv://app:@@@cluster.example/app"],
    ["AMQP address", "amqp://guest:@@@queue:5672/"],
    ["curl -u", "curl -u admin:@@ https://made.example/api"],
    ["curl --user", "curl -s --user 'admin:@@' https://made.example/api"],
    ["curl header", "curl -H 'X-Api-Key: @@' https://made.example"],
    ["mysql -p", "mysql -h db -u root -p@@ app"],
    ["sshpass", "sshpass -p @@ ssh me@host"],
    ["redis-cli -a", "redis-cli -h cache -a @@ ping"],
    ["--password", "made-tool login --user me --password @@"],
    ["--password=", "made-tool login --password=@@ --verbose"],
    ["--api-key", "made-tool --api-key @@ run"],
    ["--token=", "made-tool --token=@@"],
    ["PGPASSWORD", "PGPASSWORD=@@ psql -h db app"],
    ["C define", '#define X_API_KEY "@@"'],
    ["C define of a password", '#define WIFI_PASSWORD "@@"'],
    ["C constant", 'static const char *api_key = "@@";'],
    ["C array", 'const char kClientSecret[] = "@@";'],
    ["C++ constant", 'constexpr std::string_view API_KEY = "@@";'],
    ["Rust constant", 'const API_KEY: &str = "@@";'],
    ["Rust static", 'pub static DB_PASSWORD: &\'static str = "@@";'],
    ["Rust let", 'let secret = String::from("@@");'],
    ["Swift constant", 'let apiKey: String = "@@"'],
    ["Swift static", 'static let clientSecret: String? = "@@"'],
    ["Kotlin constant", 'const val API_KEY: String = "@@"'],
    ["Scala value", 'val dbPassword: String = "@@"'],
    ["TypeScript constant", 'const apiToken: string = "@@";'],
    ["TypeScript member", 'private readonly secretKey: string = "@@";'],
    ["JavaScript constant", "const password = '@@';"],
    ["JavaScript property", "{ user: 'me', password: '@@' }"],
    ["template literal", "const token = `@@`;"],
    ["Python constant", 'API_SECRET = "@@"'],
    ["Python annotation", 'SECRET_KEY: str = "@@"'],
    ["Python bytes", "SIGNING_KEY = b'@@'"],
    ["Python argument", 'connect(host="db", password="@@")'],
    ["Python dictionary", 'config["password"] = "@@"'],
    ["Django setting", "    'PASSWORD': '@@',"],
    ["Java constant", 'private static final String API_KEY = "@@";'],
    ["Java setter", 'dataSource.setPassword("@@");'],
    ["Java builder", '.password("@@")'],
    ["C# property", 'public string ApiKey { get; } = ""; ApiKey = "@@";'],
    ["C# constant", 'const string ClientSecret = "@@";'],
    ["Go field", 'Config{User: "me", Password: "@@"}'],
    ["Go short variable", 'apiKey := "@@"'],
    ["Go typed constant", 'const apiToken string = "@@"'],
    ["Ruby symbol", ":password => '@@'"],
    ["Ruby setting", "config.secret_key = '@@'"],
    ["PHP define", "define('DB_PASSWORD', '@@');"],
    ["PHP define with double quotes", 'define("AUTH_KEY", "@@");'],
    ["PHP array", "'password' => '@@',"],
    ["PHP variable", "$dbPassword = '@@';"],
    ["Perl variable", "my $api_key = '@@';"],
    ["Lua field", "secret = '@@',"],
    ["Elixir setting", 'config :made, secret_key_base: "@@"'],
    ["PowerShell variable", "$env:API_TOKEN = '@@'"],
    ["shell export", "export API_TOKEN=@@"],
    ["environment file", "DB_PASSWORD=@@"],
    ["environment file with quotes", 'AWS_SECRET_ACCESS_KEY="@@"'],
    ["Dockerfile ENV", "ENV API_TOKEN @@"],
    ["Dockerfile ENV with equals", "ENV DB_PASSWORD=@@"],
    ["Dockerfile ARG", "ARG NPM_TOKEN=@@"],
    ["compose file", "      POSTGRES_PASSWORD: @@"],
    ["compose list", "      - MYSQL_ROOT_PASSWORD=@@"],
    ["YAML", "password: @@"],
    ["YAML with quotes", 'api_key: "@@"'],
    ["YAML in a list", "  - token: @@"],
    ["properties", "spring.datasource.password=@@"],
    ["properties with spaces", "app.client-secret = @@"],
    ["INI", "passwd = @@"],
    ["TOML", 'secret_key = "@@"'],
    ["HCL", '  password = "@@"'],
    ["JSON", '{"user": "me", "password": "@@"}'],
    ["JSON key", '"apiKey":"@@"'],
    ["XML element", "<password>@@</password>"],
    ["XML element with attributes", '<Password type="text">@@</Password>'],
    ["XML settings", "<server><id>x</id><passphrase>@@</passphrase></server>"],
    ["XML setting", '<add key="ApiKey" value="@@" />'],
    ["npmrc", "//registry.made.example/:_authToken=@@"],
    ["netrc", "machine made.example login me password @@"],
    ["pgpass", "db.made.example:5432:app:me:@@"],
    ["bearer header", "Authorization: Bearer @@"],
    ["basic header", "authorization: Basic @@"],
    ["token header", "Authorization: token @@"],
    ["api key header", "X-API-Key: @@"],
    ["auth token header", '"X-Auth-Token": "@@"'],
    ["session cookie", "Cookie: theme=dark; sessionid=@@; lang=en"],
    ["set cookie", "Set-Cookie: auth_token=@@; HttpOnly"],
    ["line of a diff", '+    password = "@@"'],
    ["line with a number", '12:const apiKey = "@@";'],
    ["comment", "// password: '@@' until the new server is there"],
    ["log line", 'level=info msg="login" password="@@"'],
  ].map(([name = "", text = ""]) => {
    const secret = /[?&;]sig|bearer|basic|token header|hook|header|cookie/i.test(`${name} ${text}`) ? made(28) : VALUE;
    return of(name, secret, (value) => text.replace("@@", value));
  }),
  of("short password in quotes", PLAIN, (value) => `password = "${value}"`),
  of("hexadecimal key by its name", hex(64), (value) => `SECRET_KEY = "${value}"`),
  of("hexadecimal key after its name", hex(64), (value) => `key ${value}`),
  of("UUID by its name", join(hex(8), "-", hex(4), "-", hex(4), "-", hex(4), "-", hex(12)), (v) => `api_key: "${v}"`),
];

const KEY = (kind: string): [string, string] => [
  `-----BEGIN ${kind}PRIVATE ${"KEY"}-----`,
  `-----END ${kind}PRIVATE ${"KEY"}-----`,
];

/** Keys of several lines. */
const KEYS: readonly Secret[] = ["RSA ", "EC ", "", "OPENSSH ", "DSA ", "ENCRYPTED "].map((kind) => {
  const [begin, end] = KEY(kind);
  return of(`${kind}private key`, made(64), (body) => `a\n${begin}\n${body}\n${body}\n${end}\nb`);
});

export const SECRETS: readonly Secret[] = [...BY_FORM, ...BY_NAME, ...KEYS];
