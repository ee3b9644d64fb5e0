// rudder edit: an artefact in the user's own editor.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import type { Answer } from "../../answers/answer.ts";
import { RudderError } from "../../rudder-error.ts";
import { checkOut, writeBack } from "../../tasks/artefacts/edit.ts";
import type { Session } from "../session.ts";

/** Opens the text, and writes it back when the editor has ended. */
export async function edit(
  session: Session,
  request: { readonly id: string; readonly force?: boolean },
): Promise<Answer> {
  if (session.isServed) {
    throw new RudderError("denied", "an editor runs where a person is", {
      hint: "use artifact edit, or write the file: rudder artifact edit T042 --section Notes --append TEXT",
    });
  }
  const out = await checkOut(session, request.id);
  const dir = mkdtempSync(join(tmpdir(), "rudder-edit-"));
  const file = join(dir, basename(out.path));
  writeFileSync(file, out.text, { mode: 0o600 });
  let isDone = false;
  try {
    await runEditor(session, file);
    const text = readFileSync(file, "utf8");
    if (text === out.text) {
      isDone = true;
      return { json: { id: out.id, changed: false }, text: `${out.id} is as it was` };
    }
    const notes = await writeBack(session, out, { text, force: request.force });
    isDone = true;
    return { json: { id: out.id, changed: true, problems: notes }, text: `${out.id} written`, notes };
  } catch (error) {
    if (!(error instanceof RudderError)) throw error;
    throw new RudderError(error.code, error.message, {
      hint: `${error.hint}; your text is in ${file}`,
      details: { ...error.details, file },
    });
  } finally {
    if (isDone) rmSync(dir, { recursive: true, force: true });
  }
}

/** As git does: the variable holds words of a shell, the file is an argument. */
async function runEditor({ env, signal, cwd }: Session, file: string): Promise<void> {
  const words = [env.VISUAL, env.EDITOR, "vi"].find((one) => one !== undefined && one.trim() !== "") ?? "vi";
  const child = spawn("/bin/sh", ["-c", `${words} "$@"`, "editor", file], {
    cwd,
    env,
    stdio: "inherit",
    ...(signal === undefined ? {} : { signal }),
  });
  const [code] = await once(child, "close");
  if (code === 0) return;
  throw new RudderError("invalid_argument", `the editor ended with ${code}: ${words}`, {
    hint: "set EDITOR to a program that waits until the file is closed",
  });
}
