import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { appOn, type TestApp, testActor, testApp } from '../../../test/support/app.ts';
import { applyToHistory, differencesFromPresent } from '../../../test/support/history.ts';
import { person } from '../../../test/support/people.ts';
import {
  approvalProject,
  featureNames,
  makeChange,
  openProjects,
  prepareRandomChanges,
  privateProject,
  randomChange,
} from '../../../test/support/random-changes.ts';
import { removeOldStates } from './catch-up.ts';

const admin = '/api/admin';

let app: TestApp;
let askAsEditor: TestApp['ask'];
/** Those who read: administrators, editors, viewers, and members of the private project. */
let readers: readonly TestApp['ask'][];
beforeAll(async () => {
  app = await testApp();
  const prepared = await prepareRandomChanges(app);
  askAsEditor = prepared.askAsEditor;
  const viewer = await person(app);
  readers = [app.ask, viewer.ask, askAsEditor, prepared.askAsInsider];
});

const headOf = async (): Promise<number> => {
  const { id } = await app.db
    .selectFrom('events')
    .select(({ fn }) => fn.max('id').as('id'))
    .executeTakeFirstOrThrow();
  return Number(id);
};

/** Favorites, reports of SDKs, and tokens are not part of the past. */
const withoutPast = new Set([
  'favorite',
  'lifecycle',
  'collaborators',
  'potentiallyStale',
  'lastSeenAt',
  'apiTokenCount',
  'isSecretSet',
  'secret',
]);

const comparable = (body: string): unknown =>
  JSON.parse(body, (key, value) => (withoutPast.has(key) ? undefined : value));

const projects = [...openProjects, privateProject];

/** Requests that read everything, for those who may. */
const reads = [
  'search/features?limit=1000',
  'search/features?segment=INCLUDE:segment-0',
  'search/features?status=production:enabled',
  'archive/features',
  'projects',
  'projects?archived=true',
  ...projects.flatMap((project) => [
    `projects/${project}/features`,
    `projects/${project}/overview`,
    `projects/${project}/access`,
    `environments/project/${project}`,
    `archive/features/${project}`,
    `projects/${project}/environments/development/default-strategy`,
    ...featureNames.map((name) => `projects/${project}/features/${name}?archived=true`),
  ]),
  ...featureNames.flatMap((name) => [
    `projects/default/features/${name}/environments/development`,
    `projects/default/features/${name}/variants`,
  ]),
  ...[1, 2, 3, 4].flatMap((id) => [`segments/${id}`, `segments/${id}/strategies`]),
  'segments',
  'environments',
  'context',
  'context/field-0',
  'strategies',
  'strategies/type-0',
  'tag-types',
  'tags',
  'tags/simple',
  'feature-types',
  `projects/${approvalProject}/change-requests/config`,
  'roles',
  'roles/4',
  'projects/roles/4/access',
  'groups',
  'settings/retention',
  'auth/oidc/settings',
];

/** What the API showed someone after an event: the response of each of the reads. */
interface ShownThen {
  readonly eventId: number;
  readonly shown: readonly unknown[];
}

async function readAll(ask: TestApp['ask'], asOf?: number): Promise<unknown[]> {
  const shown: unknown[] = [];
  for (const path of reads) {
    const moment = asOf === undefined ? '' : `${path.includes('?') ? '&' : '?'}asOf=${asOf}`;
    const { statusCode, body } = await ask(`GET ${admin}/${path}${moment}`);
    expect(statusCode, `${path}: ${body}`).toBeLessThan(500);
    shown.push([path, statusCode === 200 ? comparable(body) : statusCode]);
  }
  return shown;
}

async function expectShown(ask: TestApp['ask'], moments: readonly ShownThen[]): Promise<void> {
  for (const { eventId, shown } of moments) expect(await readAll(ask, eventId)).toEqual(shown);
}

const changesPerCase = 50;

/** After so many changes everything is read, which takes a third of a second. */
const momentDistance = 24;

/** Makes changes that are never refused. */
async function makeSome(count: number): Promise<ShownThen[]> {
  const made: ShownThen[] = [];
  for (let b = 0; b < count; b += 1) {
    await makeChange(app, { kind: 'update project', a: 0, b });
    made.push({ eventId: await headOf(), shown: await readAll(app.ask) });
  }
  return made;
}

describe('everything as of an event', () => {
  test('equals what the API returned then, for administrators and for others', async () => {
    const length = { minLength: changesPerCase, maxLength: changesPerCase };
    await fc.assert(
      fc.asyncProperty(fc.array(randomChange, length), async (some) => {
        const moments = readers.map((ask) => ({ ask, past: [] as ShownThen[] }));
        for (const [nth, change] of some.entries()) {
          // An editor would see a private project only until it is deleted, as its owner.
          const isEditors = nth % 3 === 0 && change.kind !== 'create project';
          const ask = isEditors ? askAsEditor : app.ask;
          await makeChange({ db: app.db, ask }, change);
          if ((nth + 1) % momentDistance !== 0) continue;
          const eventId = await headOf();
          for (const reader of moments) {
            reader.past.push({ eventId, shown: await readAll(reader.ask) });
          }
        }
        // The last events are not in the history yet.
        const [forAdmin] = moments;
        await expectShown(app.ask, forAdmin?.past.slice(-1) ?? []);
        await applyToHistory(app);
        expect(await differencesFromPresent(app)).toEqual([]);
        for (const { ask, past } of moments) await expectShown(ask, past);
        await expectShown((await appOn(app)).ask, forAdmin?.past.slice(0, 1) ?? []);
      }),
      { numRuns: 40, endOnFailure: true },
    );
    const gaps = await app.db.selectFrom('history_gaps').select('reason').execute();
    expect(gaps).toEqual([{ reason: 'beginning' }]);
  });

  test('is the same after retention has removed earlier events', async () => {
    const [first, second] = await makeSome(2);
    if (!first || !second) throw new Error('these changes are always made');
    await applyToHistory(app);
    await app.db.updateTable('event_log').set({ anchor_id: second.eventId }).execute();
    await app.transact(testActor, removeOldStates);
    await expectShown(app.ask, [second]);
    const { statusCode, body } = await app.ask(`GET ${admin}/segments?asOf=${first.eventId}`);
    expect([statusCode, body]).toEqual([404, expect.stringContaining('removed by retention')]);
  });
});
