export type Connection = 'live' | 'connecting';

/** Shorter gaps are not shown: the stream reconnects within a second whenever access changes. */
export const toleratedGapMs = 3_000;

/** The state of the live stream. `isLost` is true after the tolerated gap. */
export function createConnection() {
  let state: Connection = 'connecting';
  let isLost = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const listeners = new Set<() => void>();
  const notify = () => {
    for (const listener of listeners) listener();
  };
  const startTimer = () => {
    timer = setTimeout(() => {
      isLost = true;
      notify();
    }, toleratedGapMs);
  };
  startTimer();
  return {
    state: () => state,
    isLost: () => isLost,
    set: (next: Connection) => {
      if (state === next) return;
      state = next;
      clearTimeout(timer);
      if (next === 'live') isLost = false;
      else startTimer();
      notify();
    },
    subscribe: (listener: () => void) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
