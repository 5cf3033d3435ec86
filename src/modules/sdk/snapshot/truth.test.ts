import { isDeepStrictEqual } from 'node:util';
import { expect, test } from 'vitest';
import { scenarios } from '../../../../test/mutations/index.ts';
import { type TestApp, testApp } from '../../../../test/support/app.ts';
import { applyToHistory } from '../../../../test/support/history.ts';
import { make } from '../../../../test/support/make.ts';
import { someCases } from '../../../../test/support/random-cases.ts';
import { readSnapshotAsOf } from './as-of.ts';
import { changesBetween } from './changes.ts';
import { readDefinitions, type SnapshotState } from './read.ts';
import type { Snapshot } from './snapshot.ts';

const read = (app: TestApp, before?: SnapshotState): Promise<SnapshotState> =>
  app.db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute((db) => readDefinitions(db, before));

/** Everything in a snapshot, each under a unique key. */
function contentOf({ environments, segments }: Snapshot): Map<string, unknown> {
  const content = new Map<string, unknown>();
  for (const [id, segment] of segments) content.set(`segment ${id}`, segment);
  for (const [environment, { features }] of environments) {
    for (const [name, feature] of features) content.set(`${environment} ${name}`, feature);
  }
  return content;
}

function withChanges(before: Snapshot, after: Snapshot): Map<string, unknown> {
  const content = contentOf(before);
  for (const change of changesBetween(before, after)) {
    const { kind, before: old, after: fresh } = change;
    const key =
      kind === 'segment'
        ? `segment ${(fresh ?? old)?.id}`
        : `${change.environment} ${(change.after ?? change.before)?.name}`;
    expect(content.get(key), `${key} was what the change says`).toEqual(old);
    if (fresh) content.set(key, fresh);
    else content.delete(key);
  }
  return content;
}

const inOrder = (content: Map<string, unknown>) =>
  [...content].sort(([a], [b]) => (a < b ? -1 : 1));

/** `toEqual` takes many times as long, but shows the difference. */
function requireEqual<Value>(actual: Value, expected: Value, when: string): void {
  if (!isDeepStrictEqual(actual, expected)) expect(actual, when).toEqual(expected);
}

test('after every kind of change, updates and the history yield the same snapshot as a fresh read', async () => {
  const app = await testApp();
  const create = make(app.ask);
  // Objects that every kind of change can touch.
  const segment = await create.segment('kept-by-all');
  await create.feature('kept', { tags: [{ type: 'simple', value: 'kept' }] });
  await create.feature('kept-child');
  await create.dependency('kept-child', 'kept');
  await create.strategy('kept', { segments: [segment.id] });
  await create.switchedOn('kept');
  let known = await read(app);
  let changed = 0;
  const all: Snapshot[] = [known.snapshot];
  for (const [id, scenario] of someCases(4, Object.entries(scenarios))) {
    await scenario(app.ask, app);
    const before = known;
    known = await read(app, before);
    const fresh = await read(app);
    requireEqual(known, fresh, `after ${id}`);
    const names = [...known.snapshot.environments.values()].map(({ features }) => [
      ...features.keys(),
    ]);
    expect(names, `after ${id}`).toEqual(names.map((each) => [...each].sort()));
    const expected = inOrder(contentOf(known.snapshot));
    requireEqual(inOrder(withChanges(before.snapshot, known.snapshot)), expected, `after ${id}`);
    if (known !== before) changed += 1;
    all.push(known.snapshot);
  }
  expect(changed).toBeGreaterThan(25);

  const requirePast = async (snapshots: readonly Snapshot[]) => {
    for (const snapshot of snapshots) {
      const moment = { asOf: String(snapshot.revision), now: new Date() };
      const environments = [...snapshot.environments.keys()];
      const past = await readSnapshotAsOf(app.db, moment, environments);
      requireEqual(past, snapshot, `as of event ${snapshot.revision}`);
    }
  };
  // Once with events that are not in the history yet.
  await requirePast(all.slice(-1));
  await applyToHistory(app);
  await requirePast(all.filter((_, nth) => nth % 8 === 0));
});
