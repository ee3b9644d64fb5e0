// Values that are secret because of their name: an assignment in any language, an option of a command, a
// parameter of an address, a field of a connection string, an element, a line of a credentials file (C-40). A value that
// is plainly a type, a variable, a call or a placeholder is left alone.
import type { Range } from "./ranges.ts";

/** Words at the end of a name that make its value a secret. */
const WORD =
  "(?:pass(?:word|wd|phrase|code|key)?|pwd|secret|token|credentials?|auth[_-]?key|api[_-]?key|apikey|access[_-]?key(?:[_-]?id)?|secret[_-]?key|private[_-]?key|signing[_-]?key|encryption[_-]?key|master[_-]?key|account[_-]?key|shared[_-]?access[_-]?key|app[_-]?key|license[_-]?key|client[_-]?secret|auth[_-]?token|bearer)";
/** The end of a name, perhaps with a word of its kind after it; what stands before is not looked at. */
const NAME = `${WORD}(?:[_-]?(?:\\d{1,3}|value|str|string|base(?:64)?|b64|prod|production|dev|test|live|old|new))?`;
const QUOTED = `(?:"([^"\\r\\n]{4,1024})"|'([^'\\r\\n]{4,1024})'|\`([^\`\\r\\n]{4,1024})\`)`;
const BARE = "([^\\s\"'`;,&|<>(){}\\[\\]]{6,1024})";

const FORMS: readonly RegExp[] = [
  // name = "…", "name": "…", name => "…", name := "…", let name: &str = "…", name: String = "…", String name = "…"
  new RegExp(
    `${NAME}["'\`\\])]{0,3}[ \\t]{0,8}(?:\\[\\][ \\t]{0,4}=|(?:string|\\[\\]byte)[ \\t]{0,4}=|:[ \\t]{0,4}[\\w&'<>?.:\\[\\]| ]{1,40}?[ \\t]{0,4}=|=>|:=|\\?\\?=|[:=])[ \\t]{0,8}(?:[brfuLR@$]{0,2}|new |Some\\(|Secret\\(|SecretStr\\(|String::from\\(|Optional\\.of\\()${QUOTED}`,
    "dgi",
  ),
  // #define NAME "…", define('NAME', '…'), setPassword("…"), .password("…"), NAME, "…"
  new RegExp(`${NAME}["'\`]?[ \\t]{0,8}(?:,|\\(|[ \\t])[ \\t]{0,8}${QUOTED}`, "dgi"),
  // <password>…</password>, <add key="ApiKey" value="…"/>
  new RegExp(`${WORD}(?<=<[\\w.:-]{0,60}${WORD})(?:[ \\t][^<>\\r\\n]{0,200})?>([^<>\\r\\n]{4,1024})</`, "dgi"),
  new RegExp(`${NAME}["'][ \\t]{1,4}(?:value|content)=${QUOTED}`, "dgi"),
  // ENV NAME value, ARG NAME=value, export NAME=value, NAME=value at the start of a line or command
  new RegExp(`${WORD}(?<=\\b(?:ENV|ARG)[ \\t]{1,8}[\\w.-]{0,60}${WORD})\\w{0,20}[ \\t]{1,8}${BARE}`, "dgi"),
  /(?<![A-Za-z\d])[A-Z][A-Z\d_]{0,60}?(?:PASSWORD|PASSWD|PASS|PWD|SECRET|TOKEN|KEY|CREDENTIALS?|APIKEY)\d{0,2}[ \t]{0,3}=[ \t]{0,3}([^\s"'`;&|$<({][^\s"'`;&|]{5,1023})/dg,
  // ?password=…, &api_key=…, Pwd=…;, AccountKey=…;, password=… in an address or a connection string
  new RegExp(`(?:${WORD}|sig|signature|auth)(?<=[?&;][ \\t]{0,2}[\\w.-]{0,60})=([^\\s"'\`;&<>]{4,1024})`, "dgi"),
  /(?<=["'`;])(?:pwd|password)[ \t]?=[ \t]?([^\s"'`;&<>$%{][^"'`;&<>\r\n]{2,200})/dgi,
  // --password value, --token=value, -u name:value, -p value of clients that take one
  new RegExp(
    `${WORD}(?<=(?<![\\w-])--?[\\w-]{0,60})(?:=|[ \\t]{1,4})["'\`]?([^\\s"'\`;&|<>$-][^\\s"'\`;&|<>]{3,1023})`,
    "dgi",
  ),
  /\bcurl\b[^\r\n]{0,400}?[ \t](?:-u|--user|--proxy-user)[ \t=]{0,3}["']?[^\s:"'$]{1,100}:([^\s"'$][^\s"']{0,200})/dg,
  /\b(?:mysql|mysqldump|mysqladmin|mariadb)\b[^\r\n]{0,200}?[ \t]-p([^\s"'$][^\s"']{3,200})/dg,
  /\bsshpass[ \t]{1,3}-p[ \t]{0,3}["']?([^\s"'$][^\s"']{2,200})/dg,
  /\b(?:redis-cli)\b[^\r\n]{0,200}?[ \t]-a[ \t]{1,3}["']?([^\s"'$][^\s"']{3,200})/dg,
  /\b(?:smbclient|rpcclient)\b[^\r\n]{0,200}?[ \t]-U[ \t]{0,3}["']?[^\s%"']{1,60}%([^\s"']{3,200})/dg,
  // machine host login name password value; host:port:database:user:value
  /\bmachine[ \t]+\S{1,200}[ \t]+login[ \t]+\S{1,200}[ \t]+password[ \t]+(\S{3,200})/dg,
  /^[\w.*-]{1,100}:(?:\d{2,5}|\*):[\w*-]{1,60}:[\w*-]{1,60}:([^\s:]{4,200})$/dgm,
  // headers
  /\b(?:bearer|basic|token|apikey|negotiate|digest)[ \t]{1,4}([\w.~+/=-]{16,8192})/dgi,
  /\b(?:x-)?(?:[a-z]{1,20}-){0,4}(?:api-?key|auth-?key|auth-?token|access-?token|secret(?:-key)?|token|functions-key)["']?[ \t]{0,3}:[ \t]{0,4}["']?([\w.~+/=-]{12,1024})/dgi,
  /\b(?:set-)?cookie["']?[ \t]{0,3}:[ \t]{0,4}["']?[^\r\n]{0,300}?(?:sess(?:ion)?(?:_?id)?|sid|auth|token|jwt|connect\.sid)=([^\s;"']{8,1024})/dgi,
  // scheme://name:value@host, and scheme://:value@host
  /\b[a-z][a-z\d+.-]{0,20}:\/\/([^\s/@:"'<>$]{0,256}:[^\s/@"'<>$]{1,512})@/dgi,
  // name = value without quotes, where the value has digits
  new RegExp(
    `${WORD}[ \\t]{0,3}[:=][ \\t]{0,3}((?=[^\\s\\d]{0,256}\\d)[A-Za-z\\d+/=_!#$%^*-]{10,1024})(?![\\w(.\\[])`,
    "dgi",
  ),
  // YAML, INI and properties: the value is the rest of the line
  new RegExp(
    `${WORD}(?<=^[ \\t]{0,40}(?:- )?["']?[\\w.-]{0,80})["']?[ \\t]{0,20}[:=][ \\t]{1,8}${BARE}[ \\t]{0,8}(?:#.{0,200})?$`,
    "dgim",
  ),
  new RegExp(`${WORD}(?<=^[\\w.-]{0,100})[ \\t]{0,20}=[ \\t]{0,8}${BARE}[ \\t]{0,8}$`, "dgim"),
];

/** Words that a value may consist of without being a secret: types, names of fields, placeholders. */
const PLAIN_WORDS = new Set(
  (
    "your my the a an some this that insert enter add put replace change example sample dummy placeholder test fake mock todo none null nil " +
    "undefined true false yes no on off empty optional required redacted hidden masked str string byte bytes number int integer bool boolean " +
    "any object text type field name value here input label form password passwd pass passphrase passcode pwd secret secrets token tokens key " +
    "keys api access auth authorization bearer basic digest client server session csrf xsrf jwt oauth id refresh current new old confirm reset " +
    "forgot forgotten user username login admin email credential credentials header headers cookie query body file path url env environment " +
    "config default private public signing encryption account hash invalid missing expired wrong error grant code with in of for and or is not to must be"
  ).split(" "),
);

function isPlain(value: string): boolean {
  if (/\d/.test(value)) return false;
  const words = value.match(/[A-Z]?[a-z]+|[A-Z]+/g) ?? [];
  return words.length > 0 && words.every((word) => PLAIN_WORDS.has(word.toLowerCase()));
}

/** A variable, a call, a template, a path or a type: the value itself is elsewhere. */
const ELSEWHERE =
  /^(?:\$|%[A-Z_]+%|\{\{|\{%|<[^>]*>$|\*{3,}|x{3,}$|\.{3}|process\.env|os\.(?:environ|getenv)|env[.[(]|ENV\[|getenv|config[.[(]|settings\.|self\.|this\.|props\.|args\.|options\.|ctx\.|req(?:uest)?\.|std::|System\.getenv|secrets?\.|vault[:/]|var\.|local\.|data\.|module\.|ref\+|arn:|https?:\/\/[^@\s]*$|\.{0,2}\/[\w./-]*$|!(?:Ref|Sub|GetAtt|reference)\b|\(\(|\[redacted\])/i;

/** The values whose names mark them as secret. */
export function namedSecrets(text: string): Range[] {
  const found: Range[] = [];
  for (const form of FORMS) {
    for (const match of text.matchAll(form)) {
      const at = match.indices?.slice(1).find((range) => range !== undefined);
      if (at === undefined) continue;
      const [start, end] = at;
      if (isInsideWord(match[0], text, match.index)) continue;
      if (isSecretValue(text.slice(start, end), text, end)) found.push({ start, end });
    }
  }
  return found;
}

/** `compass` and `bypass` are no passwords. */
function isInsideWord(match: string, text: string, at: number): boolean {
  return /^pass(?!w|p|c|k)/.test(match) && /[a-z]/i.test(text.charAt(at - 1));
}

function isSecretValue(value: string, text: string, end: number): boolean {
  const bare = value.trim();
  if (isPlain(bare) || ELSEWHERE.test(bare) || /\$\{|\{\{|#\{|<%|%\(/.test(bare)) return false;
  // Words of a sentence, and code: a call, an index, a member, a generic type.
  if (/\s/.test(bare) && !/\d/.test(bare)) return false;
  if (/[ ]\S+[ ]\S+[ ]/.test(bare)) return false;
  if (/^[A-Za-z_$][\w$]*(?:[.:][A-Za-z_$][\w$:]*)+$/.test(bare) && !/\d/.test(bare)) return false;
  if (/^[\w$.]+[([{<]/.test(bare) || (/^[\w$.]+$/.test(bare) && /^[([]/.test(text.slice(end, end + 1)))) return false;
  return !/^[\d.]{1,5}$/.test(bare);
}
