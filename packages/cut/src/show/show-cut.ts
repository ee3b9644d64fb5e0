// Renders a cut once, in the form that its door asks for and within the room that its client has.
import { type Block, estimateTokens, shortMarker } from "@jeeves/prune";
import type { CutRequest, ShownCut } from "../cut-request.ts";
import type { MadeCut } from "../make-cut.ts";
import { withList } from "../search/cut-matches.ts";
import { fitToClient } from "./fit-to-client.ts";
import { keptTokensOf, type Measured } from "./measure.ts";
import { recoveryLine } from "./recovery-line.ts";
import { renderParts, withLastLine } from "./shown.ts";

/** A rendered cut. */
export type CutText = Pick<
  ShownCut,
  "parts" | "isShown" | "table" | "blocks" | "keptTokens" | "list" | "others" | "lastLine" | "isCutToClient"
>;

interface CutToShow {
  readonly measured: Measured;
  readonly made: MadeCut;
  readonly pruneId: string;
  /** The stored file, where it is the way back. */
  readonly file: string | undefined;
}

/** The text of a cut, in its parts, with what is known about it. */
export function showCut(
  { policy, room, form = {}, barriers, isWholeFile = false, tellsWeak = true, clientView = asItIs }: CutRequest,
  { measured, made, pruneId, file }: CutToShow,
): CutText {
  const { table } = measured;
  const { pruned, matches, note } = made;
  const { lineNumbers = false, firstLine = 1 } = form;
  const markerOf = (block: Block) =>
    form.marker === undefined ? shortMarker(numberedFrom(firstLine, block)) : form.marker(block, pruneId);
  const isWeak = tellsWeak && pruned.match !== "clear";
  const hasChars = pruned.blocks.some(({ chars }) => chars !== undefined);
  const wayBack = recoveryLine({ pruneId, isWholeFile, isWeak, hasChars, ...(file === undefined ? {} : { file }) });
  const lastLine = note === undefined ? wayBack : `${note}\n${wayBack}`;
  const isShown = (line: number) => pruned.kept[line] !== 0;
  const common = { table, lastLine };
  const markers = pruned.blocks.map(markerOf);
  const marker = (_block: Block, index: number) => markers[index];
  const whole = renderParts(table, pruned, { barriers, marker, lineNumbers, firstLine });
  if (matches !== undefined) {
    const { list, others } = matches;
    const [first = "", ...behind] = whole;
    // The list belongs to the first part: a command's matches are on stdout.
    const parts = [withList(first, list), ...behind];
    const text = parts.join("");
    const keptTokens = estimateTokens(policy.isOrder ? text : clientView(withLastLine(text, lastLine)));
    return { ...common, parts, isShown, blocks: pruned.blocks, keptTokens, list, others, isCutToClient: false };
  }
  const fitted = lineNumbers
    ? undefined
    : fitToClient(
        table,
        { pruned, shown: whole },
        { ...room, maxChars: room?.maxChars && room.maxChars - (note?.length ?? 0), barriers },
      );
  const { blocks } = fitted ?? pruned;
  const parts = fitted?.parts ?? whole;
  // An ordered cut has no last line and may be as long as the text: its tokens are summed, not counted again.
  const isSummed = policy.isOrder && !lineNumbers;
  const text = parts.join("");
  const keptTokens = isSummed
    ? keptTokensOf(measured, blocks, fitted === undefined ? marker : markerOf)
    : estimateTokens(policy.isOrder ? text : clientView(withLastLine(text, lastLine)));
  return { ...common, isShown, ...fitted, parts, blocks, keptTokens, isCutToClient: fitted !== undefined };
}

function numberedFrom(firstLine: number, block: Block): Block {
  if (firstLine === 1) return block;
  return { ...block, startLine: block.startLine + firstLine - 1, endLine: block.endLine + firstLine - 1 };
}

function asItIs(text: string): string {
  return text;
}
