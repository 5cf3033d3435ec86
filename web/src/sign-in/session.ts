import { useSyncExternalStore } from 'react';

/** Whether the user is signed in. Unknown until the server has said so. */
type Session = 'unknown' | 'begun' | 'ended';

let session: Session = 'unknown';
const listeners = new Set<() => void>();

function set(value: Session): void {
  if (session === value) return;
  session = value;
  for (const listener of listeners) listener();
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};

export const sessionBegun = (): void => set('begun');

/** Only a session that has begun can end; without one, the user has not signed in yet. */
export const sessionEnded = (): void => {
  if (session === 'begun') set('ended');
};

export const hasSessionEnded = (): boolean => session === 'ended';

export const useSessionHasEnded = (): boolean => useSyncExternalStore(subscribe, hasSessionEnded);

/** Resolves when the user has signed in again; rejects when the request is aborted. */
export const sessionToBegin = (signal?: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const done = () => {
      stop();
      signal?.removeEventListener('abort', abort);
    };
    const abort = () => {
      done();
      reject(signal?.reason);
    };
    const stop = subscribe(() => {
      if (session !== 'begun') return;
      done();
      resolve();
    });
    signal?.addEventListener('abort', abort);
    if (signal?.aborted) abort();
  });

/** The tabs and windows of this browser share a cookie, so they tell each other when it is valid again. */
const channel = new BroadcastChannel('burgee-session');

export const tellOtherTabs = (): void => channel.postMessage('begun');

export const onSignedInElsewhere = (listener: () => void): (() => void) => {
  channel.addEventListener('message', listener);
  return () => channel.removeEventListener('message', listener);
};
