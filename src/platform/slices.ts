/** How long work may run before it yields. A tenth of a second would be noticed; shorter slices cost more turns. */
const sliceMs = 10;

const monotonic = () => performance.now();

const waiting: (() => void)[] = [];

function next(): void {
  waiting.shift()?.();
  if (waiting.length > 0) setImmediate(next);
}

/**
 * Waits until all other pending work has had its turn. Waiters resume one at a time, so that a hundred long pieces of
 * work delay others no longer than one does.
 */
function yieldTurn(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    if (waiting.length === 1) setImmediate(next);
  });
}

let turnBeganMs: number | undefined;

/**
 * Returns when the first new work of this turn began. All new work of a turn shares one slice: a hundred requests that
 * arrive together would otherwise take a hundred slices before anyone else has a turn.
 */
function beginInTurn(nowMs: number): number {
  if (turnBeganMs === undefined) {
    turnBeganMs = nowMs;
    setImmediate(() => {
      turnBeganMs = undefined;
    });
  }
  return turnBeganMs;
}

interface Slices {
  readonly isOver: () => boolean;
  readonly pause: () => Promise<void>;
}

/** For long work: between steps it checks whether its slice is over, and then yields. */
export function createSlices(nowMs: () => number = monotonic): Slices {
  let began = beginInTurn(nowMs());
  const isOver = () => nowMs() - began > sliceMs;
  return {
    isOver,
    async pause() {
      if (!isOver()) return;
      await yieldTurn();
      began = nowMs();
    },
  };
}

/** Runs a generator: synchronously for the first slice, and the rest slice by slice. */
export function inSlices<Result>(
  steps: Iterator<unknown, Result>,
  nowMs?: () => number,
): Result | Promise<Result> {
  const slices = createSlices(nowMs);
  const go = (): IteratorResult<unknown, Result> => {
    let step = steps.next();
    while (!step.done && !slices.isOver()) step = steps.next();
    return step;
  };
  const first = go();
  if (first.done) return first.value;
  const goOn = async () => {
    for (;;) {
      await slices.pause();
      const step = go();
      if (step.done) return step.value;
    }
  };
  return goOn();
}

/** Runs a generator at once, for callers that have no one else to serve. */
export function allAtOnce<Result>(steps: Iterator<unknown, Result>): Result {
  let step = steps.next();
  while (!step.done) step = steps.next();
  return step.value;
}
