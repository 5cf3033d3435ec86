import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { testApp } from '../support/app.ts';

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
    message: 'The disk of the database is full: nothing can be stored',
  });
  expect((await ask('GET /api/admin/projects')).statusCode).toBe(200);
});
