// Properties are tried with the same cases in every run, so that a run that fails fails again. `JEEVES_SEED=random`
// tries others (as `npm run soak` does), `JEEVES_SEED=N` those of a run that failed.
import fc from "fast-check";

const wanted = process.env.JEEVES_SEED ?? "20261118";
if (wanted !== "random") {
  const seed = Number(wanted);
  if (!Number.isInteger(seed)) throw new Error(`JEEVES_SEED is "${wanted}"; a whole number or "random" is needed`);
  fc.configureGlobal({ seed });
}
