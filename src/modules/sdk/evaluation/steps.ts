/** The result of work that is done in steps, between which others can be let in. */
export type Steps<Result> = Generator<void, Result>;

/** The same, in one piece. */
export function allSteps<Result>(steps: Steps<Result>): Result {
  let step = steps.next();
  while (!step.done) step = steps.next();
  return step.value;
}
