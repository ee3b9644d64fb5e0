// Questions and changes of one process on their way to the database: those that come in while others are under way go
// together, so that many cost one round trip and one commit.
import { DatabaseError, isConnectionFault } from "@jeeves/state";

/** While one batch is at work in the database the next one is made here. */
const MAX_FLIGHTS = 2;
const MAX_BATCH = 64;

/** How items go together. */
interface BatchOptions<Item, Answer> {
  /** Answers in the order of the items. */
  send(items: readonly Item[]): Promise<readonly Answer[]>;
  /** Items of one key go one after the other, and the batch is in the order of its keys. */
  readonly keyOf?: (item: Item) => string;
}

interface Waiting<Item, Answer> {
  readonly item: Item;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
}

/** A function that sends an item with others. */
export function createBatches<Item, Answer>({
  send,
  keyOf,
}: BatchOptions<Item, Answer>): (item: Item) => Promise<Answer> {
  type One = Waiting<Item, Answer>;
  let waiting: One[] = [];
  let flights = 0;

  async function fly(batch: readonly One[]): Promise<void> {
    try {
      const answers = await send(batch.map(({ item }) => item));
      for (const [at, { resolve }] of batch.entries()) resolve(answers[at] as Answer);
    } catch (error) {
      // What the database refuses does not take the others with it.
      const isOfOne = error instanceof DatabaseError && !isConnectionFault(error) && batch.length > 1;
      for (const one of batch) {
        if (isOfOne) await fly([one]);
        else one.reject(error);
      }
    }
  }

  function next(): void {
    while (flights < MAX_FLIGHTS && waiting.length > 0) {
      const batch = takeBatch();
      flights += 1;
      void fly(batch).finally(() => {
        flights -= 1;
        next();
      });
    }
  }

  function takeBatch(): readonly One[] {
    if (keyOf === undefined) return waiting.splice(0, MAX_BATCH);
    const batch = new Map<string, One>();
    const left: One[] = [];
    for (const one of waiting) {
      const key = keyOf(one.item);
      if (batch.size < MAX_BATCH && !batch.has(key)) batch.set(key, one);
      else left.push(one);
    }
    waiting = left;
    return [...batch].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, item]) => item);
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      // Those that come in during this turn of the loop go together.
      if (waiting.length === 1) queueMicrotask(next);
    });
}
