import { beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, testApp } from '../../../../../test/support/app.ts';
import { person } from '../../../../../test/support/people.ts';
import { logIn, movableClock, newcomer } from '../../../../../test/support/visitor.ts';
import { forgetEverywhere } from '../../../../app/installation.ts';
import { createLogger } from '../../../../platform/log.ts';
import { systemActor } from '../../gate/index.ts';
import { deleteOldAttempts } from '../jobs.ts';

const time = movableClock();
const lines: string[] = [];
let app: TestApp;
beforeAll(async () => {
  app = await testApp({
    clock: time.clock,
    log: createLogger('info', { write: (line: string) => void lines.push(line) }),
  });
});

const logins = '/api/admin/logins';
const listed = async (query = '') => (await app.ask(`GET ${logins}${query}`)).json().events;

describe('the sign-in history', () => {
  test('contains user, time, address and browser of a sign-in, which is also logged', async () => {
    const { id, username, password } = await newcomer(app);
    const from = '192.0.2.7';
    await logIn(app, { username, password }, { from, headers: { 'user-agent': 'Lynx/2' } });
    expect(await listed(`?userId=${id}`)).toEqual([
      {
        id: expect.any(Number),
        userId: id,
        username,
        auth_type: 'password',
        successful: true,
        outcome: 'signed-in',
        attempts: 1,
        ip: from,
        userAgent: 'Lynx/2',
        created_at: expect.any(String),
        lastAt: expect.any(String),
      },
    ]);
    const line = lines.map((text) => JSON.parse(text)).find(({ msg }) => msg === 'signed in');
    expect(line).toMatchObject({ userId: id, ip: from });
  });

  test('counts failed attempts per minute in one entry and throttled ones in another', async () => {
    const { id, username } = await newcomer(app);
    const guesses = async (count: number) => {
      for (let guess = 0; guess < count; guess += 1) {
        await logIn(app, { username, password: `wrong guess ${guess}` }, { from: '192.0.2.8' });
      }
    };
    const attempts = async () => {
      const entries: { outcome: string; attempts: number }[] = await listed(`?userId=${id}`);
      return entries.map((entry) => [entry.outcome, entry.attempts]);
    };
    await guesses(7);
    const ofTheFirstMinute = [
      ['throttled', 2],
      ['refused', 5],
    ];
    expect(await attempts()).toEqual(ofTheFirstMinute);
    time.pass({ minutes: 1 });
    await guesses(1);
    expect(await attempts()).toEqual([['throttled', 1], ...ofTheFirstMinute]);
    expect(await listed(`?userId=${id}&outcome=signed-in`)).toEqual([]);
  });

  test('does not store unknown usernames, because users may type a password there', async () => {
    const slip = 'correct horse 42 battery';
    await logIn(app, { username: slip, password: 'x' }, { from: '192.0.2.9' });
    const [entry] = await listed('?limit=1');
    expect(entry).toMatchObject({
      outcome: 'refused',
      successful: false,
      failure_reason: 'refused',
      ip: '192.0.2.9',
    });
    expect(entry).not.toHaveProperty('userId');
    expect(JSON.stringify(await app.db.selectFrom('logins').selectAll().execute())).not.toContain(
      slip,
    );
    expect(lines.join()).not.toContain(slip);
  });

  test('is available as CSV with escaped formulas', async () => {
    const { username, password } = await newcomer(app);
    await logIn(app, { username, password }, { headers: { 'user-agent': '=HYPERLINK("x")' } });
    const response = await app.ask(`GET ${logins}?limit=1`, { headers: { accept: 'text/csv' } });
    expect(response.headers['content-type']).toContain('text/csv');
    const [head, line] = response.body.split('\r\n');
    expect(head).toBe(
      'id,userId,username,auth_type,successful,failure_reason,outcome,attempts,ip,userAgent,created_at,lastAt',
    );
    expect(line).toContain(`,${username},password,true,,signed-in,1,`);
    expect(line).toContain(`"'=HYPERLINK(""x"")"`);
  });

  test('is paginated, validates its parameters and is not readable by viewers', async () => {
    const first = await listed('?limit=2');
    const second = await listed(`?limit=2&before=${first[1].id}`);
    expect(second[0].id).toBeLessThan(first[1].id);
    const viewer = await person(app);
    expect((await viewer.ask(`GET ${logins}`)).statusCode).toBe(403);
    for (const bad of ['limit=0', 'limit=1001', 'before=x', 'userId=-1', 'outcome=odd']) {
      expect((await app.ask(`GET ${logins}?${bad}`)).statusCode, bad).toBe(400);
    }
  });

  test('loses entries of erased users and entries older than 180 days', async () => {
    const { id, username, password } = await newcomer(app);
    await logIn(app, { username, password });
    await forgetEverywhere(app.transact, systemActor, id);
    expect(await listed(`?userId=${id}`)).toEqual([]);
    time.pass({ hours: 181 * 24 });
    await deleteOldAttempts(app.db, time.clock());
    expect(await listed()).toEqual([]);
  });
});
