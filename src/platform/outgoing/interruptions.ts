/** Calls `interrupt` when the signal is aborted; returns how to take that back. */
export type WhenAborted = (signal: AbortSignal, interrupt: () => void) => () => void;

/** One listener per signal, however many wait for it: Node warns of a leak from the eleventh on. */
export const createInterruptions = (): WhenAborted => {
  const waiting = new WeakMap<AbortSignal, { all: Set<() => void>; listener: () => void }>();

  const begin = (signal: AbortSignal) => {
    const all = new Set<() => void>();
    const listener = () => {
      for (const interrupt of all) interrupt();
    };
    signal.addEventListener('abort', listener);
    const entry = { all, listener };
    waiting.set(signal, entry);
    return entry;
  };

  return (signal, interrupt) => {
    const { all, listener } = waiting.get(signal) ?? begin(signal);
    all.add(interrupt);
    return () => {
      all.delete(interrupt);
      if (all.size > 0) return;
      signal.removeEventListener('abort', listener);
      waiting.delete(signal);
    };
  };
};
