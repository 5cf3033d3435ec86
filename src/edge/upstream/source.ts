import type { IncomingHttpHeaders } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { staleHeader } from '../../modules/sdk/snapshot/index.ts';
import type { Logger } from '../../platform/log.ts';
import { applyDelta, readContent, type SourceContent } from './content.ts';
import { readEventStream } from './event-stream.ts';
import { createOffer, jittered } from './offer.ts';
import { readDelta, readWhole } from './payload.ts';
import {
  type Upstream,
  type UpstreamAnswer,
  upstreamAnswered,
  upstreamFailed,
} from './requests.ts';

/** A stream that is silent for this long has lost its connection. Upstreams send a comment every 20 to 30 s. */
const silentMs = 90_000;
/** The pauses after failures: they double. */
const firstPauseMs = 1_000;
/** A stream that ends sooner counts as a failure. */
const shortStreamMs = 5_000;
const longestPauseMs = 60_000;

/** How the content is updated: `delta` and `features` are polled. */
export type SourceMode = 'stream' | 'delta' | 'features';

export interface Source {
  readonly content: () => SourceContent | undefined;
  readonly mode: () => SourceMode;
  /** When the content was last known to be current, on the monotonic clock; undefined before. */
  readonly confirmedMs: () => number | undefined;
  /** Whether the upstream was read since the start, the last try succeeded, and its state is not stale itself. */
  readonly isCurrent: () => boolean;
  /** Resolves after the first try. */
  readonly tried: Promise<void>;
  readonly stop: () => void;
}

interface SourceOptions {
  readonly upstream: Pick<Upstream, 'get' | 'open'>;
  readonly token: string;
  readonly refreshMs: number;
  /** A stream without content has failed if it makes no progress for this long. */
  readonly requestTimeoutMs: number;
  readonly streaming: boolean;
  readonly delta: boolean;
  /** What was known before the start, with the time at which it was current. */
  readonly before?: { readonly content: SourceContent; readonly confirmedMs: number } | undefined;
  readonly log: Logger;
  /** The content changed. */
  readonly onChange: () => void;
  /** The upstream refused the token: a reason to ask about it, and for nothing else. */
  readonly onRefused: () => void;
  /** The upstream could be read before and cannot be read now, or the other way round. */
  readonly onTurn: () => void;
}

/** The upstream does not have the endpoint, or not for this token. Errors of a restart are not a reason. */
const isNotOffered = (status: number): boolean =>
  status >= 400 && status < 500 && ![408, 425, 429].includes(status);

const isRefused = (status: number): boolean => status === 401 || status === 403;

/** How old the state of the upstream is, in seconds; undefined while it is current. */
const ageIn = (text: unknown): number | undefined =>
  typeof text === 'string' && /^\d{1,9}$/.test(text) ? Number(text) : undefined;

const ageOf = (headers: IncomingHttpHeaders) => ageIn(headers[staleHeader]);

/**
 * Follows the content of one token: through a stream if the upstream offers it, or else by polling deltas, or else
 * everything. Nothing that the upstream answers makes it forget what it has.
 */
export function followSource(options: SourceOptions): Source {
  const { upstream, token, refreshMs, requestTimeoutMs, log, onChange, onRefused, onTurn } =
    options;
  const stopping = new AbortController();
  const { signal } = stopping;
  let content = options.before?.content;
  let confirmedMs = options.before?.confirmedMs;
  let mode: SourceMode = 'features';
  /** Content from before the start is stale until the upstream was read. */
  let isRead = false;
  let failure: unknown;
  let isBehind = false;
  let failures = 0;
  /** The tags of the last responses, for If-None-Match. */
  let featuresTag: string | undefined;
  let deltaTag: string | undefined;
  /** The last event whose content is here; sent to continue a stream. Polled content is not that of an event. */
  let lastEventId: string | undefined;
  const streams = createOffer(options.streaming);
  const deltas = createOffer(options.delta);
  let markTried: () => void = () => undefined;
  const tried = new Promise<void>((resolve) => {
    markTried = resolve;
  });

  const isCurrent = () => isRead && failure === undefined && !isBehind;

  function confirm(
    fresh: SourceContent | undefined,
    by: SourceMode,
    ageSeconds: number | undefined,
  ): void {
    const wasCurrent = isCurrent();
    const wasBehind = isBehind;
    isBehind = ageSeconds !== undefined;
    isRead = true;
    const hasFailed = failure !== undefined;
    failure = undefined;
    failures = 0;
    mode = by;
    confirmedMs = performance.now() - (ageSeconds ?? 0) * 1000;
    markTried();
    if (hasFailed) {
      log.info({ by }, 'the upstream responds again');
    }
    if (isBehind && !wasBehind) log.warn({ ageSeconds }, 'the state of the upstream is stale');
    if (isCurrent() !== wasCurrent) onTurn();
    if (!fresh || fresh === content) return;
    content = fresh;
    onChange();
  }

  function fail(error: unknown): void {
    const isFirst = failure === undefined;
    failure = error;
    failures += 1;
    markTried();
    if (!isFirst) return;
    log.warn({ err: error }, 'the upstream is unavailable: serving the last state');
    onTurn();
  }

  function successOf(answer: UpstreamAnswer, path: string): UpstreamAnswer {
    if (answer.status === 200 || answer.status === 304) return answer;
    if (isRefused(answer.status)) onRefused();
    throw upstreamAnswered(`GET ${path}`, answer.status);
  }

  const conditional = (tag: string | undefined) =>
    tag === undefined ? {} : { 'if-none-match': tag };

  async function pollFeatures(): Promise<void> {
    const path = '/api/client/features';
    const headers = conditional(featuresTag);
    const answer = successOf(await upstream.get(path, { token, headers }), path);
    if (signal.aborted) return;
    if (answer.status === 304) return confirm(undefined, 'features', ageOf(answer.headers));
    const fresh = await readContent(readWhole(answer.body), content);
    featuresTag = answer.headers.etag;
    deltaTag = undefined;
    lastEventId = undefined;
    confirm(fresh, 'features', ageOf(answer.headers));
  }

  /** Returns whether the upstream offers deltas. */
  async function pollDelta(): Promise<boolean> {
    const path = '/api/client/delta';
    const answer = await upstream.get(path, { token, headers: conditional(deltaTag) });
    if (signal.aborted) return true;
    if (isNotOffered(answer.status)) return false;
    successOf(answer, path);
    if (answer.status === 304) {
      confirm(undefined, 'delta', ageOf(answer.headers));
      return true;
    }
    try {
      // Without a tag the response has everything.
      const fresh = await applyDelta(readDelta(answer.body), content);
      deltaTag = answer.headers.etag;
      featuresTag = undefined;
      lastEventId = undefined;
      confirm(fresh, 'delta', ageOf(answer.headers));
    } catch (error) {
      // The next response must not build on what is not here.
      deltaTag = undefined;
      throw error;
    }
    return true;
  }

  async function poll(): Promise<void> {
    try {
      if (deltas.waitMs() === 0) {
        if (await pollDelta()) return deltas.take();
        deltas.refuse();
      }
      if (!signal.aborted) await pollFeatures();
    } catch (error) {
      if (!signal.aborted) fail(error);
    }
  }

  /** The events of a stream, one after the other: each builds on the one before. */
  let applied = Promise.resolve();

  /** Follows a stream to its end. Returns false if the upstream offers none. */
  async function stream(): Promise<boolean> {
    const path = '/api/client/streaming';
    const beganMs = performance.now();
    const incoming = await upstream.open(
      path,
      {
        token,
        headers: {
          accept: 'text/event-stream',
          'unleash-sdk-type': 'edge',
          ...(lastEventId !== undefined && { 'last-event-id': lastEventId }),
        },
      },
      signal,
    );
    const { statusCode: status = 0, headers } = incoming;
    if (status !== 200 || !headers['content-type']?.startsWith('text/event-stream')) {
      incoming.destroy();
      if (isNotOffered(status) || status < 400) return false;
      throw upstreamAnswered(`GET ${path}`, status);
    }
    streams.take();
    let broken: unknown;
    /** Whether it has sent an event, or a heartbeat that confirms earlier ones. */
    let hasSign = false;
    /** As of the headers, and then as of the last heartbeat: a stream goes on while its upstream becomes stale. */
    let ageSeconds = ageOf(headers);
    /** Set once the content is that of the stream. Signs of life before that confirm nothing. */
    let isContinued = lastEventId !== undefined;
    const ending = new AbortController();
    const end = () => ending.abort();
    signal.addEventListener('abort', end);
    const idle = setTimeout(() => {
      if (!isContinued) end();
    }, requestTimeoutMs).unref();
    await readEventStream(incoming, {
      silentMs,
      signal: ending.signal,
      onComment: (text) => {
        ageSeconds = ageIn(/^stale (\d+)$/.exec(text)?.[1]);
      },
      onSign: (text) => {
        // The first event of many features arrives in many parts. Heartbeats are no part of it.
        if (!hasSign && !text.startsWith(':')) idle.refresh();
        if (!isContinued || broken) return;
        hasSign = true;
        confirm(undefined, 'stream', ageSeconds);
      },
      onEvent: ({ id, data }) => {
        hasSign = true;
        clearTimeout(idle);
        applied = applied.then(async () => {
          if (broken || signal.aborted) return;
          try {
            const fresh = await applyDelta(readDelta(JSON.parse(data)), content);
            lastEventId = id;
            isContinued = true;
            featuresTag = undefined;
            deltaTag = undefined;
            confirm(fresh, 'stream', ageSeconds);
          } catch (error) {
            broken = error;
            lastEventId = undefined;
            end();
          }
        });
      },
    }).finally(() => {
      clearTimeout(idle);
      signal.removeEventListener('abort', end);
      return applied;
    });
    if (broken) throw broken;
    if (!hasSign && !signal.aborted) throw upstreamFailed(`GET ${path}: the stream sent nothing`);
    if (performance.now() - beganMs < shortStreamMs && !signal.aborted) {
      throw upstreamFailed(`GET ${path}: the stream ended at once`);
    }
    return true;
  }

  const wait = (ms: number): Promise<unknown> =>
    pause(ms, undefined, { signal, ref: false }).catch(() => undefined);

  const backOff = (): number =>
    jittered(Math.min(longestPauseMs, firstPauseMs * 2 ** Math.min(10, failures - 1)));

  async function run(): Promise<void> {
    while (!signal.aborted) {
      if (streams.waitMs() === 0) {
        try {
          if (!(await stream())) streams.refuse();
          else if (!signal.aborted) await wait(jittered(500));
          continue;
        } catch (error) {
          // The stream continues after the pause; until then, the content is polled.
          log.debug({ err: error }, 'the stream of the upstream failed');
          streams.pause(backOffOfStream());
        }
      }
      await poll();
      const usual = failure ? Math.min(backOff(), Math.max(refreshMs, firstPauseMs)) : refreshMs;
      const untilStream = Math.max(firstPauseMs, streams.waitMs());
      await wait(Math.min(jittered(usual), untilStream));
    }
  }

  let streamFailures = 0;
  const backOffOfStream = (): number => {
    streamFailures = mode === 'stream' ? 1 : streamFailures + 1;
    return jittered(Math.min(longestPauseMs, firstPauseMs * 2 ** Math.min(10, streamFailures)));
  };

  void run();
  return {
    content: () => content,
    mode: () => mode,
    confirmedMs: () => confirmedMs,
    isCurrent,
    tried,
    stop: () => stopping.abort(),
  };
}
