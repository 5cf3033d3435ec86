import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, testApp } from '../../../../../test/support/app.ts';
import { make } from '../../../../../test/support/make.ts';
import { randomCases } from '../../../../../test/support/random-cases.ts';
import {
  createRandomFeature,
  type FeatureSetting,
  prepareSetting,
  type RandomFeature,
  randomFeatures,
} from '../../../../../test/support/random-feature.ts';

const admin = '/api/admin';

let app: TestApp;
let setting: FeatureSetting;

beforeAll(async () => {
  app = await testApp();
  setting = await prepareSetting(make(app.ask));
});

const clone = (source: string, payload: object, project: string, query = '') =>
  app.ask(`POST ${admin}/projects/${project}/features/${source}/clone${query}`, { payload });

/** Uses the index, because counting thousands of events in each of a thousand cases is slow. */
const newestEvent = async (): Promise<number> => {
  const { id } = await app.db
    .selectFrom('events')
    .select(({ fn }) => fn.max<number>('id').as('id'))
    .executeTakeFirstOrThrow();
  return id;
};

const creationOf = (feature: string) =>
  app.db
    .selectFrom('events')
    .where('feature_name', '=', feature)
    .where('type', '=', 'feature-created')
    .select('data')
    .executeTakeFirstOrThrow();

/** Removes what is new each time: ids of strategies and times of creation. */
function timeless(answer: Record<string, unknown>): unknown {
  return JSON.parse(
    JSON.stringify(answer, (key, value) =>
      key === 'createdAt' || key === 'enteredStageAt' || key === 'id' ? undefined : value,
    ),
  );
}

describe('a dry run of a clone', () => {
  test('equals the real run for random features and records nothing', async () => {
    let number = 0;
    await fc.assert(
      fc.asyncProperty(
        randomFeatures,
        fc.boolean(),
        async (random: RandomFeature, replaceGroupId) => {
          number += 1;
          const source = `source-${number}`;
          await createRandomFeature(app, setting, source, random);
          const payload = { name: `copy-${number}`, replaceGroupId };
          const newest = await newestEvent();
          const dry = await clone(source, payload, random.target, '?dryRun=true');
          expect(dry.statusCode, dry.body).toBe(200);
          expect(await newestEvent()).toBe(newest);
          const real = await clone(source, payload, random.target);
          expect(real.statusCode, real.body).toBe(200);
          expect(timeless(dry.json())).toEqual(timeless(real.json()));
          const { data } = await creationOf(payload.name);
          expect(data).toMatchObject({ notCopied: real.json().notCopied ?? [] });
        },
      ),
      randomCases(3, 1000),
    );
  });

  test('leaves the name free and rejects what the real run rejects', async () => {
    await make(app.ask).feature('rehearsed');
    const dry = () => clone('rehearsed', { name: 'again' }, 'default', '?dryRun=true');
    expect((await dry()).statusCode).toBe(200);
    expect((await dry()).statusCode).toBe(200);
    expect((await app.ask(`GET ${admin}/projects/default/features/again`)).statusCode).toBe(404);
    const taken = await clone('rehearsed', { name: 'rehearsed' }, 'default', '?dryRun=true');
    expect(taken.statusCode).toBe(409);
    const unknown = await clone('nobody', { name: 'x' }, 'default', '?dryRun=true');
    expect(unknown.statusCode).toBe(404);
    const odd = await clone('rehearsed', { name: 'x' }, 'default', '?dryRun=perhaps');
    expect(odd.statusCode).toBe(400);
  });
});
