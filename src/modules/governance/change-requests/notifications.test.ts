import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { type TestApp, testApp } from '../../../../test/support/app.ts';
import { mailbox, patient } from '../../../../test/support/mailbox.ts';
import { make } from '../../../../test/support/make.ts';
import { type Person, person } from '../../../../test/support/people.ts';
import { forgetEverywhere } from '../../../app/installation.ts';
import { systemActor } from '../../access/gate/index.ts';
import { createMailer, type Mailer } from '../../access/users/index.ts';
import { sendSomeDirect } from '../../flags/follows/emails/direct.ts';
import { endSchedule } from './state/scheduled.ts';

let app: TestApp;
let mails: string[];
let mailer: Mailer;
let author: Person;
let reviewer: Person;
let now = new Date('2026-03-02T10:00:00Z');
const baseUrl = 'https://flags.example.com';

const withAddress = async (email: string, more: object) => {
  const who = await person(app, more);
  await app.db.updateTable('users').set({ email }).where('id', '=', who.id).execute();
  return who;
};

beforeAll(async () => {
  const { settings, mails: received } = await mailbox();
  mails = received;
  app = await testApp({ clock: () => now, config: { mail: settings, baseUrl } });
  mailer = createMailer({ mail: settings }, { warn: () => undefined }, patient);
  await make(app.ask).project('sealed', { mode: 'private' });
  await app.ask('PUT /api/admin/projects/sealed/environments/production/change-requests/config', {
    payload: { changeRequestsEnabled: true },
  });
  author = await withAddress('author@example.com', { roles: { sealed: 4 } });
  reviewer = await withAddress('reviewer@example.com', { roles: { sealed: 4 } });
});

const requests = '/api/admin/projects/sealed/change-requests';
let made = 0;

/** A draft whose reviewer is requested. */
async function draft(): Promise<number> {
  made += 1;
  const feature = `sealed-${made}`;
  await make(app.ask).feature(feature, { project: 'sealed' });
  const path = '/api/admin/projects/sealed/environments/production/change-requests';
  const { id } = (
    await author.ask(`POST ${path}`, {
      payload: { feature, action: 'updateEnabled', payload: { enabled: true } },
    })
  ).json();
  await author.ask(`PUT ${requests}/${id}/approvers`, { payload: { reviewers: [reviewer.id] } });
  return id;
}

async function become(who: Person, id: number, state: string, more: object = {}): Promise<void> {
  const response = await who.ask(`PUT ${requests}/${id}/state`, { payload: { state, ...more } });
  expect(response.statusCode, response.body).toBe(200);
}

const attention = async ({ ask }: Person) => (await ask('GET /api/admin/attention')).json();

/** The sentences of the unread notifications, oldest first. Marks them as read. */
async function unread({ ask }: Person): Promise<string[]> {
  const path = '/api/admin/user/follows/notifications';
  const { events, unread: count } = (await ask(`GET ${path}`)).json();
  await ask(`PUT ${path}/read`, { payload: {} });
  return events
    .slice(0, count)
    .map(({ summary }: { summary: string }) => summary.replace(/^\*\*.*?\*\* /, ''))
    .reverse();
}

const send = (by: Mailer = mailer) =>
  sendSomeDirect({
    writeDb: app.db,
    clock: () => now,
    mailer: by,
    settings: { baseUrl } as never,
    stopping: new AbortController().signal,
  });

/** The recipients and subjects of the emails since the last call. */
async function emails(): Promise<string[]> {
  await send();
  return (
    mails
      .splice(0)
      // Long headers are folded.
      .map((mail) => mail.replaceAll('\r\n ', ' '))
      .map((mail) =>
        `${/^To: (.*)$/m.exec(mail)?.[1]} ${/^Subject: (.*)$/m.exec(mail)?.[1]}`.trim(),
      )
  );
}

const link = (id: number) =>
  `[change request \\#${id}](/projects/sealed/change-requests/${id}) in **production**`;

test('reviewers are notified when a request is sent to review, and its author of the result', async () => {
  const id = await draft();
  expect(await unread(reviewer)).toEqual([]);
  expect(await attention(reviewer)).toMatchObject({ changeRequestsToReview: 0 });
  await become(author, id, 'In review');
  expect(await attention(reviewer)).toMatchObject({ changeRequestsToReview: 1, notifications: 1 });
  expect(await attention(author)).toMatchObject({ changeRequestsToReview: 0, notifications: 0 });
  expect(await unread(reviewer)).toEqual([`sent ${link(id)} to review`]);
  expect(await emails()).toEqual([
    `reviewer@example.com author@example.com sent change request #${id} in production to review`,
  ]);

  await become(reviewer, id, 'Approved', { comment: 'Fine' });
  expect(await attention(reviewer)).toMatchObject({ changeRequestsToReview: 0 });
  expect(await attention(author)).toMatchObject({ changeRequestsToApply: 1 });
  expect(await unread(author)).toEqual([`approved ${link(id)}`, `commented on ${link(id)}`]);
  expect(await unread(reviewer)).toEqual([]);
  expect(await emails()).toEqual([
    `author@example.com reviewer@example.com approved change request #${id} in production`,
  ]);

  await become(reviewer, id, 'Applied');
  expect(await unread(author)).toEqual([`applied ${link(id)}`]);
  expect(await attention(author)).toMatchObject({ changeRequestsToApply: 0 });
  expect(await emails()).toEqual([]);
});

test('approvers are notified when an edit voids their approval', async () => {
  const id = await draft();
  await become(author, id, 'In review');
  await become(reviewer, id, 'Approved');
  for (const who of [author, reviewer]) await unread(who);
  await emails();
  const [{ changes, name }] = (await author.ask(`GET ${requests}/${id}`)).json().features;
  const edit = (changeId: number, enabled: boolean) =>
    author.ask(`PUT ${requests}/${id}/changes/${changeId}`, {
      payload: { feature: name, action: 'updateEnabled', payload: { enabled } },
    });
  const edited = (await edit(changes[0].id, false)).json();
  expect(edited).toMatchObject({ state: 'In review', approvals: [] });
  const feature = `[**${name}**](/projects/sealed/features/${name})`;
  const news = `updated a change to ${feature} in ${link(id)}, which voids 1 approval`;
  expect(await unread(reviewer)).toEqual([news]);
  expect(await unread(author)).toEqual([]);
  expect(await emails()).toHaveLength(1);
  expect(await attention(reviewer)).toMatchObject({ changeRequestsToReview: 1 });
  // There is nothing left to void.
  await edit(edited.features[0].changes[0].id, true);
  expect(await unread(reviewer)).toEqual([]);
  await become(author, id, 'Cancelled');
});

test('a request is listed as waiting only for users who should review or apply it', async () => {
  const id = await draft();
  await become(author, id, 'In review');
  const listed = async ({ ask }: Person, waitingFor: string) => {
    const { changeRequests, total } = (
      await ask(`GET /api/admin/search/change-requests?waitingFor=${waitingFor}`)
    ).json();
    expect(changeRequests).toHaveLength(total);
    return changeRequests.map((request: { id: number }) => request.id);
  };
  expect(await listed(reviewer, 'review')).toEqual([id]);
  expect(await listed(author, 'review')).toEqual([]);
  const outsider = await person(app, { rootRole: 2 });
  expect(await listed(outsider, 'review')).toEqual([]);
  expect(await attention(outsider)).toMatchObject({ changeRequestsToReview: 0 });
  await become(reviewer, id, 'Approved');
  expect(await listed(reviewer, 'review')).toEqual([]);
  expect(await listed(author, 'apply')).toEqual([id]);
  expect(await listed(reviewer, 'apply')).toEqual([]);
  await become(reviewer, id, 'Rejected');
  expect(await unread(author)).toEqual([`approved ${link(id)}`, `rejected ${link(id)}`]);
  expect(await emails()).toHaveLength(3);
  await unread(reviewer);
});

test('a reviewer who is requested later is notified, and a user who lost access is not', async () => {
  const id = await draft();
  await become(author, id, 'In review');
  const later = await withAddress('later@example.com', { roles: { sealed: 4 } });
  const reviewers = [reviewer.id, later.id];
  await author.ask(`PUT ${requests}/${id}/approvers`, { payload: { reviewers } });
  expect(await unread(later)).toEqual([`updated the reviewers of ${link(id)}`]);
  await app.db.deleteFrom('project_user_roles').where('user_id', '=', later.id).execute();
  await sql`notify burgee_access`.execute(app.db);
  await expect.poll(() => attention(later)).toMatchObject({ notifications: 0 });
  expect(await unread(later)).toEqual([]);
  expect(await emails()).toEqual([expect.stringMatching(/^reviewer@example.com .* to review$/)]);
  await unread(reviewer);
});

test('author and scheduler are notified when a schedule is suspended', async () => {
  const id = await draft();
  await become(author, id, 'In review');
  await become(reviewer, id, 'Approved');
  await unread(author);
  await emails();
  const scheduledAt = new Date(now.getTime() + 3_600_000).toISOString();
  await become(reviewer, id, 'Scheduled', { scheduledAt });
  expect(await unread(author)).toEqual([expect.stringContaining(`scheduled ${link(id)}`)]);
  await unread(reviewer);
  await app.transact(systemActor, (tx) => endSchedule(tx, id, 'suspended', 'It was changed'));
  const text = `suspended the schedule of ${link(id)}: It was changed`;
  expect(await unread(author)).toEqual([text]);
  expect(await unread(reviewer)).toEqual([text]);
  const subject = `suspended the schedule of change request #${id} in production: It was changed`;
  expect((await emails()).sort()).toEqual([
    expect.stringMatching(`author@example.com .*${subject}`),
    expect.stringMatching(`reviewer@example.com .*${subject}`),
  ]);
});

test('an email is retried until the mail server accepts it, for at most a day', async () => {
  const away: Mailer = { configured: true, send: async () => false };
  await become(author, await draft(), 'In review');
  await send(away);
  expect(await emails()).toEqual([]);
  now = new Date(now.getTime() + 120_000);
  expect(await emails()).toHaveLength(1);
  expect(await emails()).toEqual([]);
  await become(author, await draft(), 'In review');
  now = new Date(now.getTime() + 2 * 86_400_000);
  expect(await emails()).toEqual([]);
});

test('users who turned off change request emails get none; erased users have no notifications', async () => {
  const letters = '/api/admin/user/follows/letters';
  const off = await reviewer.ask(`PUT ${letters}`, {
    payload: { frequency: 'none', direct: false },
  });
  expect(off.json()).toEqual({ frequency: 'none', direct: false });
  await become(author, await draft(), 'In review');
  expect(await emails()).toEqual([]);
  const again = await reviewer.ask(`PUT ${letters}`, { payload: { frequency: 'none' } });
  expect(again.json()).toMatchObject({ direct: false });
  expect((await unread(reviewer)).length).toBeGreaterThan(0);
  await forgetEverywhere(app.transact, systemActor, reviewer.id);
  const left = await app.db
    .selectFrom('event_recipients')
    .where('user_id', '=', reviewer.id)
    .selectAll()
    .execute();
  expect(left).toEqual([]);
});
