/** Work in steps, between which other requests can be served. */
export type Steps<Result> = Generator<void, Result>;

/** Runs all steps at once. */
export function allSteps<Result>(steps: Steps<Result>): Result {
  let step = steps.next();
  while (!step.done) step = steps.next();
  return step.value;
}
