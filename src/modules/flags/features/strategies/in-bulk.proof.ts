import { beforeAll, expect, test } from 'vitest';
import { type TestApp, testActor, testApp } from '../../../../../test/support/app.ts';
import { make } from '../../../../../test/support/make.ts';
import { completeStrategy } from '../../../catalogue/strategy-types/index.ts';
import { addParts } from '../assemble/service.ts';
import { lockActiveFeatures } from '../lock.ts';
import { listStrategies } from './read/queries.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});

test('more strategies can be added at once than fit in the parameters of one statement', async () => {
  const names = ['many-a', 'many-b'];
  for (const name of names) await make(app.ask).feature(name);
  const titles = Array.from({ length: 4000 }, (_, nth) => `nth ${nth}`);
  await app.transact(testActor, async (tx) => {
    const features = await lockActiveFeatures(tx, 'default', names);
    const contents = titles.map((title) => ({
      environment: 'production',
      strategy: completeStrategy({ name: 'flexibleRollout', title }),
    }));
    await addParts(
      tx,
      features.map((feature) => ({ feature, eventOrder: [contents] })),
    );
  });
  const listed = await listStrategies(app.db, names);
  expect(listed.map(({ title }) => title)).toEqual([...titles, ...titles]);
});
