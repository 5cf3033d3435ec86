import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, testActor, testApp } from '../../../../test/support/app.ts';
import { randomCases } from '../../../../test/support/random-cases.ts';
import { append, happening, readLog, searches } from '../../../../test/support/random-log.ts';
import { type ModelEvent, searchModel } from '../../../../test/support/search-model.ts';
import { forgetEverywhere } from '../../../app/installation.ts';
import { transactOn } from '../../../app/transact.ts';
import { createReadSnapshot } from '../../../platform/db/database.ts';
import { removeOldEvents } from '../proof/retention.ts';
import { parseSearch } from './filter.ts';
import { createSearch } from './search.ts';

describe('the event search of an administrator', () => {
  let app: TestApp;
  const log: ModelEvent[] = [];

  beforeAll(async () => {
    app = await testApp();
    await append(app.db, fc.sample(happening, { numRuns: 300, seed: 42 }));
    const all = await app.ask('GET /api/admin/search/events?limit=1000&order=asc');
    log.push(...all.json().events);
    expect(log.length).toBeGreaterThan(250);
  });

  test('returns the same events, order and total as a model that checks every event', async () => {
    await fc.assert(
      fc.asyncProperty(searches, async (search) => {
        const response = await app.ask(
          `GET /api/admin/search/events?${new URLSearchParams(search)}`,
        );
        const { events, total } = response.json();
        const expected = searchModel(log, search);
        expect({ total, ids: events.map(({ id }: { id: number }) => id) }).toEqual(expected);
      }),
      randomCases(6, 6000),
    );
  });

  test('agrees with the model if there are more hits than are cached', async () => {
    const search = createSearch(app.db, createReadSnapshot(app.db), {
      maxBranches: 1,
      maxCachedIds: 3,
      maxRareHits: 2,
      deepOffset: 4,
      maxScanned: 5,
    });
    await fc.assert(
      fc.asyncProperty(searches, async (parameters) => {
        const { filter, paging } = parseSearch(parameters);
        const page = await search.page(filter, paging, { ip: true, proof: false });
        const ids = JSON.parse(`[${page.json}]`).map(({ id }: { id: number }) => id);
        expect({ total: page.total, ids }).toEqual(searchModel(log, parameters));
      }),
      randomCases(6, 3000),
    );
  });

  test('returns every hit once and in order when following the cursor', async () => {
    await fc.assert(
      fc.asyncProperty(searches, async ({ offset: _offset, ...search }) => {
        const found: number[] = [];
        let cursor: string | undefined;
        for (let page = 0; page < 400; page += 1) {
          const parameters = new URLSearchParams({ ...search, ...(cursor ? { cursor } : {}) });
          const { events, nextCursor } = (
            await app.ask(`GET /api/admin/search/events?${parameters}`)
          ).json();
          found.push(...events.map(({ id }: { id: number }) => id));
          if (events.length === 0 || !nextCursor) break;
          cursor = nextCursor;
        }
        expect(found).toEqual(searchModel(log, { ...search, limit: '1000' }).ids);
      }),
      randomCases(3, 300),
    );
  });
});

describe('cached totals', () => {
  test('stay correct while events are added, also with past dates, users erased and old events removed', async () => {
    const { db } = await testApp();
    const snapshot = createReadSnapshot(db);
    const usual = createSearch(db, snapshot);
    const strict = createSearch(db, snapshot, {
      maxBranches: 1,
      maxCachedIds: 3,
      maxRareHits: 2,
      deepOffset: 4,
      maxScanned: 5,
    });
    const asked = fc.sample(searches, { numRuns: 60, seed: 5 });
    const happenings = fc.sample(happening, { numRuns: 400, seed: 6 });
    const later = new Date('2030-01-01T00:00:00Z');

    const steps: ((step: number) => Promise<unknown>)[] = [
      (step) => append(db, happenings.slice(step * 4, step * 4 + 4)),
      (step) => append(db, happenings.slice(step * 4, step * 4 + 1)),
      (step) => append(db, happenings.slice(step * 4, step * 4 + 3)),
      (step) =>
        step % 3 === 0
          ? forgetEverywhere(transactOn(db), testActor, step % 2 === 0 ? 7 : 12).catch(
              () => undefined,
            )
          : transactOn(db, () => later)(testActor, (tx) => removeOldEvents(tx, 1, { limit: 9 })),
    ];
    for (let step = 0; step < randomCases(30, 60).numRuns; step += 1) {
      await steps[step % steps.length]?.(step);
      const log = await readLog(db);
      for (const parameters of asked.filter((_, index) => index % 6 === step % 6)) {
        const { filter, paging } = parseSearch(parameters);
        for (const search of [usual, strict]) {
          const page = await search.page(filter, paging, { ip: true, proof: false });
          const ids = JSON.parse(`[${page.json}]`).map(({ id }: { id: number }) => id);
          expect({ total: page.total, ids }, JSON.stringify(parameters)).toEqual(
            searchModel(log, parameters),
          );
        }
      }
    }
    const state = await db.selectFrom('event_log').selectAll().executeTakeFirstOrThrow();
    expect(state.anchor_id).toBeGreaterThan(0);
    expect(state.rewrites).toBeGreaterThan(2);
  });
});
