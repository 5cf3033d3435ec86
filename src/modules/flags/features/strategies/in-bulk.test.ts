import { beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, testActor, testApp } from '../../../../../test/support/app.ts';
import { recordedSinceCreation } from '../../../../../test/support/recorded.ts';
import { strategiesOn } from '../../../../../test/support/strategies.ts';
import type { Tx } from '../../../../platform/db/database.ts';
import { completeStrategy } from '../../../catalogue/strategy-types/index.ts';
import { addParts } from '../assemble/service.ts';
import { lockActiveFeatures } from '../lock.ts';
import { storedInputFaults } from './input.ts';
import { listStrategies } from './read/queries.ts';
import { removeStrategiesIn } from './remove/service.ts';

let app: TestApp;
let strategies: ReturnType<typeof strategiesOn>;
beforeAll(async () => {
  app = await testApp();
  strategies = strategiesOn(app);
});

const inTransaction = <Result>(work: (tx: Tx) => Promise<Result>) => app.transact(testActor, work);
const eventsOf = async (feature: string) =>
  (await recordedSinceCreation(app.db, feature)).map(({ type, environment }) => ({
    type,
    environment,
  }));

describe('strategies of many features', () => {
  test('can be added unchanged, in the order of the list, with unique ids', async () => {
    for (const name of ['many-a', 'many-b']) await strategies.feature(name);
    const titles = Array.from({ length: 12 }, (_, nth) => `nth ${nth}`);
    await inTransaction(async (tx) => {
      const features = await lockActiveFeatures(tx, 'default', ['many-a', 'many-b']);
      const contents = titles.map((title) => ({
        environment: 'production',
        strategy: completeStrategy({ name: 'flexibleRollout', title, sortOrder: 7 }),
      }));
      const added = await addParts(
        tx,
        features.map((feature) => ({ feature, eventOrder: [contents] })),
      );
      expect(new Set(added.map(({ id }) => id)).size).toBe(24);
      expect(added[12]).toMatchObject({ featureName: 'many-b', title: 'nth 0', parameters: {} });
    });
    const listed = await listStrategies(app.db, ['many-b', 'many-a']);
    expect(listed.map(({ title }) => title)).toEqual([...titles, ...titles]);
    expect(new Set(listed.map(({ environment }) => environment))).toEqual(new Set(['production']));
    expect(await eventsOf('many-b')).toHaveLength(12);
  });

  test('can be an empty list, which adds nothing', async () => {
    await inTransaction(async (tx) => expect(await addParts(tx, [])).toEqual([]));
  });

  test('can be added to several environments of a feature', async () => {
    await strategies.feature('both');
    await inTransaction(async (tx) => {
      const [feature] = await lockActiveFeatures(tx, 'default', ['both']);
      if (!feature) throw new Error('not there');
      const strategy = completeStrategy({ name: 'default' });
      const eventOrder = [
        [
          { environment: 'production', strategy },
          { environment: 'development', strategy },
        ],
      ];
      await addParts(tx, [{ feature, eventOrder }]);
    });
    const listed = await listStrategies(app.db, ['both']);
    expect(listed.map(({ environment }) => environment)).toEqual(['development', 'production']);
    expect(await eventsOf('both')).toEqual([
      { type: 'feature-strategy-add', environment: 'production' },
      { type: 'feature-strategy-add', environment: 'development' },
    ]);
  });

  test('can be removed from one environment, which disables the features there', async () => {
    for (const name of ['going-a', 'going-b', 'going-c']) await strategies.feature(name);
    await strategies.added('going-a');
    await strategies.turn('going-a', 'on');
    await strategies.turn('going-a', 'on', '', { environment: 'production' });
    await strategies.added('going-b');
    const before = await eventsOf('going-a');
    await inTransaction(async (tx) =>
      removeStrategiesIn(
        tx,
        await lockActiveFeatures(tx, 'default', ['going-a', 'going-b', 'going-c']),
        'development',
      ),
    );
    expect((await eventsOf('going-a')).slice(before.length)).toEqual([
      { type: 'feature-strategy-remove', environment: 'development' },
      { type: 'feature-environment-disabled', environment: 'development' },
    ]);
    expect((await eventsOf('going-b')).at(-1)?.type).toBe('feature-strategy-remove');
    expect(await eventsOf('going-c')).toEqual([]);
    expect(await strategies.list('going-a')).toEqual([]);
    expect(await strategies.isOn('going-a')).toBe(false);
    expect(await strategies.isOn('going-a', { environment: 'production' })).toBe(true);
  });
});

test('errors of an input have the path given by the caller', async () => {
  const input = { name: 'nosuch', segments: [999_999] };
  const faults = await inTransaction((tx) =>
    storedInputFaults(tx, input, 'default', '/body/data/featureStrategies/3'),
  );
  expect(faults.map(({ path }) => path)).toEqual([
    '/body/data/featureStrategies/3/name',
    '/body/data/featureStrategies/3/segments/0',
  ]);
});
