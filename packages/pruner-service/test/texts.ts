// Texts to prune, made here so that every test knows what must and must not stay.

const functionOf = (name: string, lines: readonly string[]) =>
  [`def ${name}(value):`, ...lines.map((line) => `    ${line}`), ""].join("\n");

/** Python: a header comment, imports, a class, and one function among many that answers RETRY_GOAL. */
export const PYTHON = [
  "# Delivers messages to their receivers.",
  "import json",
  "from time import sleep",
  "",
  ...Array.from({ length: 12 }, (_, index) =>
    functionOf(`rename_album_${index}`, [
      `title = value.title + "${index}"`,
      "album = load(title, with_songs=True, with_cover=False)",
      "for song in album.songs:",
      "    song.album_title = title",
      "    song.changed_by = value.author",
      "    song.save(overwrite=True)",
      "album.title = title",
      "return album.save(overwrite=True)",
    ]),
  ),
  functionOf("retry_delay", ["attempt = value.attempt", "delay = 250 * 2 ** attempt", "return min(delay, 60000)"]),
  "class Mailbox:",
  "    def open(self):",
  "        self.letters = []",
  "        return self.letters",
  "",
].join("\n");
export const RETRY_GOAL = "how long is the retry delay of an attempt";

export const LOG = [
  ...Array.from({ length: 30 }, (_, index) => `12:00:${String(index).padStart(2, "0")} INFO request ${index} served`),
  "12:01:00 ERROR cannot open the ledger: permission denied",
  ...Array.from({ length: 30 }, (_, index) => `12:02:${String(index).padStart(2, "0")} INFO request ${index} served`),
  "Traceback (most recent call last):",
  '  File "ledger.py", line 3, in open',
  "ValueError: an exception of its own",
  ...Array.from({ length: 30 }, (_, index) => `12:03:${String(index).padStart(2, "0")} INFO request ${index} served`),
].join("\n");

export const DOCS = [
  "# Guide",
  "",
  "Some words about the guide itself.",
  "",
  "## Installing",
  "",
  ...Array.from({ length: 12 }, (_, index) => `Step ${index} needs patience and a chair.`),
  "",
  "```sh",
  "tar xf chair.tar",
  "make chair",
  "make install",
  "```",
  "",
  "## Colours",
  "",
  ...Array.from({ length: 12 }, (_, index) => `Colour ${index} is chosen by the palette setting.`),
  "",
].join("\n");
