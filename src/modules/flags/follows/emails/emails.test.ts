import { beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, testApp } from '../../../../../test/support/app.ts';
import { mailbox, patient } from '../../../../../test/support/mailbox.ts';
import { make } from '../../../../../test/support/make.ts';
import { type Person, person } from '../../../../../test/support/people.ts';
import { recordedBy } from '../../../../../test/support/recorded.ts';
import { systemActor } from '../../../access/gate/index.ts';
import { createMailer, type Mail, type Mailer } from '../../../access/users/index.ts';
import { sendEmails } from './jobs.ts';

let app: TestApp;
let mails: string[];
let mailer: Mailer;
let now = new Date('2026-03-02T10:00:00Z');

const minutes = (count: number) => {
  now = new Date(now.getTime() + count * 60_000);
};

const follows = '/api/admin/user/follows';
const baseUrl = 'https://flags.example.com';

beforeAll(async () => {
  const { settings, mails: received } = await mailbox();
  mails = received;
  app = await testApp({ clock: () => now, config: { mail: settings, baseUrl } });
  mailer = createMailer({ mail: settings }, { warn: () => undefined }, patient);
});

/** One run of the job with this mailer. */
const run = (by: Mailer = mailer) =>
  sendEmails({
    writeDb: app.db,
    transact: app.transact,
    system: systemActor,
    clock: () => now,
    mailer: by,
    settings: { baseUrl } as never,
    stopping: new AbortController().signal,
  });

/** The emails since the last call. */
const letters = () => mails.splice(0);

async function reader(email: string, frequency: string, more: object = {}): Promise<Person> {
  const who = await person(app, more);
  await app.db.updateTable('users').set({ email }).where('id', '=', who.id).execute();
  const response = await who.ask(`PUT ${follows}/letters`, { payload: { frequency } });
  expect(response.json()).toEqual({ frequency, direct: true });
  return who;
}

const follow = ({ ask }: Person, feature: string, project = 'default') =>
  ask(`PUT ${follows}/projects/${project}/features/${feature}`);
const change = (name: string, description: string, ask = app.ask, project = 'default') =>
  ask(`PUT /api/admin/projects/${project}/features/${name}`, {
    payload: { name, type: 'release', description },
  });

/** A mailer whose server is unavailable. */
const away: Mailer = { configured: true, send: async () => false };

test('immediate emails combine the changes of one minute and are sent at most every five minutes', async () => {
  await make(app.ask).feature('watched');
  await change('watched', 'Before the follow');
  const ada = await reader('ada@example.com', 'immediate');
  await follow(ada, 'watched');
  minutes(1);
  await run();
  expect(letters()).toEqual([]);
  await change('watched', 'First');
  await run();
  await change('watched', 'Second');
  minutes(2);
  await run();
  const [letter = '', ...others] = letters();
  expect(others).toEqual([]);
  expect(letter).toContain('To: ada@example.com');
  expect(letter).toContain('Subject: 2 changes to watched');
  expect(letter).toContain(`${baseUrl}/projects/default/features/watched`);
  expect(letter).toContain(`${baseUrl}/profile?tab=following`);
  expect(letter).toContain('text/html');
  await change('watched', 'Third');
  minutes(3);
  await run();
  expect(letters()).toEqual([]);
  minutes(3);
  await run();
  expect(letters()).toHaveLength(1);
  minutes(60);
  await run();
  expect(letters()).toEqual([]);
});

test('daily emails are sent once a day', async () => {
  await make(app.ask).feature('daily');
  await follow(await reader('daily@example.com', 'daily'), 'daily');
  await change('daily', 'One');
  minutes(6 * 60);
  await change('daily', 'Two');
  await run();
  minutes(6 * 60);
  await run();
  expect(letters()).toEqual([]);
  minutes(12 * 60);
  await run();
  expect(letters()).toEqual([expect.stringContaining('2 changes')]);
  minutes(24 * 60);
  await run();
  expect(letters()).toEqual([]);
});

test('weekly emails are sent on Mondays', async () => {
  await make(app.ask).feature('weekly');
  await follow(await reader('weekly@example.com', 'weekly'), 'weekly');
  await change('weekly', 'One');
  await run();
  while (!now.toISOString().startsWith('2026-03-09T06')) {
    minutes(60);
    expect(letters()).toEqual([]);
    await run();
  }
  expect(now.getUTCDay()).toBe(1);
  expect(letters()).toEqual([expect.stringContaining('updated the description of weekly')]);
  minutes(7 * 24 * 60);
  await run();
  expect(letters()).toEqual([]);
});

test('users get no emails about their own changes or what they can no longer see', async () => {
  await make(app.ask).project('closed', { mode: 'private' });
  await make(app.ask).feature('inside', { project: 'closed' });
  await make(app.ask).feature('own');
  await make(app.ask).feature('deleted');
  const eve = await reader('eve@example.com', 'immediate', { rootRole: 2, roles: { closed: 5 } });
  await follow(eve, 'inside', 'closed');
  await follow(eve, 'own');
  await follow(eve, 'deleted');
  minutes(1);
  await change('own', 'By myself', eve.ask);
  await change('inside', 'Secret', app.ask, 'closed');
  await change('deleted', 'Gone');
  await run();
  await app.db.deleteFrom('project_user_roles').where('user_id', '=', eve.id).execute();
  await app.ask('DELETE /api/admin/projects/default/features/deleted');
  await app.ask('DELETE /api/admin/archive/deleted');
  minutes(10);
  await run();
  expect(letters()).toEqual([]);
});

test('emails name the owner of a feature, unless it has moved to a project that the reader cannot see', async () => {
  await make(app.ask).project('shop');
  await make(app.ask).project('vault', { mode: 'private' });
  const owner = await person(app, { roles: { vault: 5 } });
  const zed = await reader('zed@example.com', 'immediate');
  await zed.ask(`PUT ${follows}/projects/shop`);
  const emailAbout = async (feature: string, afterwards?: () => Promise<unknown>) => {
    await make(app.ask).feature(feature, {
      project: 'shop',
      owner: { type: 'user', id: owner.id },
    });
    minutes(10);
    await run();
    await afterwards?.();
    minutes(10);
    await run();
    const [letter = '', ...others] = letters();
    expect(others).toEqual([]);
    expect(letter).toContain(feature);
    return letter;
  };
  expect(await emailAbout('stays')).toContain(owner.name);
  const moves = async () => {
    const path = 'POST /api/admin/projects/shop/features/moves/changeProject';
    const { statusCode } = await app.ask(path, { payload: { newProjectId: 'vault' } });
    expect(statusCode).toBe(200);
  };
  expect(await emailAbout('moves', moves)).not.toContain(owner.name);
});

test('names are escaped in the HTML of an email', async () => {
  const sent: Mail[] = [];
  const spy: Mailer = { configured: true, send: async (mail) => sent.push(mail) > 0 };
  await make(app.ask).feature('marked');
  const name = '<img src=x onerror=alert(1)>';
  const mallory = await person(app, { rootRole: 1 });
  await app.db
    .updateTable('users')
    .set({ email: null, username: name })
    .where('id', '=', mallory.id)
    .execute();
  await follow(await reader('bob@example.com', 'immediate'), 'marked');
  minutes(1);
  await change('marked', 'x', mallory.ask);
  await run(spy);
  minutes(2);
  await run(spy);
  expect(sent).toHaveLength(1);
  expect(sent[0]?.text).toContain(name);
  expect(sent[0]?.html).not.toContain('<img');
  expect(sent[0]?.html).toContain('&#60;img');
});

describe('emails about changes', () => {
  const due = async (email: string, feature: string) => {
    await make(app.ask).feature(feature);
    await follow(await reader(email, 'immediate'), feature);
    minutes(1);
    await change(feature, 'Told');
    await run();
    minutes(2);
  };

  test('are sent later if the mail server is unavailable', async () => {
    await due('away@example.com', 'kept');
    await run(away);
    await run();
    expect(letters()).toEqual([]);
    minutes(1);
    await run();
    expect(letters()).toEqual([expect.stringContaining('updated the description of kept')]);
  });

  test('are sent once more if the process dies before it stores that they were sent', async () => {
    await due('died@example.com', 'survived');
    const dying: Mailer = {
      configured: true,
      send: async (mail) => {
        await mailer.send(mail);
        throw new Error('killed');
      },
    };
    await expect(run(dying)).rejects.toThrow('killed');
    expect(letters()).toHaveLength(1);
    await run();
    expect(letters()).toEqual([]);
    minutes(16);
    await run();
    expect(letters()).toHaveLength(1);
    minutes(16);
    await run();
    expect(letters()).toEqual([]);
  });

  test('are not sent twice by concurrent instances', async () => {
    for (const index of [1, 2, 3, 4, 5]) await due(`n${index}@example.com`, `twice-${index}`);
    await Promise.all([run(), run(), run()]);
    expect(letters()).toHaveLength(5);
  });
});

test('a bulk change in a project with a thousand followers schedules one email each, outside of the request', async () => {
  await make(app.ask).project('popular');
  const { ask } = app;
  for (const index of [1, 2, 3])
    await make(ask).feature(`popular-${index}`, { project: 'popular' });
  const people = Array.from({ length: 1000 }, (_, index) => 1_000_000 + index);
  await app.db
    .insertInto('project_follows')
    .values(
      people.map((user_id) => ({ project: 'popular', user_id, created_at: now, after_id: 0 })),
    )
    .execute();
  await app.db
    .insertInto('follow_letters')
    .values(
      people.map((user_id) => ({
        user_id,
        frequency: 'daily' as const,
        mailed_id: 0,
        pending_id: 0,
        due_at: now,
        failures: 0,
        claimed_until: null,
      })),
    )
    .execute();
  const response = await ask('POST /api/admin/features/bulk', {
    payload: { action: 'mark-stale', features: ['popular-1', 'popular-2', 'popular-3'] },
  });
  expect(response.statusCode).toBe(200);
  const pending = async () =>
    (
      await app.db
        .selectFrom('follow_letters')
        .where('user_id', 'in', people)
        .whereRef('pending_id', '>', 'mailed_id')
        .select('user_id')
        .execute()
    ).length;
  expect(await pending()).toBe(0);
  await run();
  expect(await pending()).toBe(1000);
});

test('the frequency is recorded, and rejected for a user without an email address', async () => {
  const who = await reader('chosen@example.com', 'daily');
  const changed = await who.ask(`PUT ${follows}/letters`, { payload: { frequency: 'none' } });
  expect(await recordedBy(app.db, changed)).toMatchObject([
    {
      type: 'user-preference-updated',
      data: { userId: who.id, letters: 'none' },
      preData: { letters: 'daily' },
    },
  ]);
  const nobody = await person(app);
  const refused = await nobody.ask(`PUT ${follows}/letters`, { payload: { frequency: 'daily' } });
  expect([refused.statusCode, refused.json().message]).toEqual([
    403,
    'Add an email address to your account to get notifications.',
  ]);
});
