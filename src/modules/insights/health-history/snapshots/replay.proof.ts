import { expect, test } from 'vitest';
import { type Random, seededRandom } from '../../../../../bench/random.ts';
import { type TestApp, testApp } from '../../../../../test/support/app.ts';
import { make } from '../../../../../test/support/make.ts';
import { settle } from '../../../../../test/support/snapshot-days.ts';
import { pagesBack } from './past-queries.ts';

const dayMs = 86_400_000;
const begin = Date.UTC(2031, 0, 1);
const projects = '/api/admin/projects';

interface HealthFigures {
  readonly total: number;
  readonly stale: number;
  readonly potentiallyStale: number;
  readonly health: number;
}

/** Returns the current counts of every active project. Deleted projects of the same name are distinguished. */
async function measure({ ask }: TestApp): Promise<Record<string, HealthFigures>> {
  const answer = (await ask(`GET ${projects}`)).json();
  return Object.fromEntries(
    answer.projects.map((project: Record<string, number>) => [
      `${project.id} of ${project.createdAt}`,
      {
        total: project.featureCount,
        stale: project.staleFeatureCount,
        potentiallyStale: project.potentiallyStaleFeatureCount,
        health: project.health,
      },
    ]),
  );
}

/** Returns the stored counts of each day, in the same form. */
async function written({ db }: TestApp): Promise<Record<string, Record<string, HealthFigures>>> {
  const rows = await db
    .selectFrom('health_snapshots')
    .innerJoin('projects', 'projects.id', 'health_snapshots.project')
    .where('reconstructed', '=', true)
    .select(({ cast }) => [
      'project',
      'created_at as createdAt',
      cast<string>('day', 'text').as('day'),
      'total',
      'stale',
      'potentially_stale as potentiallyStale',
      'health',
    ])
    .execute();
  const days: Record<string, Record<string, HealthFigures>> = {};
  for (const { project, createdAt, day, ...standing } of rows) {
    days[day] = { ...days[day], [`${project} of ${createdAt.toISOString()}`]: standing };
  }
  return days;
}

async function readBack({ db }: TestApp, range: Parameters<typeof pagesBack>[1]) {
  const events = [];
  for await (const page of pagesBack(db, range)) events.push(...page);
  return events;
}

const homes = ['red', 'red', 'blue', 'blue', 'hidden', 'hidden', 'fleeting'];

interface Feature {
  readonly name: string;
  readonly project: string;
  readonly archivedAt?: string | null;
}

/** Makes a random change, usually a valid one. */
async function doSomething({ ask }: TestApp, random: Random, now: number): Promise<number> {
  const name = `f${random.integer(25)}`;
  const unarchived: Feature[] = (await ask('GET /api/admin/search/features?limit=100')).json()
    .features;
  const archived: Feature[] = (await ask('GET /api/admin/archive/features')).json().features;
  const called = (each: Feature) => each.name === name;
  const project = (unarchived.find(called) ?? archived.find(called))?.project ?? random.pick(homes);
  const feature = `${projects}/${project}/features/${name}`;
  const type = random.pick(['release', 'experiment', 'operational', 'kill-switch']);
  const stale = random.integer(3) === 0;

  const toAbsent = [
    () => {
      const createdAt = new Date(now - random.integer(60) * dayMs).toISOString();
      const payload = { name, type, stale, createdAt };
      return ask(`POST ${projects}/${project}/features`, { payload });
    },
  ];
  const toActive = [
    () => {
      const change = [
        { op: 'replace', path: '/type', value: type },
        { op: 'replace', path: '/stale', value: stale },
      ];
      return ask(`PATCH ${feature}`, { payload: change });
    },
    () =>
      ask(`POST ${projects}/${project}/stale`, { payload: { features: [name], stale: !stale } }),
    () => ask(`DELETE ${feature}`),
    () => ask(`PUT ${feature}/review`, { payload: { permanent: true, reason: 'It stays' } }),
    () => {
      const snoozedUntil = new Date(now + (1 + random.integer(10)) * dayMs).toISOString();
      return ask(`PUT ${feature}/review`, { payload: { snoozedUntil, reason: 'Not yet' } });
    },
    () => ask(`DELETE ${feature}/review`),
    () => ask(`POST ${feature}/changeProject`, { payload: { newProjectId: random.pick(homes) } }),
  ];
  const toArchived = [
    () => ask(`POST /api/admin/archive/revive/${name}`),
    () => ask(`DELETE /api/admin/archive/${name}`),
  ];
  const toOthers = [
    () =>
      ask(`PUT /api/admin/feature-types/${type}/lifetime`, {
        payload: { lifetimeDays: random.pick([0, 1, 5, 20, 40]) },
      }),
    () => ask(`POST ${projects}/archive/resting`),
    () => ask(`POST ${projects}/revive/resting`),
    () => ask(`DELETE ${projects}/fleeting`),
    () => ask(`POST ${projects}`, { payload: { id: 'fleeting', name: 'Fleeting' } }),
  ];
  const possible = unarchived.some(called)
    ? toActive
    : archived.some(called)
      ? toArchived
      : toAbsent;
  const step = random.pick(random.integer(4) === 0 ? toOthers : possible);
  return (await step()).statusCode;
}

const days = 25;

test.each([1, 2, 3, 4, 5, 6])(
  'the counts reconstructed from the log equal those measured at midnight (seed %i)',
  async (seed) => {
    let now = begin;
    const app = await testApp({ clock: () => new Date(now) });
    for (const id of ['red', 'blue', 'resting']) await make(app.ask).project(id);
    await make(app.ask).project('hidden', { mode: 'private' });
    const random = seededRandom(seed);
    const seen: Record<string, Record<string, HealthFigures>> = {};
    let done = 0;
    const act = async () => {
      if ((await doSomething(app, random, now)) < 300) done += 1;
    };
    for (let day = 0; day < days; day += 1) {
      // Some days have no changes.
      const steps = random.pick([0, 1, 4, 12]);
      for (let step = 0; step < steps; step += 1) {
        now = begin + day * dayMs + Math.floor(((step + random.fraction()) * dayMs) / steps);
        await act();
      }
      now = begin + (day + 1) * dayMs;
      seen[new Date(now - dayMs).toISOString().slice(0, 10)] = await measure(app);
    }
    // Later changes, even at the same instant, do not belong to those days.
    for (let step = 0; step < 30; step += 1) {
      await act();
      now += 10 * 60 * 1000;
    }
    expect(done).toBeGreaterThan(days * 2);
    await settle(app, now);

    // Pages are complete and do not overlap.
    const log = { after: 0, upTo: 2_000 };
    expect(await readBack(app, { ...log, size: 7 })).toEqual(await readBack(app, log));

    const there = await app.db.selectFrom('projects').select(['id', 'created_at']).execute();
    const names = there.map(({ id, created_at }) => `${id} of ${created_at.toISOString()}`);
    const stored = await written(app);
    for (const [day, standings] of Object.entries(seen)) {
      for (const name of names) {
        // A project has no counts from before its creation.
        if (name.startsWith('default')) continue;
        expect([day, name, stored[day]?.[name]]).toEqual([day, name, standings[name]]);
      }
    }
  },
);
