import { readFile, stat } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import type { Batch } from '../../modules/sdk/client-metrics/report/buffer.ts';
import type { Snapshot } from '../../modules/sdk/snapshot/index.ts';
import type { Logger } from '../../platform/log.ts';
import { createSingleFlight } from '../../platform/single-flight.ts';
import { StartError } from '../../platform/start-error.ts';
import type { EdgeSettings } from '../settings.ts';
import { mergeStates, mergeStored, type OwnState } from '../state/merge-states.ts';
import { type EdgeState, readState, type StateStore, writtenState } from '../state/state.ts';
import { readContent, type SourceContent } from '../upstream/content.ts';
import { readWhole } from '../upstream/payload.ts';
import type { Upstream } from '../upstream/requests.ts';
import { mayCount } from '../usage/may-count.ts';
import { createOutbox, type Outbox } from '../usage/outbox.ts';
import { createEdgeReports } from './edge-reports.ts';
import type { Feed, Freshness, Receiver, ServedToken } from './feed.ts';
import { emptySnapshot, mergeContents } from './merge.ts';
import { cover, coverageOf, overlap, sizeOf } from './scopes.ts';
import { createSources, type SourceState } from './sources.ts';
import { createTokenRegistry } from './token-registry.ts';
import { hashOf, type KnownToken } from './tokens.ts';

/** Changes within this time are stored together. */
const storeAfterMs = 1_000;
/** Features change this long after the tokens: streams of revoked ones have ended by then. */
const tokensFirstMs = 100;
/** How often the age of the state is stored, and told. */
const ageEveryMs = 5_000;
const storeAgeEveryMs = 10 * 60_000;
/** How soon the upstream is asked again about tokens, after it was away or refused one. */
const askAgainMs = 10_000;
/** A client with a new token waits this long for its features. */
const firstReadMs = 10_000;

export interface Hub extends Feed {
  /** Reads the last state and begins to follow the upstream. Never waits for the upstream. */
  readonly start: () => Promise<void>;
  /** Stores everything for the last time. */
  readonly close: () => Promise<void>;
  /** A process that served has ended. */
  readonly forget: (process: number) => void;
  /** Ends without storing anything, as after a kill. */
  readonly abandon: () => void;
}

interface HubOptions {
  readonly settings: EdgeSettings;
  readonly instanceId: string;
  readonly upstream: Upstream | undefined;
  /** The folder and Redis, whichever are configured. */
  readonly stores: readonly StateStore[];
  readonly log: Logger;
}

/** Talks to the upstream, and keeps what SDKs are served from. There is one, however many processes serve. */
export function createHub(options: HubOptions): Hub {
  const { settings, instanceId, upstream, stores, log } = options;
  const { mode, refreshMs, upstreamUrl } = settings;
  const stopping = new AbortController();
  const { signal } = stopping;
  const receivers = new Set<Receiver>();
  let snapshot: Snapshot = emptySnapshot;
  let isStarted = false;

  const tokens = createTokenRegistry({
    ...{ upstream, mode, configured: settings.tokens, log },
    onChange: () => onTokens(),
    // Which tokens are used decides how old the state is. An upstream that is away may take seconds to fail.
    onUse: () => tellFreshness(),
  });
  const sources = createSources({
    ...{ upstream, refreshMs, requestTimeoutMs: settings.requestTimeoutMs, log },
    ...{ streaming: settings.streaming, delta: settings.delta },
    secretOf: tokens.secretOf,
    onChange: () => onContent(),
    onRefused: () => askSoon(),
    onTurn: () => tellFreshness(),
  });

  function served(some: readonly KnownToken[]): ServedToken[] {
    // Most lookups are of invented tokens.
    if (some.length === 0) return [];
    const loaded = coverageOf(sources.contents());
    return some.map((token) => ({
      ...token,
      isReady: loaded.contains(token),
      isSecretUnknown: tokens.secretOf(token.hash) === undefined,
    }));
  }
  const servedTokens = () => served(tokens.list());

  function freshness(): Freshness {
    // Nothing is served of what was never read.
    const states = sources.states().filter(({ content }) => content);
    const loaded = coverageOf(states.filter(({ mode: by }) => by !== 'stored'));
    // After a restart there may be tokens that nobody uses any more: what only they need stays as old as it is.
    const open = tokens
      .list()
      .filter((token) => tokens.isUsed(token.hash) && !loaded.contains(token));
    const counted = states.filter(
      (state) => state.mode !== 'stored' || open.some((token) => overlap(token, state)),
    );
    if (mode === 'offline' || counted.length === 0)
      return { confirmedAt: undefined, isStale: false };
    const oldestMs = Math.min(...counted.map(({ confirmedMs = 0 }) => confirmedMs));
    return {
      confirmedAt: Date.now() - (performance.now() - oldestMs),
      isStale: counted.some(({ isFailing }) => isFailing),
    };
  }

  const tellTokens = () => {
    const all = servedTokens();
    for (const { onTokens: tell } of receivers) tell(all);
  };
  const tellFreshness = () => {
    const now = freshness();
    for (const { onFreshness: tell } of receivers) tell(now);
  };
  const usage = () => ({ waiting: outbox?.waiting() ?? 0, dropped: outbox?.dropped() ?? 0 });
  const tellUsage = () => {
    const now = usage();
    for (const { onUsage: tell } of receivers) tell(now);
  };

  function onContent(): void {
    snapshot = mergeContents(sources.contents(), snapshot);
    for (const { onSnapshot: tell } of receivers) tell(snapshot);
    tellTokens();
    tellFreshness();
    storeSoon();
  }

  /** Tokens come first: a stream of a revoked one ends before it could send that all features are gone. */
  function onTokens(): void {
    if (!isStarted) return;
    sources.follow(tokens.list());
    tellTokens();
    const publish = () => signal.aborted || onContent();
    if (receivers.size === 0) publish();
    else setTimeout(publish, tokensFirstMs).unref();
  }

  // What is stored.

  const stateNow = (): OwnState => {
    const atMs = (confirmedMs: number | undefined) =>
      Math.round(Date.now() - (performance.now() - (confirmedMs ?? 0)));
    const states = sources.states();
    const isCurrent = ({ mode: by, isFailing }: SourceState) => by !== 'stored' && !isFailing;
    return {
      revision: snapshot.revision,
      tokens: tokens.list().filter(({ isValidated }) => isValidated),
      refused: tokens.refused(),
      // The bootstrap file may be another one after a restart.
      sources: states.flatMap((each) => {
        const { environment, projects, token, content, isFromFile } = each;
        if (!content || isFromFile) return [];
        return [{ environment, projects, token, content, confirmedAt: atMs(each.confirmedMs) }];
      }),
      validated: tokens.validated(),
      revoked: tokens.revoked(),
      current: new Set(states.filter(isCurrent).map(({ token }) => token)),
    };
  };

  /** Other edges may have stored what this one does not know. What cannot be read is replaced. */
  function stateToStore(own: OwnState, stored: string | undefined): string {
    let state: EdgeState = own;
    try {
      if (stored !== undefined) state = mergeStates(own, readState(stored, upstreamUrl));
    } catch (error) {
      log.error({ err: error }, 'a stored state cannot be used');
    }
    return writtenState(state, upstreamUrl);
  }

  const writes = createSingleFlight<'write', void>();
  let storeFailure: unknown;
  const store = (): Promise<void> =>
    writes.joinNext('write', async () => {
      // Before the upstream has answered there may be nothing, which must not replace a state.
      const hasAny = tokens.revoked().size > 0 || tokens.list().some((each) => each.isValidated);
      if (stores.length === 0 || !hasAny) return;
      let failed: PromiseRejectedResult | undefined;
      try {
        const state = stateNow();
        const outcomes = await Promise.allSettled(
          stores.map((each) => each.write('state', (stored) => stateToStore(state, stored))),
        );
        failed = outcomes.find((outcome) => outcome.status === 'rejected');
      } catch (reason) {
        failed = { status: 'rejected', reason };
      }
      if (failed && !storeFailure) {
        log.error({ err: failed.reason }, 'the state cannot be stored, trying again');
      } else if (!failed && storeFailure) log.info('the state is stored again');
      storeFailure = failed?.reason;
    });

  let storing: NodeJS.Timeout | undefined;
  function storeSoon(): void {
    if (!isStarted || signal.aborted) return;
    storing ??= setTimeout(() => {
      storing = undefined;
      void store();
    }, storeAfterMs).unref();
  }

  async function restoreState(): Promise<void> {
    const states: EdgeState[] = [];
    for (const each of stores) {
      try {
        const text = await each.read('state');
        if (text !== undefined) states.push(readState(text, upstreamUrl));
      } catch (error) {
        log.error({ err: error }, 'a stored state cannot be used');
      }
    }
    const state = mergeStored(states);
    if (!state) return;
    snapshot = { ...emptySnapshot, revision: state.revision };
    tokens.restore(state);
    const known = new Set(tokens.list().map(({ environment }) => environment));
    sources.restore(
      state.sources.filter(({ environment }) => known.has(environment)),
      Date.now(),
      'state',
    );
    log.info({ tokens: tokens.list().length }, 'the last state was read');
  }

  /** Serves a file in the format of /api/client/features to the tokens without features. */
  async function readBootstrap(file: string): Promise<void> {
    tokens.trustConfigured();
    const loaded = coverageOf(mode === 'offline' ? [] : sources.contents());
    const open = tokens.list().filter((token) => !loaded.contains(token));
    if (open.length === 0 && mode !== 'offline') return;
    let content: SourceContent;
    let changedMs: number;
    try {
      changedMs = (await stat(file)).mtimeMs;
      content = await readContent(readWhole(JSON.parse(await readFile(file, 'utf8'))), undefined);
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      throw new StartError(`BOOTSTRAP_FILE: ${file} cannot be read (${code ?? message})`);
    }
    sources.restore(
      open.map(({ hash, environment, projects }) => ({
        ...{ token: hash, environment, projects, content },
        confirmedAt: changedMs,
      })),
      Date.now(),
      'file',
    );
  }

  async function reload(everyMs: number, file: string): Promise<void> {
    while (!signal.aborted) {
      await pause(everyMs, undefined, { signal, ref: false }).catch(() => undefined);
      if (signal.aborted) return;
      try {
        await readBootstrap(file);
        onTokens();
      } catch (error) {
        log.warn({ err: error }, 'the bootstrap file could not be read again');
      }
    }
  }

  // Tokens at the upstream.

  let wakeAsking: () => void = () => undefined;
  let askedMs = Number.NEGATIVE_INFINITY;
  function askSoon(): void {
    if (performance.now() - askedMs >= askAgainMs) wakeAsking();
  }

  async function keepAsking(): Promise<void> {
    let failure: unknown;
    while (!signal.aborted) {
      let nextMs = settings.revalidationMs;
      askedMs = performance.now();
      try {
        await tokens.revalidate();
        if (failure) log.info('the upstream validates tokens again');
        failure = undefined;
        if (mode === 'strict' && tokens.list().length === 0) {
          nextMs = askAgainMs;
          log.error('the upstream accepts none of the tokens in TOKENS: nothing is served');
        }
      } catch (error) {
        if (!failure) log.warn({ err: error }, 'tokens cannot be validated, trying again');
        failure = error;
        nextMs = Math.min(askAgainMs, nextMs);
      }
      const woken = new AbortController();
      wakeAsking = () => woken.abort();
      const either = AbortSignal.any([signal, woken.signal]);
      await pause(nextMs, undefined, { signal: either, ref: false }).catch(() => undefined);
    }
  }

  // Usage, and what this edge tells about itself.

  const reports = createEdgeReports({ settings, instanceId, upstream, log });
  const outbox: Outbox | undefined =
    upstream &&
    createOutbox({
      ...{ upstream, upstreamUrl, log },
      store: stores.find(({ keepsUsage }) => keepsUsage),
      sender: { appName: settings.appName, instanceId },
      findToken: (scope) => findToken((token) => cover([token], scope)),
      mayCount: (scope, feature) => mayCount(snapshot, scope, feature),
      onSent: reports.onUsageSent,
      onRefused: askSoon,
    });

  /** Of several tokens the one with the fewest projects: usage should be counted for as few as possible. */
  function findToken(isFitting: (token: KnownToken) => boolean): string | undefined {
    let found: { readonly secret: string; readonly size: number } | undefined;
    for (const token of tokens.list()) {
      const secret = tokens.secretOf(token.hash);
      if (token.audience !== 'client' || secret === undefined || !isFitting(token)) continue;
      const size = sizeOf(token);
      if (!found || size < found.size) found = { secret, size };
    }
    return found?.secret;
  }

  async function keepSending(box: Outbox): Promise<void> {
    while (!signal.aborted) {
      await pause(settings.metricsMs, undefined, { signal, ref: false }).catch(() => undefined);
      if (signal.aborted) return;
      await box.send();
      tellUsage();
      const { confirmedAt } = freshness();
      const ageSeconds = confirmedAt === undefined ? undefined : (Date.now() - confirmedAt) / 1000;
      await reports.send(
        findToken(() => true),
        ageSeconds,
      );
    }
  }

  function stop(): void {
    stopping.abort();
    clearInterval(aging);
    clearInterval(storingAge);
    clearTimeout(storing);
    sources.stop();
  }

  const aging = setInterval(() => {
    tellFreshness();
    tellUsage();
  }, ageEveryMs).unref();
  const storingAge = setInterval(() => void store(), storeAgeEveryMs).unref();

  return {
    async start() {
      if (mode !== 'offline') await restoreState();
      const { bootstrapFile, reloadMs } = settings;
      if (bootstrapFile) await readBootstrap(bootstrapFile);
      await outbox?.restore();
      isStarted = true;
      sources.follow(tokens.list());
      onContent();
      if (mode === 'offline') {
        if (reloadMs > 0 && bootstrapFile) void reload(reloadMs, bootstrapFile);
        return;
      }
      void keepAsking();
      if (outbox) void keepSending(outbox);
    },

    follow(receiver) {
      receivers.add(receiver);
      receiver.onSnapshot(snapshot);
      receiver.onTokens(servedTokens());
      receiver.onFreshness(freshness());
      receiver.onUsage(usage());
      return () => receivers.delete(receiver);
    },

    async find(secrets, address) {
      const unsuitable = await tokens.find(secrets, address);
      const hashes = [...new Set(secrets.map(hashOf))];
      const found = () => served(hashes.flatMap((hash) => tokens.findKnown(hash) ?? []));
      // A new token has no features yet. Its first client waits for them instead of being refused.
      const reading = found().filter(({ isReady }) => !isReady);
      if (reading.length > 0) {
        const ended = new AbortController();
        await Promise.race([
          Promise.all(reading.map(sources.tried)),
          pause(firstReadMs, undefined, { signal: ended.signal, ref: false }).catch(
            () => undefined,
          ),
        ]);
        ended.abort();
      }
      return { served: found(), unsuitable };
    },

    store: async (batch: Batch) => outbox?.add(batch),
    report: reports.take,
    forget: reports.forget,

    async close() {
      stop();
      await outbox?.close();
      await store();
      upstream?.close();
    },

    abandon() {
      stop();
      outbox?.abandon();
      upstream?.close();
    },
  };
}
