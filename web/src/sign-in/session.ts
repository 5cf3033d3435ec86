import { useSyncExternalStore } from 'react';

/** Whether the session has ended while the page is open. */
let hasEnded = false;
const listeners = new Set<() => void>();

function set(value: boolean): void {
  if (hasEnded === value) return;
  hasEnded = value;
  for (const listener of listeners) listener();
}

export const sessionEnded = (): void => set(true);
export const sessionBegun = (): void => set(false);

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};

export const useSessionHasEnded = (): boolean => useSyncExternalStore(subscribe, () => hasEnded);
