// What the ranker sees of a text, taken where it is asked: the whole way of a cut before it is the one that serves.
/** The columns of all lines; undefined where the engine never asks a ranker. */
export async function captureColumns({ prune, extra }, text, options) {
  let found;
  const ranker = {
    rank(input) {
      found = extra.extractColumns(input).columns;
      throw new Error("seen enough");
    },
  };
  await prune(text, { amount: { mode: "share", keep: 0.5 }, ...options, ranker });
  return found;
}
