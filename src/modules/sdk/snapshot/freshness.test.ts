import { expect, onTestFinished, test, vi } from 'vitest';
import { type TestApp, testApp } from '../../../../test/support/app.ts';
import { closeLater } from '../../../../test/support/closing.ts';
import { make } from '../../../../test/support/make.ts';
import { createReadSnapshot } from '../../../platform/db/database.ts';
import { createListener, type Listener } from '../../../platform/db/listen.ts';
import { createDatabaseBreaker } from '../../../platform/db/outage.ts';
import { createLogger } from '../../../platform/log.ts';
import type { Definitions } from './definitions.ts';
import { createDefinitions } from './store.ts';

const deaf: Listener = {
  on: () => () => undefined,
  keep: async () => undefined,
  isConnected: () => true,
  subscribed: async () => undefined,
  close: async () => undefined,
};

/** As in a server. `commit` signals a commit of this instance. */
function definitionsOn(app: TestApp, listener: Listener) {
  const callbacks = new Set<() => void>();
  const stopping = new AbortController();
  closeLater(async () => stopping.abort());
  let reads = 0;
  const readBriefly = createReadSnapshot(app.db);
  const definitions: Definitions = createDefinitions({
    readBriefly: (work) => {
      reads += 1;
      return readBriefly(work);
    },
    listener,
    onCommit: (call) => {
      callbacks.add(call);
      return () => callbacks.delete(call);
    },
    breaker: createDatabaseBreaker(),
    stopping: stopping.signal,
    log: createLogger('silent'),
  });
  return {
    definitions,
    commit: () => {
      for (const call of callbacks) call();
    },
    reads: () => reads,
  };
}

/** Prevents the reads that make up for lost notifications every second, because a slow machine would cause some. */
function withoutPeriodicReads(): void {
  vi.useFakeTimers({ toFake: ['setInterval'] });
  onTestFinished(() => void vi.useRealTimers());
}

const names = async ({ current }: Definitions): Promise<string[]> => [
  ...((await current()).environments.get('development')?.features.keys() ?? []),
];

test('a change on this instance is visible at once, without a notification', async () => {
  const app = await testApp();
  const { definitions, commit } = definitionsOn(app, deaf);
  expect(await names(definitions)).toEqual([]);
  for (const name of ['one', 'three', 'two']) {
    await make(app.ask).feature(name);
    commit();
    expect(await names(definitions)).toContain(name);
  }
  expect(await names(definitions)).toEqual(['one', 'three', 'two']);
});

test('a change on another instance is visible after its notification', async () => {
  const app = await testApp();
  const listener = await createListener(app.connection, createLogger('silent'));
  closeLater(() => listener.close());
  const { definitions } = definitionsOn(app, listener);
  expect(await names(definitions)).toEqual([]);
  const notified = new Promise<void>((resolve) => {
    definitions.follow(() => resolve());
  });
  await make(app.ask).feature('elsewhere');
  await notified;
  expect(await names(definitions)).toEqual(['elsewhere']);
});

test('a change whose notification was lost becomes visible within moments', async () => {
  const app = await testApp();
  const { definitions } = definitionsOn(app, deaf);
  expect(await names(definitions)).toEqual([]);
  await make(app.ask).feature('unheard');
  await expect.poll(() => names(definitions)).toEqual(['unheard']);
});

test('a client that has a later revision does not get an earlier one', async () => {
  const app = await testApp();
  const { definitions } = definitionsOn(app, deaf);
  const { revision } = await definitions.current();
  await make(app.ask).feature('later');
  const later = await definitions.current(revision + 1);
  expect(later.revision).toBeGreaterThan(revision);
  expect([...(later.environments.get('production')?.features.keys() ?? [])]).toEqual(['later']);
});

test('concurrent requests share a read, and requests after a change get the new state', async () => {
  const app = await testApp();
  withoutPeriodicReads();
  const { definitions, commit, reads } = definitionsOn(app, deaf);
  await definitions.current();
  const begun = reads();
  const asking: Promise<string[]>[] = [];
  for (let nth = 0; nth < 20; nth += 1) {
    await make(app.ask).feature(`f-${nth}`);
    commit();
    for (let times = 0; times < 50; times += 1) asking.push(names(definitions));
  }
  for (const [nth, found] of (await Promise.all(asking)).entries()) {
    expect(found).toContain(`f-${Math.floor(nth / 50)}`);
  }
  expect(reads() - begun).toBeLessThanOrEqual(60);
});

test('unchanged parts keep their identity, so that derived values can be cached', async () => {
  const app = await testApp();
  const { definitions, commit } = definitionsOn(app, deaf);
  await make(app.ask).feature('still');
  await make(app.ask).segment('still');
  commit();
  const before = await definitions.current();
  await make(app.ask).project('another');
  commit();
  const after = await definitions.current();
  expect(after.revision).toBeGreaterThan(before.revision);
  expect(after.environments.get('development')?.features).toBe(
    before.environments.get('development')?.features,
  );
  expect([...after.segments.values()][0]).toBe([...before.segments.values()][0]);
});

test('the changes after a revision are returned, or undefined if they are no longer stored', async () => {
  const app = await testApp();
  const { definitions, commit } = definitionsOn(app, deaf);
  const { revision: first } = await definitions.current();
  await make(app.ask).feature('new');
  commit();
  const { revision: second } = await definitions.current();
  await app.ask('DELETE /api/admin/projects/default/features/new');
  commit();
  const { revision: third } = await definitions.current();

  const kinds = (revision: number) =>
    definitions
      .changesBehind(revision)
      ?.map((change) => [change.revision, Boolean(change.before), Boolean(change.after)]);
  const born = [second, false, true];
  const gone = [third, true, false];
  expect(kinds(first)).toEqual([born, born, gone, gone]);
  expect(kinds(second)).toEqual([gone, gone]);
  expect(kinds(third)).toEqual([]);
  expect(kinds(first - 1)).toBeUndefined();
  expect(kinds(third + 1)).toBeUndefined();
});

test('an invented revision does not cause repeated reads', async () => {
  const app = await testApp();
  withoutPeriodicReads();
  const { definitions, reads } = definitionsOn(app, deaf);
  const { revision } = await definitions.current();
  const begun = reads();
  // One read a second is allowed. No second passes, however slow a read is.
  vi.spyOn(performance, 'now').mockReturnValue(performance.now());
  onTestFinished(() => void vi.restoreAllMocks());
  for (let times = 0; times < 50; times += 1) {
    expect((await definitions.current(revision + 1_000)).revision).toBe(revision);
  }
  expect(reads() - begun).toBeLessThanOrEqual(5);
});
