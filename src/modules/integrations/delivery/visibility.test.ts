import { sql } from 'kysely';
import { describe, expect, test, vi } from 'vitest';
import { type TestApp, testApp } from '../../../../test/support/app.ts';
import { happen } from '../../../../test/support/happen.ts';
import { makeWebhook, recordsOf } from '../../../../test/support/integrations.ts';
import { make } from '../../../../test/support/make.ts';
import { type Person, person } from '../../../../test/support/people.ts';
import { type Receiver, startReceiver } from '../../../../test/support/receiver.ts';
import { progressLock } from './queries/progress.ts';

const soon = { timeout: 5_000, interval: 10 };

/** People other than administrators reach receivers on this machine only where the setting allows it. */
const reachable = { targets: { privateTargets: ['127.0.0.1'], loopback: true } };
const begin = () => testApp({ background: 'here', config: reachable });

const events = ['project-updated', 'feature-created', 'feature-archived', 'project-deleted'];

const makePrivate = async (on: TestApp, project: string) => {
  const response = await on.ask(`PUT /api/admin/projects/${project}/settings`, {
    payload: { mode: 'private' },
  });
  expect(response.statusCode).toBe(200);
};

const told = ({ received }: Receiver) =>
  received
    .map(({ body }) => JSON.parse(body))
    .map(({ type, project, featureName }) => `${type} ${project} ${featureName ?? ''}`.trim());

/** All that happened was decided on, and what was to be sent was sent. */
async function expectTold(on: TestApp, receiver: Receiver, wanted: readonly string[]) {
  await happen(on.db, { type: 'feature-created', project: 'default', featureName: 'last' });
  await vi.waitFor(async () => {
    expect(told(receiver)).toContain('feature-created default last');
    const pending = on.db.selectFrom('deliveries').where('next_at', 'is not', null).select('id');
    expect(await pending.execute()).toEqual([]);
  }, soon);
  expect(
    told(receiver)
      .filter((each) => !each.endsWith(' last'))
      .sort(),
  ).toEqual([...wanted].sort());
}

const feature = (on: TestApp, project: string, featureName: string) =>
  happen(on.db, { type: 'feature-created', project, featureName });

describe('an event is told only if the account that last changed the integration sees its project now', () => {
  test('not when the project became private, though the integration names it', async () => {
    const on = await begin();
    const editor = await person(on, { rootRole: 2 });
    const receiver = await startReceiver();
    await make(on.ask).project('turned');
    await makeWebhook(editor.ask, { url: receiver.url, events, projects: ['turned', 'default'] });
    await feature(on, 'turned', 'while-open');
    await vi.waitFor(() => expect(told(receiver)).toHaveLength(1), soon);
    await makePrivate(on, 'turned');
    await feature(on, 'turned', 'while-private');
    await expectTold(on, receiver, ['feature-created turned while-open']);
  });

  test('not when it lost its role in a private project, though it had one when it named it', async () => {
    const on = await begin();
    await make(on.ask).project('secret', { mode: 'private' });
    const member = await person(on, { rootRole: 2, roles: { secret: 5 } });
    const receiver = await startReceiver();
    await makeWebhook(member.ask, { url: receiver.url, events, projects: ['secret', 'default'] });
    await feature(on, 'secret', 'as-member');
    await vi.waitFor(() => expect(told(receiver)).toHaveLength(1), soon);
    await on.db.deleteFrom('project_user_roles').where('user_id', '=', member.id).execute();
    await feature(on, 'secret', 'as-nobody');
    await expectTold(on, receiver, ['feature-created secret as-member']);
  });

  test('of private projects that it does not name, too, while the account has a role in them', async () => {
    const on = await begin();
    await make(on.ask).project('mine', { mode: 'private' });
    await make(on.ask).project('theirs', { mode: 'private' });
    const member = await person(on, { rootRole: 2, roles: { mine: 5 } });
    const receiver = await startReceiver();
    await makeWebhook(member.ask, { url: receiver.url, events });
    await feature(on, 'theirs', 'hidden');
    await feature(on, 'mine', 'seen');
    await expectTold(on, receiver, ['feature-created mine seen']);
  });

  test('and administrators, their tokens too, only for as long as they are some', async () => {
    const on = await begin();
    await make(on.ask).project('secret', { mode: 'private' });
    const admin = await person(on, { rootRole: 1 });
    const [ofAdmin, ofToken] = [await startReceiver(), await startReceiver()];
    await makeWebhook(admin.ask, { url: ofAdmin.url, events });
    await makeWebhook(on.ask, { url: ofToken.url, events });
    await feature(on, 'secret', 'first');
    for (const receiver of [ofAdmin, ofToken]) {
      await vi.waitFor(() => expect(told(receiver)).toHaveLength(1), soon);
    }
    await on.db.updateTable('users').set({ root_role: 2 }).where('id', '=', admin.id).execute();
    await on.db.updateTable('api_tokens').set({ revoked_at: new Date() }).execute();
    await feature(on, 'secret', 'second');
    await expectTold(on, ofAdmin, ['feature-created secret first']);
    await vi.waitFor(() => expect(told(ofToken)).toContain('feature-created default last'), soon);
    expect(told(ofToken)).not.toContain('feature-created secret second');
  });

  test('what belongs to no project is for administrators alone', async () => {
    const on = await begin();
    const editor = await person(on, { rootRole: 2 });
    const [ofAdmin, ofEditor] = [await startReceiver(), await startReceiver()];
    const wanted = { events: ['segment-created', 'feature-created'], projects: ['default'] };
    await makeWebhook(on.ask, { url: ofAdmin.url, ...wanted });
    await makeWebhook(editor.ask, { url: ofEditor.url, ...wanted });
    await happen(on.db, { type: 'segment-created', project: null });
    await expectTold(on, ofAdmin, ['segment-created null']);
    await vi.waitFor(() => expect(told(ofEditor)).toEqual(['feature-created default last']), soon);
  });
});

describe('what waits', () => {
  /** A member of a private project whose integration is paused, and has something to tell of it. */
  async function waiting(): Promise<{
    on: TestApp;
    member: Person;
    id: number;
    receiver: Receiver;
  }> {
    const on = await begin();
    await make(on.ask).project('secret', { mode: 'private' });
    const member = await person(on, { rootRole: 2, roles: { secret: 5 } });
    const receiver = await startReceiver();
    const { id } = await makeWebhook(member.ask, { url: receiver.url, events });
    await on.ask(`POST /api/admin/addons/${id}/pause`);
    await feature(on, 'secret', 'waits');
    await feature(on, 'default', 'waits-too');
    await vi.waitFor(async () => {
      const { delivery } = (await on.ask(`GET /api/admin/addons/${id}`)).json();
      expect(delivery.pending).toBe(2);
    }, soon);
    return { on, member, id, receiver };
  }

  test('about a project that the account does not see any more is not sent, and its record says so', async () => {
    const { on, member, id, receiver } = await waiting();
    await on.db.deleteFrom('project_user_roles').where('user_id', '=', member.id).execute();
    await on.ask(`POST /api/admin/addons/${id}/resume`);
    await vi.waitFor(async () => expect(await recordsOf(on.ask, id)).toHaveLength(2), soon);
    expect(told(receiver)).toEqual(['feature-created default waits-too']);
    const records = await recordsOf(on.ask, id);
    const cancelled = records.find(({ event }) => event.project === 'secret');
    expect(cancelled).toMatchObject({
      state: 'failed',
      stateDetails: expect.stringContaining('Not sent: the account that last changed'),
      details: { attempts: [{ exchanges: [] }] },
    });
    const again = await on.ask(`POST /api/admin/addons/${id}/events/${cancelled?.id}/redeliver`);
    expect([again.statusCode, again.json().message]).toEqual([
      403,
      expect.stringContaining('may not tell of it any more'),
    ]);
    const all = await on.ask(`POST /api/admin/addons/${id}/redeliver`);
    expect(all.json().redelivered).toBe(0);
  });

  test('is sent where the account still sees it', async () => {
    const { on, id, receiver } = await waiting();
    await on.ask(`POST /api/admin/addons/${id}/resume`);
    await vi.waitFor(() => expect(told(receiver)).toHaveLength(2), soon);
  });
});

describe('a project that is deleted', () => {
  const remove = (on: TestApp, project: string) => on.ask(`DELETE /api/admin/projects/${project}`);

  test('is told of to the end where everybody could see it, however late', async () => {
    const on = await begin();
    const editor = await person(on, { rootRole: 2 });
    const receiver = await startReceiver();
    for (const [id, mode] of [
      ['open-one', 'open'],
      ['private-one', 'private'],
    ] as const) {
      await make(on.ask).project(id, { mode });
    }
    await makeWebhook(editor.ask, { url: receiver.url, events });
    // Nobody can write down who is to be told of what until both projects are gone.
    await on.db.transaction().execute(async (holding) => {
      await sql`select pg_advisory_xact_lock(${progressLock})`.execute(holding);
      for (const project of ['open-one', 'private-one']) {
        await feature(on, project, 'of-it');
        expect((await remove(on, project)).statusCode).toBe(200);
      }
    });
    await expectTold(on, receiver, ['feature-created open-one of-it', 'project-deleted open-one']);
  });

  test('is not meant by its id when another project gets it', async () => {
    const on = await begin();
    const receiver = await startReceiver();
    await make(on.ask).project('used-twice');
    const { id } = await makeWebhook(on.ask, {
      url: receiver.url,
      events,
      projects: ['used-twice', 'default'],
    });
    await remove(on, 'used-twice');
    await make(on.ask).project('used-twice');
    await feature(on, 'used-twice', 'of-the-second');
    await expectTold(on, receiver, ['project-deleted used-twice']);
    await on.ask(`PUT /api/admin/addons/${id}`, {
      payload: {
        provider: 'webhook',
        enabled: true,
        parameters: { url: '*****' },
        events,
        projects: ['used-twice', 'default'],
      },
    });
    await feature(on, 'used-twice', 'named-again');
    await vi.waitFor(
      () => expect(told(receiver)).toContain('feature-created used-twice named-again'),
      soon,
    );
  });
});
