/** Lets at most so many pieces of work run at once; the others wait in line. */
export function createTurns(atOnce: number) {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async <Result>(work: () => Promise<Result>): Promise<Result> => {
    if (running >= atOnce) await new Promise<void>((resume) => waiting.push(resume));
    else running += 1;
    try {
      return await work();
    } finally {
      // The place is handed on, not given back and taken again: nobody can jump the line.
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}
