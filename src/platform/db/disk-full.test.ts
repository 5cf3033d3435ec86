import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { testApp } from '../../../test/support/app.ts';

test('a change that finds the disk of the database full is 503 and says so', async () => {
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
    message: 'The disk of the database is full, so nothing can be stored',
  });
  expect((await ask('GET /api/admin/projects')).statusCode).toBe(200);
});

test('while there is no room, /ready says so; as soon as there is some, it is ready', async () => {
  const { ask, db } = await testApp();
  const ready = async () => {
    const { statusCode, body } = await ask('GET /ready');
    return [statusCode, JSON.parse(body).message];
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
  // No change was attempted yet.
  expect(await ready()).toEqual([200, undefined]);
  await ask('POST /api/admin/projects', { payload: { id: 'more', name: 'More' } });
  const full = 'The disk of the database is full, so nothing can be stored';
  expect([await ready(), await ready()]).toEqual([
    [503, full],
    [503, full],
  ]);
  await sql`drop trigger no_room on installation`.execute(db);
  expect(await ready()).toEqual([200, undefined]);
});
