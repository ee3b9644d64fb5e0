// Tokens that are known by their form alone, wherever they stand: issuers give them prefixes so that they can be found.
// One row per issuer; a body is bounded, so that each pattern stays linear.
import type { Range } from "./ranges.ts";

/** A token may not follow such a character: it would be the end of a longer word. */
const WORD_CHAR = /[A-Za-z\d_-]/;

/** Prefix, characters of the body, its least and most length; what the text must have for a slow pattern to be tried. */
const PREFIXED: readonly (readonly [string, string, number, number, string?])[] = [
  ["(?:sk|rk|pk)_(?:live|test)_", "[A-Za-z\\d]", 10, 256], // Stripe
  ["whsec_", "[A-Za-z\\d+/=]", 16, 128],
  ["do[opr]_v1_", "[A-Za-z\\d]", 16, 128], // DigitalOcean
  ["(?:gh[pousr]|ghr)_", "[A-Za-z\\d]", 20, 255],
  ["github_pat_", "\\w", 20, 255],
  ["gl(?:pat|dt|rt|cbt|ptt|ft|soat|agent|imt|oas|rtr)-", "[\\w.-]", 16, 255], // GitLab
  ["GR1348941", "[\\w-]", 16, 64],
  ["xox[abceoprs]-", "[A-Za-z\\d-]", 10, 255], // Slack
  ["xapp-\\d-", "[A-Za-z\\d-]", 10, 255],
  ["xoxe\\.xox[bp]-", "[A-Za-z\\d-]", 10, 255],
  ["SG\\.", "[\\w.-]", 20, 128], // SendGrid
  ["key-", "[a-f\\d]", 32, 32], // Mailgun
  ["npm_", "[A-Za-z\\d]", 20, 64],
  ["pypi-", "[\\w-]", 16, 512],
  ["rubygems_", "[a-f\\d]", 16, 64],
  ["dckr_(?:pat|oat)_", "[\\w-]", 16, 64],
  ["lin_(?:api|oauth)_", "[A-Za-z\\d]", 16, 64],
  ["ntn_", "[A-Za-z\\d]", 20, 64], // Notion
  ["shp(?:at|ss|ca|pa)_", "[A-Fa-f\\d]", 16, 64], // Shopify
  ["ATATT3x", "[\\w=+/-]", 20, 512], // Atlassian
  ["AT(?:BB|CTT3x)", "[\\w=+/-]", 20, 512],
  ["dapi", "[a-f\\d]", 32, 40], // Databricks
  ["hf_", "[A-Za-z\\d]", 20, 64], // Hugging Face
  ["sk-(?:proj|ant|or|svcacct|admin)?-?", "[\\w-]", 20, 256], // OpenAI, Anthropic, OpenRouter
  ["(?:gsk|xai|pplx|r8|csk|fw|nvapi|jina|tvly)[_-]", "[\\w-]", 24, 128],
  ["AIza", "[\\w-]", 30, 45], // Google
  ["ya29\\.", "[\\w.-]", 16, 512],
  ["GOCSPX-", "[\\w-]", 16, 64],
  ["1//0", "[\\w-]", 24, 256],
  ["(?:AKIA|ASIA|ABIA|ACCA)", "[A-Z\\d]", 16, 16], // AWS
  ["LTAI", "[A-Za-z\\d]", 12, 30], // Alibaba
  ["AKID", "[A-Za-z\\d]", 28, 40], // Tencent
  ["AQVN", "[\\w-]", 32, 64], // Yandex
  ["hv[sbr]\\.", "[\\w-]", 20, 300], // Vault
  ["[A-Za-z\\d]{14}\\.atlasv1\\.", "[\\w=-]", 20, 128, ".atlasv1."], // Terraform
  ["dp\\.(?:pt|st|ct|sa|scim|audit)\\.", "[\\w.-]", 16, 128], // Doppler
  ["pul-", "[a-f\\d]", 32, 64],
  ["gl(?:sa|c)_", "[\\w+/=]", 20, 256], // Grafana
  ["NR(?:AK|JS|II|SP)-", "[A-Za-z\\d-]", 12, 64], // New Relic
  ["sntry[su]_", "[\\w+/=]", 20, 300], // Sentry
  ["sbp_", "[a-f\\d]", 20, 64], // Supabase
  ["sb_secret_", "[\\w-]", 16, 64],
  ["pscale_(?:tkn|pw|oauth)_", "[\\w=.-]", 16, 128],
  ["PMAK-", "[A-Fa-f\\d-]", 20, 80], // Postman
  ["AGE-SECRET-KEY-1", "[A-Z\\d]", 16, 64],
  ["figd_", "[\\w-]", 16, 64],
  ["pat[A-Za-z\\d]{14}\\.", "[a-f\\d]", 32, 64], // Airtable
  ["EAA", "[A-Za-z\\d]", 40, 512], // Facebook
  ["nfp_", "[A-Za-z\\d]", 20, 64], // Netlify
  ["(?:vercel|vck|vci)_", "[A-Za-z\\d]", 20, 64],
  ["(?:fo1_|fm[12][ar]?_)", "[\\w+/=,-]", 20, 512], // Fly
  ["tskey-(?:auth|api|client|scim|webhook)?-?", "[A-Za-z\\d-]", 16, 100], // Tailscale
  ["sk\\.eyJ", "[\\w.-]", 20, 256], // Mapbox
  ["FLWSECK(?:_TEST)?-", "[A-Za-z\\d-]", 12, 64],
  ["sq0(?:atp|csp|idp)-", "[\\w-]", 16, 64], // Square
  ["EAAA[AE]", "[\\w-]", 50, 100],
  ["access-(?:production|sandbox|development)-", "[a-f\\d-]", 30, 40], // Plaid
  ["access_token\\$(?:production|sandbox)\\$", "[\\w$]", 16, 80], // Braintree
  ["EZ[AT]K", "[A-Za-z\\d]", 40, 64], // EasyPost
  ["CFPAT-", "[\\w-]", 20, 64], // Contentful
  ["tfp_", "[\\w.=-]", 20, 100], // Typeform
  ["pn[ub]_", "[A-Za-z\\d]", 20, 64], // Prefect
  ["rdme_", "[a-z\\d]", 40, 100],
  ["duffel_(?:live|test)_", "[\\w=-]", 20, 64],
  ["dt0[a-z]\\d\\d\\.", "[A-Z\\d.]", 24, 128], // Dynatrace
  ["sgp_", "[\\w]", 20, 80], // Sourcegraph
  ["xkeysib-", "[A-Za-z\\d-]", 20, 100], // Brevo
  ["shippo_(?:live|test)_", "[a-f\\d]", 20, 64],
  ["bkua_", "[a-f\\d]", 20, 64], // Buildkite
  ["CCI(?:PAT|PRJ)_", "[\\w]", 16, 100], // CircleCI
  ["sq[aup]_", "[a-f\\d]", 32, 64], // SonarQube
  ["ops_eyJ", "[\\w-]", 20, 1_024], // 1Password
  ["A3-[A-Z\\d]{6}-", "[A-Z\\d-]", 20, 60],
  ["HRKU-", "[\\w-]", 16, 80], // Heroku
  ["secret_", "[A-Za-z\\d]", 40, 48],
  ["AAAA[\\w-]{7}:", "[\\w-]", 60, 200], // Firebase
  ["\\d{8,10}:AA", "[\\w-]", 30, 36, ":AA"], // Telegram
  ["[MNO][A-Za-z\\d]{22,26}\\.[\\w-]{6}\\.", "[\\w-]", 24, 45], // Discord
  ["(?:AC|SK)(?=[a-f\\d]{0,32}\\d)", "[a-f\\d]", 32, 32], // Twilio
  ["[a-f\\d]{32}-us", "\\d", 1, 2, "-us"], // Mailchimp
  ["AKCp", "[A-Za-z\\d]", 40, 80], // JFrog
  ["cmVmdGtu", "[A-Za-z\\d]", 40, 80],
  ["sl\\.", "[\\w-]", 100, 200], // Dropbox
  ["(?:live|test)_(?:pub_)?", "[a-f\\d]", 30, 64], // Lob
  ["PRIVATE-", "[A-Za-z\\d]", 24, 64],
  ["(?:cf(?:ut|k|at)|cfut)_", "[\\w-]", 20, 80], // Cloudflare
  ["rpa_", "[A-Z\\d]", 20, 64], // RunPod
  ["ddp?_", "[\\w]", 32, 64],
  ["tk-us-", "[\\w-]", 32, 64],
];

interface Form {
  readonly pattern: RegExp;
  readonly needs?: string;
}

const TOKENS: readonly Form[] = PREFIXED.map(([prefix, body, least, most, needs]) => ({
  pattern: new RegExp(`(?:${prefix})${body}{${least},${most}}(?![A-Za-z\\d])`, "g"),
  ...(needs === undefined ? {} : { needs }),
}));

const FORMS: readonly RegExp[] = [
  /(?<![\w-])eyJ[\w-]{5,4096}\.[\w-]{5,8192}(?:\.[\w-]{0,4096})?/g,
  // Hooks that anyone who knows the address may call.
  /https:\/\/hooks\.slack\.com\/(?:services|workflows|triggers)\/[\w/-]{10,200}/g,
  /https:\/\/(?:\w{1,20}\.)?discord(?:app)?\.com\/api\/webhooks\/\d{5,30}\/[\w-]{10,120}/g,
  /https:\/\/[\w-]{1,80}\.webhook\.office\.com\/[\w@/-]{20,300}/g,
  /https:\/\/hooks\.zapier\.com\/hooks\/catch\/[\w/-]{6,80}/g,
  // Hashes that a password can be guessed from.
  /(?<![\w$])\$(?:2[abxy]|argon2(?:i|d|id)|apr1|scrypt|pbkdf2[\w-]{0,20}|[156y])\$[\w./$=,+-]{12,300}/g,
];

/** Tokens with a form of their own. */
export function knownTokens(text: string): Range[] {
  const found: Range[] = [];
  for (const { pattern, needs } of TOKENS) {
    if (needs !== undefined && !text.includes(needs)) continue;
    for (const match of text.matchAll(pattern)) {
      // Checked afterwards: a pattern that begins with literal letters is much faster.
      if (match.index > 0 && WORD_CHAR.test(text.charAt(match.index - 1))) continue;
      found.push({ start: match.index, end: match.index + match[0].length });
    }
  }
  for (const form of FORMS) {
    for (const match of text.matchAll(form)) found.push({ start: match.index, end: match.index + match[0].length });
  }
  return found;
}
