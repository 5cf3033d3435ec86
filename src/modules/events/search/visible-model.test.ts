import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, testActor, testApp } from '../../../../test/support/app.ts';
import { addProjects } from '../../../../test/support/projects.ts';
import { randomCases } from '../../../../test/support/random-cases.ts';
import {
  append,
  happening,
  projects,
  readLog,
  searches,
} from '../../../../test/support/random-log.ts';
import {
  type ModelEvent,
  type ModelSearch,
  searchModel,
} from '../../../../test/support/search-model.ts';
import { transactOn } from '../../../app/transact.ts';
import { createReadSnapshot } from '../../../platform/db/database.ts';
import { defineEvent, record, reserveFirstEventId } from '../index.ts';
import { removeOldEvents } from '../proof/retention.ts';
import { limitToVisible, parseSearch } from './filter.ts';
import { createSearch, type Search } from './search.ts';

type Db = TestApp['db'];

const changed = defineEvent<object>({
  type: 'project-updated',
  label: 'Project made or deleted',
  summary: ({ user }) => user,
});

/** The projects that readers see: all, all but one, a single one, none. One reader sees a deleted project. */
const readers = [
  ['default', 'pay,ments', 'Default', 'x y'],
  ['default', 'Default', 'x y'],
  ['x y'],
  ['pay,ments'],
  ['pay,ments', 'Default', 'gone'],
  [],
];

/** Thresholds with which a few hundred events are a long log. */
const strictly = { maxBranches: 1, maxCachedIds: 3, maxRareHits: 2, deepOffset: 4, maxScanned: 5 };

/** Searches with hits, most of them with many. Random searches rarely have any. */
const common: readonly ModelSearch[] = [
  {},
  { order: 'asc', offset: '7' },
  { from: 'IS:2026-01-10' },
  { from: 'IS:2026-01-05', to: 'IS:2026-01-30', order: 'asc' },
  { type: 'IS:feature-created' },
  { type: 'IS_ANY_OF:feature-updated,tag-created', createdAfter: '2026-01-09T10:00:00.000Z' },
  { type: 'IS:project-updated', environment: 'IS:production' },
  { feature: 'IS_ANY_OF:a,b' },
  { createdBy: 'IS_ANY_OF:7,42', offset: '5', limit: '5' },
  { project: 'IS_ANY_OF:default,x y' },
  { project: 'IS:x y', type: 'IS:tag-created' },
  { query: 'e' },
  { query: 'a', queryIn: 'data,preData,tags', order: 'asc' },
  { query: 'release', limit: '3' },
  { query: 'r', type: 'IS:feature-created' },
  { query: 'n', project: 'IS:pay,ments' },
  { notCreatedBy: 'IS:7' },
  { notType: 'IS_ANY_OF:tag-created,feature-created', order: 'asc', offset: '6' },
  { notProject: 'IS:x y', notEnvironment: 'IS:production' },
  { type: 'IS:feature-created', environment: 'IS:production', notCreatedBy: 'IS:admin' },
  { query: 'e', notCreatedBy: 'IS_ANY_OF:7,42' },
];

/** The first event of each project. */
type Beginnings = ReadonlyMap<string, number>;

const beginningsIn = async (db: Db): Promise<Beginnings> =>
  new Map(
    (await db.selectFrom('projects').select(['id', 'first_event_id']).execute()).map(
      ({ id, first_event_id }) => [id, first_event_id],
    ),
  );

const seenBy = (log: readonly ModelEvent[], beginnings: Beginnings, sees: readonly string[]) =>
  log.filter(
    ({ id, project }) =>
      project !== null &&
      sees.includes(project) &&
      id >= (beginnings.get(project) ?? Number.POSITIVE_INFINITY),
  );

async function ask(search: Search, parameters: ModelSearch, sees: readonly string[]) {
  const { filter, paging } = parseSearch(parameters);
  const visibility = { ip: false, proof: false };
  const page = await search.page(limitToVisible(filter, new Set(sees)), paging, visibility);
  const ids: number[] = JSON.parse(`[${page.json}]`).map(({ id }: { id: number }) => id);
  return { total: page.total, ids, nextCursor: page.nextCursor };
}

const searchesOn = (db: Db): Search[] => {
  const snapshot = createReadSnapshot(db);
  return [createSearch(db, snapshot), createSearch(db, snapshot, strictly)];
};

const found = fc.oneof(searches, fc.constantFrom(...common));

describe('the event search of a reader', () => {
  let app: TestApp;
  let log: ModelEvent[];
  let beginnings: Beginnings;
  let both: Search[];

  beforeAll(async () => {
    app = await testApp();
    await addProjects(app.db, 'pay,ments', 'x y', 'Default');
    await append(app.db, fc.sample(happening, { numRuns: 300, seed: 43 }));
    log = await readLog(app.db);
    // One project took the name of another in the middle of the log, one at its end. One is deleted.
    const middle = log[150]?.id ?? 0;
    const set = (id: string, firstEventId: number) =>
      app.db
        .updateTable('projects')
        .set({ first_event_id: firstEventId })
        .where('id', '=', id)
        .execute();
    await set('x y', middle);
    await set('Default', (log.at(-10)?.id ?? 0) + 1);
    beginnings = await beginningsIn(app.db);
    both = searchesOn(app.db);
  });

  test('returns the same events, order and total as a model of the visible events', async () => {
    await fc.assert(
      fc.asyncProperty(found, fc.constantFrom(...readers), async (parameters, sees) => {
        const expected = searchModel(seenBy(log, beginnings, sees), parameters);
        for (const search of both) {
          const { total, ids } = await ask(search, parameters, sees);
          expect({ total, ids }).toEqual(expected);
        }
      }),
      randomCases(8, 6000),
    );
  });

  test('returns every hit once when following the cursor, which never contains the id of a hidden event', async () => {
    await fc.assert(
      fc.asyncProperty(
        found,
        fc.constantFrom(...readers),
        async ({ offset: _offset, ...parameters }, sees) => {
          const visible = seenBy(log, beginnings, sees);
          for (const search of both) {
            const followed: number[] = [];
            let cursor: string | undefined;
            for (let page = 0; page < 400; page += 1) {
              const query = { ...parameters, ...(cursor ? { cursor } : {}) };
              const { ids, nextCursor } = await ask(search, query, sees);
              followed.push(...ids);
              if (nextCursor) {
                const [, id] = Buffer.from(nextCursor, 'base64url').toString('latin1').split(':');
                expect([0, ...visible.map((event) => event.id)]).toContain(Number(id));
              }
              if (ids.length === 0 || !nextCursor) break;
              cursor = nextCursor;
            }
            expect(followed).toEqual(searchModel(visible, { ...parameters, limit: '1000' }).ids);
          }
        },
      ),
      randomCases(3, 300),
    );
  });

  test('exports the same events as the model', async () => {
    await fc.assert(
      fc.asyncProperty(
        found,
        fc.constantFrom(...readers),
        async ({ limit: _limit, ...parameters }, sees) => {
          const { filter, paging } = parseSearch(parameters);
          const visible = limitToVisible(filter, new Set(sees));
          for (const search of both) {
            const batch = await search.batch(visible, { ...paging, limit: 1000 });
            expect(batch.ids.split(',').filter(Boolean).map(Number)).toEqual(
              searchModel(seenBy(log, beginnings, sees), { ...parameters, limit: '1000' }).ids,
            );
          }
        },
      ),
      randomCases(6, 1000),
    );
  });
});

describe('cached totals of every reader', () => {
  test('stay correct while events are added, projects created and deleted, and old events removed', async () => {
    const { db } = await testApp();
    await addProjects(db, 'pay,ments', 'x y');
    const both = searchesOn(db);
    const happenings = fc.sample(happening, { numRuns: 400, seed: 16 });
    const later = new Date('2030-01-01T00:00:00Z');

    /** Deletes the project if it exists, and creates it otherwise, as the services do. */
    const toggle = (id: string) =>
      transactOn(db)(testActor, async (tx) => {
        // Both cases record an event.
        record(tx, changed({ project: id, data: { id } }));
        const { numDeletedRows } = await tx.db
          .deleteFrom('projects')
          .where('id', '=', id)
          .executeTakeFirst();
        if (numDeletedRows > 0n) return;
        await addProjects(tx.db, id);
        const first = await reserveFirstEventId(tx, id);
        await tx.db
          .updateTable('projects')
          .set({ first_event_id: first })
          .where('id', '=', id)
          .execute();
      });

    const steps: ((step: number) => Promise<unknown>)[] = [
      (step) => append(db, happenings.slice(step * 4, step * 4 + 4)),
      (step) => toggle(projects[1 + (step % 3)] ?? ''),
      (step) => append(db, happenings.slice(step * 4, step * 4 + 3)),
      (step) =>
        step % 5 === 0
          ? transactOn(db, () => later)(testActor, (tx) => removeOldEvents(tx, 1, { limit: 9 }))
          : toggle(projects[1 + (step % 3)] ?? ''),
    ];
    for (let step = 0; step < randomCases(16, 40).numRuns; step += 1) {
      await steps[step % steps.length]?.(step);
      const log = await readLog(db);
      const beginnings = await beginningsIn(db);
      for (const [nth, parameters] of common.entries()) {
        // Readers never see a deleted project, because their access is read after the deletion.
        const sees = (readers[(nth + (step >> 3)) % readers.length] ?? []).filter((id) =>
          beginnings.has(id),
        );
        const expected = searchModel(seenBy(log, beginnings, sees), parameters);
        for (const search of both) {
          const { total, ids } = await ask(search, parameters, sees);
          expect({ total, ids }, JSON.stringify({ parameters, sees, step })).toEqual(expected);
        }
      }
    }
    const { anchor_id: anchor } = await db
      .selectFrom('event_log')
      .selectAll()
      .executeTakeFirstOrThrow();
    expect(anchor).toBeGreaterThan(0);
    expect([...(await beginningsIn(db)).values()].some((first) => first > 0)).toBe(true);
  });
});
