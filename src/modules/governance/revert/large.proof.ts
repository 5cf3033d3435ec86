import { expect, test } from 'vitest';
import { testApp } from '../../../../test/support/app.ts';
import { applyToHistory } from '../../../../test/support/history.ts';
import { make } from '../../../../test/support/make.ts';

const app = await testApp();
const create = make(app.ask);
const admin = '/api/admin';

const newest = async (type: string): Promise<number> => {
  const found = await app.ask(`GET ${admin}/search/events?limit=1&type=IS:${type}`);
  return found.json().events[0].id;
};

/** Characters that compress to almost nothing. */
const long = (nth: number) => `${nth} `.repeat(60_000).slice(0, 120_000);

const strategy = { name: 'flexibleRollout', parameters: { rollout: '1' } };

async function createLarge(name: string): Promise<string> {
  await create.feature(name);
  const { id } = await create.strategy(name, strategy, { environment: 'development' });
  return `${admin}/projects/default/features/${name}/environments/development/strategies/${id}`;
}

async function enlarge(path: string, nth: number): Promise<void> {
  const changed = await app.ask(`PUT ${path as '/'}`, {
    payload: { ...strategy, parameters: { rollout: '1', groupId: long(nth) } },
  });
  expect(changed.statusCode, changed.body).toBe(200);
}

const dryRun = (payload: object) => app.ask(`POST ${admin}/events/revert?dryRun=true`, { payload });

const tooLarge = [400, expect.stringContaining('too large')];

test('a revert or an incident whose events are too large is rejected', async () => {
  const path = await createLarge('changed-often');
  const from = await newest('feature-strategy-add');
  const began = new Date();
  for (let nth = 0; nth < 40; nth += 1) await enlarge(path, nth);
  const last = await newest('feature-strategy-update');
  const refused = await dryRun({ from: `${from}`, to: `${last}` });
  expect([refused.statusCode, refused.body]).toEqual(tooLarge);
  expect((await dryRun({ eventIds: [last] })).statusCode).toBe(200);
  const query = new URLSearchParams({
    ...{ from: began.toISOString(), to: new Date().toISOString(), environment: 'development' },
  });
  const incident = await app.ask(`GET ${admin}/history/incident?${query}`);
  expect([incident.statusCode, incident.body]).toEqual(tooLarge);
});

test('a difference whose states are too large is rejected, even if they are stored compressed', async () => {
  const paths: string[] = [];
  for (let nth = 0; nth < 70; nth += 1) paths.push(await createLarge(`large-${nth}`));
  const before = await newest('feature-strategy-add');
  for (const [nth, path] of paths.entries()) await enlarge(path, nth);
  const after = await newest('feature-strategy-update');
  await applyToHistory(app);
  const difference = (from: number) =>
    app.ask(`GET ${admin}/history/difference?from=${from}&to=${after}`);
  const refused = await difference(before);
  expect([refused.statusCode, refused.body]).toEqual(tooLarge);
  expect((await difference(after - 10)).statusCode).toBe(200);
});
