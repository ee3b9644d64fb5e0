// Artefacts as people write them: each is edited in every way, and only the edited lines may change.

export const CORPUS: Readonly<Record<string, string>> = {
  plain: "---\nid: T001\ntitle: Plain\nstatus: Not Started\nblocked_by: [T002]\ntags: []\n---\n\n# T001\n",
  comments: `---
# who wrote this
id: T001 # the id
title: "Quoted: with colon" # a title
status:   Not Started     # nobody yet
assignee: # to be found
blocked_by:
  # first the parser
  - T002   # because of the API
  # then the rest
  - T003
tags: [ a , b ] # sorted
target_versions:
  core: 1.20 # not 1.2
  ui: "2.0"
# the end
---
body
`,
  crlf: "---\r\nid: T001\r\ntitle: Windows\r\nstatus: Not Started\r\nblocked_by:\r\n- T002\r\n- T003\r\ntags: [x]\r\n---\r\n\r\n## Notes\r\n\r\nold\r\n",
  bom: "\uFEFF---\nid: T001\ntitle: Bom\nstatus: wip\n---\ntext without a line end",
  indented: "---\n  id: T001\n  title: Indented\n  status: todo\n  blocked_by: [T002,T003,T004]\n---\n",
  "odd spacing":
    "---\nid:    T001\n\n\ntitle:\tTabs\nstatus : Not Started\n\nblocked_by:   [   T002,   T003   ]\n\n---\n\n\n",
  unknown:
    "---\nid: T001\ntitle: Unknown fields\nx-custom: { deep: [1, {a: b}], on: yes }\nstatus: Not Started\nanchor: &a [1, 2]\nalias: *a\nestimate: 0x1F\nnull_field: ~\n---\n",
  emoji:
    "---\nid: T001\ntitle: 🚀 Départ → 東京 👩‍👩‍👧\nstatus: Not Started\ntags: [🔥, 日本]\n---\n\n## Nötes 📝\n\n- [ ] 🧪\n",
  "long lines": `---\nid: T001\ntitle: ${"long ".repeat(400)}end\nstatus: Not Started\nblocked_by: [${Array.from({ length: 200 }, (_, n) => `T${n + 100}`).join(", ")}]\n---\n${"x".repeat(20_000)}\n`,
  "multi-line values":
    "---\nid: T001\ntitle: >\n  folded\n  title\nstatus: Not Started\nnotes: |\n  line one\n\n  line two\nblocked_by: [\n  T002, # why\n  T003,\n]\ntarget_versions: { core: 1.20 }\n---\n",
  "no fields at all": "---\n---\nbody\n",
  "one item without brackets": "---\nid: T001\ntitle: One\nstatus: Not Started\nblocked_by: T002\ntags: a, b\n---\n",
  "closed by dots": "---\nid: T001\ntitle: Dots\nstatus: Not Started\n...\nbody\n",
  "no line end after the fence": "---\nid: T001\ntitle: Short\nstatus: Not Started\n---",
  "quoted keys":
    '---\n\'id\': T001\n"title": Quoted keys\n"status": \'Not Started\'\n"blocked_by": [ "T002", \'T003\' ]\n---\n',
  "rules in the body": "---\nid: T001\ntitle: Rules\nstatus: Not Started\n---\n\n---\n\nstatus: not this one\n\n---\n",
};
