import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, testApp } from '../../../../../test/support/app.ts';
import { make } from '../../../../../test/support/make.ts';
import { raceRounds } from '../../../../../test/support/random-cases.ts';
import { countEvents, recordedBy } from '../../../../../test/support/recorded.ts';

const admin = '/api/admin';
let app: TestApp;

beforeAll(async () => {
  app = await testApp();
  await make(app.ask).feature('source', { tags: [{ type: 'simple', value: 'beta' }] });
  for (const environment of ['development', 'production']) {
    await make(app.ask).strategy('source', {}, { environment });
  }
});

const clone = (name: string, { project = 'default', query = '' } = {}) =>
  app.ask(`POST ${admin}/projects/${project}/features/source/clone${query}`, { payload: { name } });

describe('concurrent clones', () => {
  test('succeed once for the same name, return 409 otherwise and record one creation', async () => {
    for (let round = 0; round < raceRounds; round += 1) {
      const name = `raced-${round}`;
      const answers = await Promise.all(Array.from({ length: 8 }, () => clone(name)));
      const statuses = answers.map(({ statusCode }) => statusCode).sort();
      expect(statuses).toEqual([200, ...Array(7).fill(409)]);
      const created = await app.db
        .selectFrom('events')
        .where('type', '=', 'feature-created')
        .where('feature_name', '=', name)
        .select('id')
        .execute();
      expect(created).toHaveLength(1);
    }
  });

  test('a clone succeeds while a dry run uses the same name', async () => {
    const [dry, real] = await Promise.all([
      clone('both', { query: '?dryRun=true' }),
      clone('both'),
    ]);
    expect(real.statusCode).toBe(200);
    expect([200, 409]).toContain(dry.statusCode);
  });

  test('never exceed the limit of the project', async () => {
    await make(app.ask).project('tight', { featureLimit: 3 });
    const answers = await Promise.all(
      Array.from({ length: 9 }, (_, index) => clone(`tight-${index}`, { project: 'tight' })),
    );
    expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(3);
    expect(answers.filter(({ statusCode }) => statusCode === 403)).toHaveLength(6);
  });

  test('a clone copies a consistent state while strategies are being added', async () => {
    const add = () => make(app.ask).strategy('source', { title: 'late' });
    const [response] = await Promise.all([clone('meanwhile'), add(), add(), add()]);
    const strategies = response.json().environments[0].strategies;
    const recorded = (await recordedBy(app.db, response)).filter(
      ({ type, environment }) => type === 'feature-strategy-add' && environment === 'development',
    );
    expect(recorded).toHaveLength(strategies.length);
  });
});

describe('a clone that fails halfway', () => {
  const fatal = ['feature_tags', 'feature_strategies', 'feature_lifecycles', 'events'] as const;

  test.each(fatal)('leaves nothing behind if writing to %s fails', async (table) => {
    const name = `broken-${table.replaceAll('_', '-')}`;
    await sql
      .raw(
        `create function fail_${table}() returns trigger language plpgsql as $$ begin raise exception 'disk on fire'; end $$;
         create trigger fail before insert on ${table} execute function fail_${table}()`,
      )
      .execute(app.db);
    const events = await countEvents(app.db);
    const response = await clone(name);
    expect(response.statusCode).toBe(500);
    expect(response.body).not.toContain('disk on fire');
    await sql.raw(`drop trigger fail on ${table}`).execute(app.db);
    expect(await countEvents(app.db)).toBe(events);
    for (const written of [
      'features',
      'feature_tags',
      'feature_strategies',
      'feature_lifecycles',
    ]) {
      const column = written === 'features' ? 'name' : 'feature_name';
      const { rows } = await sql`
        select 1 from ${sql.table(written)} where ${sql.ref(column)} = ${name}`.execute(app.db);
      expect(rows).toEqual([]);
    }
    expect((await clone(name)).statusCode).toBe(200);
  });
});
