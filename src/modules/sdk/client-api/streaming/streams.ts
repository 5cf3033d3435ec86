import type { ServerResponse } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import type { Reach } from '../../../../platform/db/database.ts';
import { unavailable } from '../../../../platform/errors.ts';
import type { Services } from '../../../../platform/module.ts';
import type { Definitions, Snapshot } from '../../snapshot/index.ts';
import type { Show, Shown } from '../answers.ts';
import type { Content } from '../content.ts';
import { type Named, nameOf, updateJson } from '../delta.ts';
import { everything, type FindUpdate, isOf } from '../delta-answer.ts';
import type { Telling } from '../features.ts';
import type { View } from '../view.ts';
import { createBroadcast, type Receiver } from './broadcast.ts';
import { heartbeat, updated, welcome } from './frames.ts';
import { createPublisher } from './publisher.ts';
import { watchTokens } from './watch.ts';

/** All who see the same, and read the same: what is new is worked out and written down once for them. */
interface Group {
  readonly view: View;
  readonly telling: Telling;
  /** What the streams have been told, or will be by what is being sent. */
  content: Content;
  readonly streams: Set<Stream>;
}

interface Stream extends Receiver {
  readonly group: Group;
  readonly token: number;
}

interface Visitor {
  readonly raw: ServerResponse;
  /** The id of the token, as an actor has it. */
  readonly token: number;
  readonly reach: Reach;
  /** What it was told before an interruption. */
  readonly named: Named | undefined;
  /** What it can read. */
  readonly telling: Telling;
}

interface Streams {
  /** How many there are. */
  readonly count: () => number;
  /** Throws the 503 of one more stream than this instance can bear. */
  readonly refuseTooMany: (view: View, telling: Telling) => void;
  /** Answers a request, whose headers are sent, with all that changes. */
  readonly open: (visitor: Visitor, view: View, snapshot: Snapshot) => void;
}

interface Limits {
  readonly streams: number;
  /** Each has to be worked out anew by every change that concerns it. */
  readonly groups: number;
}

/** Twice as many streams as the bench opens and measures. */
const usualLimits: Limits = { streams: 20_000, groups: 5_000 };
/** Who is refused comes again, perhaps to another instance. */
const retryAfterSeconds = 30;
/** So long groups are told without a break for requests. */
const turnMs = 5;

/** SDKs give up on a stream that says nothing for a minute, as proxies do. */
const heartbeatMs = 20_000;
const tickMs = 1_000;
/** How much may wait for a reader, beside what it was welcomed with. */
const patienceBytes = 1024 * 1024;

const keyOf = ({ digest }: View, telling: Telling): string => `${digest} ${telling}`;

export function createStreams(
  services: Pick<Services, 'db' | 'listener' | 'clock' | 'log' | 'stopping'>,
  {
    definitions,
    show,
    findUpdate,
    limits = usualLimits,
  }: {
    definitions: Pick<Definitions, 'current' | 'follow'>;
    show: Show;
    findUpdate: FindUpdate;
    limits?: Limits;
  },
): Streams {
  const { clock, log, stopping } = services;
  const groups = new Map<string, Group>();
  const streams = new Map<ServerResponse, Stream>();
  const byToken = new Map<number, Set<Stream>>();
  const broadcast = createBroadcast();
  const tokens = watchTokens(services, endThoseOf);
  let ticking: NodeJS.Timeout | undefined;
  let unfollow: () => void = () => undefined;
  let beatAt = 0;
  /** What the store told last: there while somebody follows. All groups are told this one, and never an earlier. */
  let newest: Snapshot | undefined;

  /** Tells a group what is new for it. */
  function advance(group: Group, snapshot: Snapshot): Promise<void> | undefined {
    const { view, telling, content: before } = group;
    const shown = show(snapshot, view, before);
    const { content } = shown;
    if (content.fingerprint === before.fingerprint) return undefined;
    group.content = content;
    const news =
      telling === 'changes'
        ? Buffer.from([...updateJson(before, content)].join(''))
        : everything(shown, telling).atOnce();
    return broadcast.send(updated(nameOf(view, content), news), group.streams);
  }

  const publish = createPublisher(async () => {
    const sent: (Promise<void> | undefined)[] = [];
    let began = performance.now();
    for (const group of groups.values()) {
      if (performance.now() - began > turnMs) {
        await setImmediate();
        began = performance.now();
      }
      // Not what it was when the round began: somebody who came meanwhile may have been told of more.
      if (newest) sent.push(advance(group, newest));
    }
    await Promise.all(sent);
  }, log);

  /** The store tells of each snapshot in its order, and before anybody else gets it. */
  function hear(snapshot: Snapshot): void {
    newest = snapshot;
    publish();
  }

  function tick(): void {
    const now = clock();
    tokens.tick(now);
    // Also when the clock was set back: nobody waits for it to get there again.
    if (Math.abs(now.getTime() - beatAt) < heartbeatMs) return;
    beatAt = now.getTime();
    void broadcast.send(heartbeat, streams.values());
  }

  function begin(snapshot: Snapshot): void {
    newest = snapshot;
    unfollow = definitions.follow(hear);
    beatAt = clock().getTime();
    ticking = setInterval(tick, tickMs).unref();
    // What was heard of before anybody followed is looked at now; should that fail, within a second.
    Promise.resolve(definitions.current()).then(
      (now) => {
        if (newest === snapshot && now.revision > snapshot.revision) hear(now);
      },
      () => undefined,
    );
  }

  function leave(stream: Stream): void {
    if (!streams.delete(stream.raw)) return;
    const { group, token } = stream;
    group.streams.delete(stream);
    if (group.streams.size === 0) groups.delete(keyOf(group.view, group.telling));
    const others = byToken.get(token);
    others?.delete(stream);
    if (others?.size === 0) byToken.delete(token);
    tokens.remove(token);
    if (streams.size > 0) return;
    unfollow();
    newest = undefined;
    clearInterval(ticking);
  }

  /** One for all responses: what each of them would keep alive by its own adds up. */
  function onClose(this: ServerResponse): void {
    const stream = streams.get(this);
    if (stream) leave(stream);
  }

  /** They get what is on its way already, and nothing that happens from now on. */
  function end(over: readonly Stream[]): void {
    for (const stream of over) leave(stream);
    void broadcast.end(over);
  }

  function endThoseOf(ended: readonly number[]): void {
    end(ended.flatMap((token) => [...(byToken.get(token) ?? [])]));
  }

  stopping.addEventListener('abort', () => end([...streams.values()]));

  /** Those who see the same, told of all that is in a snapshot. */
  function groupOf(view: View, telling: Telling, snapshot: Snapshot): Group {
    const known = groups.get(keyOf(view, telling));
    if (known) {
      void advance(known, snapshot);
      return known;
    }
    const { content } = show(snapshot, view);
    const fresh = { view, telling, content, streams: new Set<Stream>() };
    groups.set(keyOf(view, telling), fresh);
    return fresh;
  }

  /** All, what is new since, or nothing but the place. */
  function greet(shown: Shown, { named, telling }: Visitor, snapshot: Snapshot) {
    const { view, content } = shown;
    const id = nameOf(view, content);
    if (named && isOf(view, content, named)) return welcome(id);
    const update = named && telling === 'changes' ? findUpdate(shown, named, snapshot) : undefined;
    return update
      ? welcome(id, { event: 'unleash-updated', body: update.atOnce() })
      : welcome(id, { event: 'unleash-connected', body: everything(shown, telling).atOnce() });
  }

  return {
    count: () => streams.size,

    refuseTooMany(view, telling) {
      const isFull = streams.size >= limits.streams;
      if (!isFull && (groups.has(keyOf(view, telling)) || groups.size < limits.groups)) return;
      throw unavailable('This server has too many streams; please try again', retryAfterSeconds);
    },

    open(visitor, view, seen) {
      const { raw, token, reach, telling } = visitor;
      // Gone while we looked: there will be no other sign of it.
      if (raw.destroyed) return;
      if (streams.size === 0) begin(seen);
      // While the visitor waited for its turn there may have been news, which the others know already.
      const snapshot = newest ?? seen;
      const words = greet(show(snapshot, view), visitor, snapshot);
      const group = groupOf(view, telling, snapshot);
      const first = words.reduce((sum, each) => sum + each.length, 0);
      const stream: Stream = { raw, token, group, patienceBytes: first + patienceBytes };
      group.streams.add(stream);
      streams.set(raw, stream);
      const others = byToken.get(token) ?? new Set();
      byToken.set(token, others.add(stream));
      raw.on('close', onClose);
      for (const each of words) raw.write(each);
      tokens.add(token, reach);
    },
  };
}
