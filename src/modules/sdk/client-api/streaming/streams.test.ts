import type { ServerResponse } from 'node:http';
import { PassThrough } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { createLogger } from '../../../../platform/log.ts';
import type { Snapshot } from '../../snapshot/index.ts';
import { createContents } from '../content.ts';
import { createClientResponses } from '../responses.ts';
import { type View, viewOf } from '../view.ts';
import { createStreams } from './streams.ts';

const token = -1;

const tokenScope = { audience: 'client', environment: 'development', scopes: 'all' } as const;

/** One feature, whose description contains the revision. */
const at = (revision: number): Snapshot => {
  const feature = {
    ...{ name: 'told', project: 'default', type: 'release', stale: false, tags: [] },
    description: `as of ${revision}`,
    definition: { name: 'told', enabled: true },
  };
  const features = new Map([[feature.name, feature]]);
  const environment = { name: 'development', type: 'development', features };
  return { revision, environments: new Map([['development', environment]]), segments: new Map() };
};

/** Streams of definitions that a test controls. */
function following(limits?: { streams: number; groups: number }) {
  const followers = new Set<(snapshot: Snapshot) => void>();
  let known = at(1);
  const definitions = {
    current: () => known,
    changesBehind: () => undefined,
    isStale: () => false,
    ageSeconds: () => 0,
    follow: (tell: (snapshot: Snapshot) => void) => {
      followers.add(tell);
      return () => followers.delete(tell);
    },
  };
  const streams = createStreams(
    {
      sdkTokens: {
        validate: async () => ({ tokens: [] }),
        listValid: async (ids) =>
          ids.map((id) => ({ id, environment: 'development', projects: ['*'], expiresAt: null })),
        onChange: () => undefined,
      },
      clock: () => new Date(),
      log: createLogger('silent'),
      stopping: new AbortController().signal,
      onDrain: () => undefined,
    },
    {
      definitions,
      contents: createContents(),
      responses: createClientResponses(definitions),
      ...(limits && { limits }),
    },
  );
  const view = (namePrefix = ''): View => viewOf(tokenScope, known, { namePrefix });
  return {
    streams,
    view,
    tell(snapshot: Snapshot) {
      known = snapshot;
      for (const each of followers) each(snapshot);
    },
    open(seen: Snapshot, prefix?: string) {
      const raw = new PassThrough({ encoding: 'utf8' });
      let text = '';
      raw.on('data', (chunk) => {
        text += chunk;
      });
      const response = Object.assign(raw, { socket: raw }) as never as ServerResponse;
      const follower = {
        raw: response,
        token,
        tokenScope,
        named: undefined,
        format: 'changes' as const,
      };
      streams.open(follower, view(prefix), seen);
      return {
        told: () => [...text.matchAll(/as of (\d+)/g)].map(([, revision]) => Number(revision)),
        leave: () => raw.destroy(),
        isOver: () => followers.size === 0,
      };
    },
  };
}

/** Longer than the pause between two rounds, unless the machine is busy: for what must not happen. */
const aWhile = () => wait(100);

/** What streams have received in the end, and nothing after it. */
async function expectTold(told: () => unknown, expected: unknown): Promise<void> {
  await expect.poll(told).toEqual(expected);
  await aWhile();
  expect(told()).toEqual(expected);
}

describe('the content of a stream', () => {
  test('never includes changes from before it began that are still to be sent to others', async () => {
    const { open, tell } = following();
    const first = open(at(1));
    tell(at(2));
    // Waits, because a round has just ended.
    tell(at(3));
    first.leave();
    await expect.poll(first.isOver, { interval: 1 }).toBe(true);
    tell(at(4));
    const second = open(at(4));
    await expectTold(second.told, [4]);
  });

  test('is current even if its snapshot was read before a change', async () => {
    const { open, tell } = following();
    const first = open(at(1));
    tell(at(2));
    const second = open(at(1));
    const both = () => [first.told(), second.told()];
    await expectTold(both, [[1, 2], [2]]);
    tell(at(3));
    await expectTold(both, [
      [1, 2, 3],
      [2, 3],
    ]);
  });

  test('includes changes between its snapshot and its first message', async () => {
    const { open, tell } = following();
    tell(at(2));
    const only = open(at(1));
    await expectTold(only.told, [1, 2]);
  });

  test('follows the store back to an earlier revision', async () => {
    const { open, tell } = following();
    tell(at(7));
    const stream = open(at(7));
    tell(at(5));
    await expectTold(stream.told, [7, 5]);
    tell(at(6));
    await expectTold(stream.told, [7, 5, 6]);
  });

  test('skips most revisions of a burst but includes the last, for every view', async () => {
    const { open, tell } = following();
    // The feature matches the empty prefix and all prefixes of its name.
    const views = ['', 't', 'to', 'tol', 'told'].map((prefix) => open(at(1), prefix));
    for (let revision = 2; revision <= 30; revision += 1) tell(at(revision));
    await expect.poll(() => views.map(({ told }) => told().at(-1))).toEqual(views.map(() => 30));
    for (const { told } of views) {
      expect([told().at(0), told().at(-1)]).toEqual([1, 30]);
      expect(told().length).toBeLessThanOrEqual(3);
    }
  });
});

describe('a server with the maximum number of streams', () => {
  test('rejects further streams with 503 and Retry-After until one ends', async () => {
    const { streams, view, open } = following({ streams: 2, groups: 5 });
    const [first] = [open(at(1)), open(at(1))];
    expect(() => streams.refuseTooMany(view(), 'changes')).toThrow(
      expect.objectContaining({ status: 503, retryAfterSeconds: 30 }),
    );
    first?.leave();
    await expect.poll(() => streams.refuseTooMany(view(), 'changes')).toBeUndefined();
  });

  test('accepts streams of an existing view when it has too many views', () => {
    const { streams, view, open } = following({ streams: 9, groups: 1 });
    open(at(1));
    expect(() => streams.refuseTooMany(view('other'), 'changes')).toThrow(
      expect.objectContaining({ status: 503 }),
    );
    expect(() => streams.refuseTooMany(view(), 'changes')).not.toThrow();
  });
});
