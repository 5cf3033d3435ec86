import { setTimeout as pause } from 'node:timers/promises';

/** Closes the streams of a module, one after another. Stops early if `hurry` is aborted. */
export type CloseStreams = (hurry: AbortSignal) => Promise<void>;

/** Waits, unless there is a hurry. */
const wait = (ms: number, hurry: AbortSignal): Promise<void> =>
  pause(ms, undefined, { signal: hurry }).catch(() => undefined);

/**
 * Keeps serving for a time in which load balancers notice that `/ready` fails, then closes the streams. Fastify sends
 * `Connection: close` meanwhile, so that clients open their next connection to another instance.
 */
export async function drain(
  closings: readonly CloseStreams[],
  { waitMs, hurry }: { readonly waitMs: number; readonly hurry: AbortSignal },
): Promise<void> {
  await wait(waitMs, hurry);
  await Promise.all(closings.map((close) => close(hurry)));
}

/** Streams are closed this slowly, because their clients reconnect at once: a thousand a second, all within 10 s. */
const stepMs = 10;
export const closingStreamsMs = 10_000;

/** Calls `close` for all streams, spread over a millisecond for each. */
export async function closeOneByOne<Stream>(
  streams: readonly Stream[],
  close: (some: readonly Stream[]) => void,
  hurry: AbortSignal,
): Promise<void> {
  const steps = Math.ceil(Math.min(streams.length, closingStreamsMs) / stepMs);
  const perStep = Math.ceil(streams.length / steps);
  for (let at = 0; at < streams.length; at += perStep) {
    if (at > 0) await wait(stepMs, hurry);
    if (hurry.aborted) return;
    close(streams.slice(at, at + perStep));
  }
}

const between = (lowMs: number, highMs: number): number =>
  Math.round(lowMs + Math.random() * (highMs - lowMs));

/**
 * Returns the field of an event stream that says when to reconnect. After streams were closed one by one, another
 * instance is there. If all close at once, their clients must not come back together, and this instance may need time
 * to start.
 */
export const retryField = (closed: 'one by one' | 'at once'): string =>
  `retry: ${closed === 'at once' ? between(1_000, 6_000) : between(100, 1_000)}\n`;
