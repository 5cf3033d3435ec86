import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { testApp } from '../../../test/support/app.ts';

test('a change returns 503 with the reason if the disk of the database is full', async () => {
  const { ask, db } = await testApp();
  await sql`
    create function find_no_room() returns trigger language plpgsql as $$
    begin raise exception 'could not extend file: No space left on device' using errcode = '53100'; end $$`.execute(
    db,
  );
  await sql`create trigger no_room before insert on projects execute function find_no_room()`.execute(
    db,
  );
  const response = await ask('POST /api/admin/projects', { payload: { id: 'more', name: 'More' } });
  expect(response.statusCode).toBe(503);
  expect(response.headers['retry-after']).toBe('30');
  expect(response.json()).toMatchObject({
    name: 'UnavailableError',
    message: "Couldn't save: the database disk is full",
  });
  expect((await ask('GET /api/admin/projects')).statusCode).toBe(200);
});

test('/ready and the metrics report a full disk until the next change succeeds', async () => {
  const { ask, app, db } = await testApp();
  const ready = async (query = '') => {
    const { statusCode, body } = await ask(`GET /ready${query}`);
    const { database, message } = JSON.parse(body);
    return [statusCode, database ?? message];
  };
  const figure = async () => {
    const { body } = await app.inject('/internal-backstage/prometheus');
    return /^burgee_database_disk_full (\d)$/m.exec(body)?.[1];
  };
  await sql`
    create function find_no_room() returns trigger language plpgsql as $$
    begin raise exception 'No space left on device' using errcode = '53100'; end $$`.execute(db);
  for (const table of ['projects', 'installation']) {
    await sql
      .raw(
        `create trigger no_room before insert or update on ${table} execute function find_no_room()`,
      )
      .execute(db);
  }
  const readyWithDatabase = () => ready('?database=true');
  // No change was attempted yet. Probes wait only for a second, or for five, for the database.
  await expect.poll(() => ready()).toEqual([200, 'reached']);
  await expect.poll(readyWithDatabase).toEqual([200, 'reached']);
  await ask('POST /api/admin/projects', { payload: { id: 'more', name: 'More' } });
  // SDKs are still served.
  await expect.poll(() => ready()).toEqual([200, 'full']);
  const full = "Couldn't save: the database disk is full";
  await expect.poll(readyWithDatabase).toEqual([503, full]);
  expect((await readyWithDatabase())[0]).toBe(503);
  await expect.poll(figure).toBe('1');
  await sql`drop trigger no_room on installation`.execute(db);
  await expect.poll(readyWithDatabase).toEqual([200, 'reached']);
  // A metric is read at most once a second.
  await expect.poll(figure).toBe('0');
});
