/** So long may work go on while others wait: a tenth of a second would be felt, and less costs more turns. */
const sliceMs = 10;

const monotonic = () => performance.now();

const waiting: (() => void)[] = [];

function next(): void {
  waiting.shift()?.();
  if (waiting.length > 0) setImmediate(next);
}

/**
 * Waits until whatever else there is to do has had its turn. Of all who wait, one goes on at a time: a hundred long
 * pieces of work keep nobody waiting longer than one does.
 */
function yieldTurn(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    if (waiting.length === 1) setImmediate(next);
  });
}

interface Slices {
  readonly isOver: () => boolean;
  readonly pause: () => Promise<void>;
}

/** For long work: between its steps it asks whether its slice is over, and then yields its turn. */
export function createSlices(nowMs: () => number = monotonic): Slices {
  let began = nowMs();
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

/** Takes the steps of a generator: at once as far as one slice reaches, and the rest slice by slice. */
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
