import type { ServerResponse } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import type { TokenScope } from '../../../../platform/actor.ts';
import { unavailable } from '../../../../platform/errors.ts';
import { closeOneByOne, retryField } from '../../../../platform/http/drain.ts';
import type { Services } from '../../../../platform/module.ts';
import { type Definitions, type Snapshot, staleSeconds } from '../../snapshot/index.ts';
import type { Content, Contents } from '../content.ts';
import { type ContentName, isOf, nameOf, updateJson } from '../delta.ts';
import type { StreamFormat } from '../features.ts';
import type { ClientResponses } from '../responses.ts';
import type { View } from '../view.ts';
import { createBroadcast, type StreamConnection } from './broadcast.ts';
import { heartbeatOf, updated, welcome } from './frames.ts';
import { createPublisher } from './publisher.ts';
import { watchTokens } from './watch.ts';

/** The streams with the same view and format. Each event is rendered once for all of them. */
interface Group {
  readonly view: View;
  readonly format: StreamFormat;
  /** The content that the streams have after everything in transit has arrived. */
  content: Content;
  readonly streams: Set<Stream>;
}

interface Stream extends StreamConnection {
  readonly group: Group;
  readonly token: number;
}

interface Follower {
  readonly raw: ServerResponse;
  /** The id of the token's actor. */
  readonly token: number;
  readonly tokenScope: TokenScope;
  /** The content that the client has from before an interruption. */
  readonly named: ContentName | undefined;
  readonly format: StreamFormat;
}

interface Streams {
  readonly count: () => number;
  /** Throws a 503 if this instance has reached its limit of streams, or is closing them. */
  readonly refuseTooMany: (view: View, format: StreamFormat) => void;
  /** Starts the stream of a request whose headers are sent. */
  readonly open: (follower: Follower, view: View, snapshot: Snapshot) => void;
}

interface Limits {
  readonly streams: number;
  /** Each group is rendered again by every change that affects it. */
  readonly groups: number;
}

/** Twice as many streams as the benchmark opens. */
const usualLimits: Limits = { streams: 20_000, groups: 5_000 };
/** A refused client retries, perhaps on another instance. */
const retryAfterSeconds = 30;
/** How long groups are served before other requests get a turn. */
const turnMs = 5;

/** SDKs and proxies close a stream that is silent for a minute. */
const heartbeatMs = 20_000;
const tickMs = 1_000;
/** How many bytes may wait for a slow reader, in addition to the first event. */
const patienceBytes = 1024 * 1024;

const keyOf = ({ digest }: View, format: StreamFormat): string => `${digest} ${format}`;

export function createStreams(
  services: Pick<Services, 'sdkTokens' | 'clock' | 'log' | 'stopping' | 'onDrain'>,
  {
    definitions,
    contents,
    responses,
    limits = usualLimits,
  }: {
    definitions: Pick<Definitions, 'current' | 'follow' | 'isStale' | 'ageSeconds'>;
    contents: Pick<Contents, 'findNow'>;
    responses: Pick<ClientResponses, 'everything' | 'update'>;
    limits?: Limits;
  },
): Streams {
  const { clock, log, stopping, onDrain } = services;
  const groups = new Map<string, Group>();
  const streams = new Map<ServerResponse, Stream>();
  const byToken = new Map<number, Set<Stream>>();
  const broadcast = createBroadcast();
  const tokens = watchTokens(services, endStreamsOf);
  let ticking: NodeJS.Timeout | undefined;
  let unfollow: () => void = () => undefined;
  let beatAt = 0;
  /** The latest snapshot, while there are streams. No group ever receives an earlier one. */
  let newest: Snapshot | undefined;

  /** Sends a group its changes. */
  function advance(group: Group, snapshot: Snapshot): Promise<void> | undefined {
    const { view, format, content: before } = group;
    const content = contents.findNow(snapshot, view, before);
    if (content.fingerprint === before.fingerprint) return undefined;
    group.content = content;
    const news =
      format === 'changes'
        ? Buffer.from([...updateJson(before, content)].join(''))
        : responses.everything(content, format).atOnce();
    return broadcast.send(updated(nameOf(content), news), group.streams);
  }

  const publish = createPublisher(async () => {
    const sent: (Promise<void> | undefined)[] = [];
    let began = performance.now();
    for (const group of groups.values()) {
      if (performance.now() - began > turnMs) {
        await setImmediate();
        began = performance.now();
      }
      // Not the snapshot of the round's beginning: a stream opened since may have received a later one.
      if (newest) sent.push(advance(group, newest));
    }
    await Promise.all(sent);
  }, log);

  /** Called with each snapshot, in order, before any other user of it. */
  function take(snapshot: Snapshot): void {
    newest = snapshot;
    publish();
  }

  function tick(): void {
    const now = clock();
    tokens.tick(now);
    // The absolute value also covers a clock that was set back: heartbeats continue.
    if (Math.abs(now.getTime() - beatAt) < heartbeatMs) return;
    beatAt = now.getTime();
    void broadcast.send(heartbeatOf(staleSeconds(definitions)), streams.values());
  }

  function begin(snapshot: Snapshot): void {
    newest = snapshot;
    unfollow = definitions.follow(take);
    beatAt = clock().getTime();
    ticking = setInterval(tick, tickMs).unref();
    // Reads what was committed before this instance subscribed. If that fails, the next read is within a second.
    Promise.resolve(definitions.current()).then(
      (now) => {
        if (newest === snapshot && now.revision > snapshot.revision) take(now);
      },
      () => undefined,
    );
  }

  function leave(stream: Stream): void {
    if (!streams.delete(stream.raw)) return;
    const { group, token } = stream;
    group.streams.delete(stream);
    if (group.streams.size === 0) groups.delete(keyOf(group.view, group.format));
    const others = byToken.get(token);
    others?.delete(stream);
    if (others?.size === 0) byToken.delete(token);
    tokens.remove(token);
    if (streams.size > 0) return;
    unfollow();
    newest = undefined;
    clearInterval(ticking);
  }

  /** One listener for all responses, because a closure for each would use memory. */
  function onClose(this: ServerResponse): void {
    const stream = streams.get(this);
    if (stream) leave(stream);
  }

  /** Ends streams: they receive what is in transit, and nothing after it. */
  function end(over: readonly Stream[], lastWords?: () => string): void {
    for (const stream of over) leave(stream);
    void broadcast.end(over, lastWords);
  }

  function endStreamsOf(ended: readonly number[]): void {
    end(ended.flatMap((token) => [...(byToken.get(token) ?? [])]));
  }

  let isClosing = false;
  onDrain(async (hurry) => {
    isClosing = true;
    const lastWords = () => `${retryField('one by one')}\n`;
    await closeOneByOne([...streams.values()], (some) => end(some, lastWords), hurry);
  });
  stopping.addEventListener('abort', () => {
    end([...streams.values()], () => `${retryField('at once')}\n`);
  });

  /** Returns the group of a view and format, with this snapshot already sent. */
  function groupOf(view: View, format: StreamFormat, snapshot: Snapshot): Group {
    const existing = groups.get(keyOf(view, format));
    if (existing) {
      void advance(existing, snapshot);
      return existing;
    }
    const content = contents.findNow(snapshot, view);
    const fresh = { view, format, content, streams: new Set<Stream>() };
    groups.set(keyOf(view, format), fresh);
    return fresh;
  }

  /** Returns the first event: the whole content, the changes since the named one, or only the id. */
  function firstFrames(content: Content, { named, format }: Follower, snapshot: Snapshot) {
    const id = nameOf(content);
    if (named && isOf(content, named)) return welcome(id);
    const update =
      named && format === 'changes' ? responses.update(content, named, snapshot) : undefined;
    if (update) return welcome(id, { event: 'unleash-updated', body: update.atOnce() });
    const body = responses.everything(content, format).atOnce();
    return welcome(id, { event: 'unleash-connected', body });
  }

  return {
    count: () => streams.size,

    refuseTooMany(view, format) {
      // It would end at once, and SDKs whose streams end five times in a minute begin to poll.
      if (isClosing || stopping.aborted) throw unavailable('This server is stopping. Try again', 1);
      const isFull = streams.size >= limits.streams;
      if (!isFull && (groups.has(keyOf(view, format)) || groups.size < limits.groups)) return;
      throw unavailable('This server has too many streams. Try again later', retryAfterSeconds);
    },

    open(follower, view, seen) {
      const { raw, token, tokenScope, format } = follower;
      // The client disconnected while the view was rendered; no other event reports it.
      if (raw.destroyed) return;
      if (streams.size === 0) begin(seen);
      // There may be a later snapshot by now, which the other streams already have.
      const snapshot = newest ?? seen;
      const frames = firstFrames(contents.findNow(snapshot, view), follower, snapshot);
      const group = groupOf(view, format, snapshot);
      const first = frames.reduce((sum, each) => sum + each.length, 0);
      const stream: Stream = { raw, token, group, patienceBytes: first + patienceBytes };
      group.streams.add(stream);
      streams.set(raw, stream);
      const others = byToken.get(token) ?? new Set();
      byToken.set(token, others.add(stream));
      raw.on('close', onClose);
      for (const each of frames) raw.write(each);
      tokens.add(token, tokenScope);
    },
  };
}
