#!/bin/sh
# The text pruner over HTTP: a cut, then lines 1 to 3 as they were. sh rpc.sh URL FILE "QUESTION"
set -eu
url=$1 file=$2 question=$3

rpc() { curl -sS --fail -H 'Content-Type: application/json' "$url/rpc" -d @-; }

answer=$(node -e '
  const [file, goal_hint] = process.argv.slice(1);
  const options = { max_prune_ratio: 0.8, min_keep_lines: 5, timeout_ms: 5000, annotate_lines: true, include_markers: true };
  const text = require("fs").readFileSync(file, "utf8");
  const params = { name: "prune_text", arguments: { text, goal_hint, source_type: "code", options } };
  console.log(JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params }));
' "$file" "$question" | rpc)
printf '%s\n' "$answer"

id=$(printf '%s' "$answer" | grep -o 'prn_[a-z2-7]*' | head -n 1)
echo "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/call\",\"params\":{\"name\":\"recover_text\",\"arguments\":{
  \"prune_id\":\"$id\",\"ranges\":[{\"start_line\":1,\"end_line\":3}],\"include_line_numbers\":false}}}" | rpc
echo
