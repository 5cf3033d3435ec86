import { useSyncExternalStore } from 'react';
import { queryClient } from './queries.ts';

const quietMs = 200;
/** A read that takes longer holds up nothing else. */
const patienceMs = 10_000;

let isShown = false;
const listeners = new Set<() => void>();

function show(): void {
  if (isShown) return;
  isShown = true;
  for (const listener of listeners) listener();
  listeners.clear();
}

function subscribe(listener: () => void): () => void {
  if (!isShown) listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** Resolves when the first view has its data, or the user acts. Whatever can wait for it is loaded then. */
export const firstView = new Promise<void>((resolve) => subscribe(resolve));

export const useFirstView = (): boolean => useSyncExternalStore(subscribe, () => isShown);

/** Waits until no data has been read for a moment, after the script of the view was loaded. */
export function watchFirstView(loaded: Promise<unknown>): void {
  for (const action of ['pointerdown', 'keydown']) {
    addEventListener(action, show, { capture: true, once: true });
  }
  setTimeout(show, patienceMs);
  let wasQuiet = false;
  const look = () => {
    const isQuiet = queryClient.isFetching() === 0;
    if (isQuiet && wasQuiet) show();
    else if (!isShown) setTimeout(look, quietMs);
    wasQuiet = isQuiet;
  };
  void loaded.then(look, look);
}
