// Tells which files below some directories changed. One watch per directory: on Linux Node's `recursive` (20.20) watches
// each file, and loses one that an editor saves by renaming another over it.
import { readdirSync, statSync, watch } from "node:fs";
import { join } from "node:path";

const SKIPPED = /^(?:\.|(?:node_modules|dist)$)/;

const isDirectory = (path) => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;

/** Calls `onChange` with the path, from `root`, of each file that is written, made or removed. Returns how to end it. */
export function watchTree(root, dirs, onChange) {
  const watchers = new Map();

  function drop(dir) {
    for (const [watched, watcher] of watchers) {
      if (watched !== dir && !watched.startsWith(`${dir}/`)) continue;
      watcher.close();
      watchers.delete(watched);
    }
  }

  function add(dir, isNew) {
    const watcher = watch(join(root, dir), (event, name) => {
      if (name === null || SKIPPED.test(name)) return;
      const path = `${dir}/${name}`;
      // A directory came or went; one that came has files that no event named.
      if (event === "rename") drop(path);
      if (!isDirectory(join(root, path))) onChange(path);
      else if (!watchers.has(path)) tryToAdd(path);
    });
    watcher.on("error", () => drop(dir));
    watchers.set(dir, watcher);
    for (const entry of readdirSync(join(root, dir), { withFileTypes: true })) {
      if (SKIPPED.test(entry.name)) continue;
      if (entry.isDirectory()) add(`${dir}/${entry.name}`, isNew);
      else if (isNew) onChange(`${dir}/${entry.name}`);
    }
  }

  function tryToAdd(dir) {
    try {
      add(dir, true);
    } catch (error) {
      if (error.code !== "ENOENT") throw error;
      // It was gone again before we looked.
      drop(dir);
    }
  }

  for (const dir of dirs) add(dir, false);
  return () => {
    for (const watcher of watchers.values()) watcher.close();
  };
}
