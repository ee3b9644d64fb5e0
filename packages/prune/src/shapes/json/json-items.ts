// The items of lists while JSON is read, with what distinguishes them: their scalars, as hashes.
import { hashOf } from "../holds.ts";

const MOST = 400_000;
const VALUE_CHARS = 80;

/** The items of all lists, with what distinguishes them. */
export interface Items {
  /** Per item its row, and the scope of its list. */
  readonly row: readonly number[];
  readonly list: readonly number[];
  /** Per scalar of an item: the item, its keys on the way and its value as hashes. */
  readonly members: {
    readonly item: readonly number[];
    readonly key: readonly number[];
    readonly value: readonly number[];
  };
}

/** Where a scalar stands: in which item, and under which keys. */
export interface Place {
  /** -1 outside of all lists. */
  readonly item: number;
  /** Of the keys on the way from the item. */
  readonly path: number;
  readonly key: string;
}

/** Collects items in the order of the text. */
export class ItemCollector implements Items {
  readonly row: number[] = [];
  readonly list: number[] = [];
  readonly members = { item: [] as number[], key: [] as number[], value: [] as number[] };

  /** The number of a new item; -1 where there are too many. */
  add(row: number, list: number): number {
    if (this.row.length >= MOST) return -1;
    this.row.push(row);
    this.list.push(list);
    return this.row.length - 1;
  }

  addMember({ item, path, key }: Place, text: string, from: number, end: number): void {
    const { members } = this;
    if (item < 0 || members.item.length >= MOST) return;
    members.item.push(item);
    members.key.push((path + hashOf(key)) | 0);
    members.value.push(hashOf(text.slice(from, Math.min(end, from + VALUE_CHARS))));
  }

  /** Removes all but the first `count` items: the others are in a list that is one row. */
  forgetFrom(count: number): void {
    const { item, key, value } = this.members;
    this.row.length = count;
    this.list.length = count;
    while ((item.at(-1) ?? -1) >= count) for (const values of [item, key, value]) values.pop();
  }
}

/** The keys on the way to what stands under one more key. */
export function pathUnder(path: number, key: string): number {
  return (Math.imul(path, 31) + hashOf(key)) | 0;
}
