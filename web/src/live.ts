import { useSyncExternalStore } from 'react';
import type { Api } from '../../src/contract.ts';
import { basePath } from './api.ts';
import { isConcerned, type ServerEvent } from './concerns.ts';
import { type Connection, createConnection } from './connection.ts';
import { firstView } from './first-view.ts';
import { queryClient } from './queries.ts';

/** One event of the log, as the stream sends it. */
export type LogEvent = Api['GET /api/admin/search/events']['response']['events'][number];

const connection = createConnection();

export const useConnection = (): Connection =>
  useSyncExternalStore(connection.subscribe, connection.state);

/** Whether the stream has been away for so long that the user should know. */
export const useConnectionLost = (): boolean =>
  useSyncExternalStore(connection.subscribe, connection.isLost);

type Message =
  | { readonly event: LogEvent }
  /** Types of events that the user can't see, about things that everyone can read. */
  | { readonly hinted: readonly string[] }
  | { readonly connection: Connection }
  /** Operations whose response changed without an event. */
  | { readonly changed: readonly string[] }
  | 'hello';

const channel = new BroadcastChannel('burgee');

/** What happened since the last refresh. A burst of events refreshes once. */
let happened: ServerEvent[] = [];
const burstMs = 150;

/** Anything may have happened. */
const unknown: ServerEvent = { type: '' };

function refresh(...more: readonly ServerEvent[]): void {
  if (happened.length === 0) setTimeout(readAgain, burstMs);
  happened.push(...more);
}

function readAgain(): void {
  const since = happened;
  happened = [];
  void queryClient.invalidateQueries({
    // A tab that no one sees reads when it is shown again.
    refetchType: document.hidden ? 'none' : 'active',
    predicate: ({ queryKey: [operation, request] }) => {
      const { params } = (request ?? {}) as { readonly params?: Readonly<Record<string, unknown>> };
      return since.some((each) => isConcerned(each, String(operation), params));
    },
  });
}

const eventListeners = new Set<(event: LogEvent) => void>();

/** Calls the listener with every event that the user can see, as it is recorded. */
export function onLogEvent(listener: (event: LogEvent) => void): () => void {
  eventListeners.add(listener);
  return () => void eventListeners.delete(listener);
}

function receive(message: Message): void {
  if (message === 'hello') return;
  if ('connection' in message) connection.set(message.connection);
  else if ('changed' in message) {
    for (const operation of message.changed) {
      void queryClient.invalidateQueries({ queryKey: [operation] });
    }
  } else if ('hinted' in message) {
    refresh(...message.hinted.map((type) => ({ type, isHint: true }) as const));
  } else {
    for (const listener of eventListeners) listener(message.event);
    refresh(message.event);
  }
}

/** Makes the other tabs of this browser read these operations again. */
export const tellTabs = (...changed: readonly (keyof Api)[]): void =>
  channel.postMessage({ changed } satisfies Message);

let isFollowing = false;

/**
 * Follows the log for all tabs of this browser: the one that gets the lock holds the stream and passes on what it
 * reads. Browsers allow six connections to a host over HTTP/1.1, so one stream for each tab would block the seventh.
 */
export function followLog(): void {
  if (isFollowing) return;
  isFollowing = true;
  channel.onmessage = ({ data }: MessageEvent<Message>) => {
    if (data === 'hello') channel.postMessage({ connection: connection.state() });
    else receive(data);
  };
  channel.postMessage('hello');
  void navigator.locks.request('burgee-stream', () => new Promise<never>(holdStream));
}

const againMs = 3_000;
const settledMs = 2_000;

let wasOpen = false;

function holdStream(): void {
  const tell = (message: Message) => {
    receive(message);
    channel.postMessage(message);
  };
  const stream = new EventSource(`${basePath}api/admin/search/events?hints=true`);
  stream.onopen = () => {
    tell({ connection: 'live' });
    // Events during the gap were missed.
    if (wasOpen) refresh(unknown);
    // After the first view, which would otherwise be loaded twice.
    else void firstView.then(() => setTimeout(() => refresh(unknown), settledMs));
    wasOpen = true;
  };
  // Without a network a stream would count as open for minutes.
  const leave = () => {
    stream.close();
    tell({ connection: 'connecting' });
    window.addEventListener('online', holdStream, { once: true });
  };
  window.addEventListener('offline', leave, { once: true });
  stream.onerror = () => {
    tell({ connection: 'connecting' });
    if (stream.readyState !== EventSource.CLOSED) return;
    window.removeEventListener('offline', leave);
    setTimeout(holdStream, againMs);
    // A stream can't say why it was refused. Reading the user shows if the session has expired.
    void queryClient.invalidateQueries({ queryKey: ['GET /api/admin/user'] });
  };
  stream.addEventListener('event', ({ data }) => tell({ event: JSON.parse(data) }));
  stream.addEventListener('hint', ({ data }) => tell({ hinted: JSON.parse(data).types }));
}
