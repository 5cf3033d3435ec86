import { sql } from 'kysely';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { type TestApp, testApp } from '../../../../test/support/app.ts';
import { happen } from '../../../../test/support/happen.ts';
import { recordsOf, webhookOfTest } from '../../../../test/support/integrations.ts';
import { make } from '../../../../test/support/make.ts';
import { type Person, person } from '../../../../test/support/people.ts';
import { type Receiver, startReceiver } from '../../../../test/support/receiver.ts';
import { progressLock } from './queries/progress.ts';

const soon = { timeout: 60_000, interval: 10 };

/** Integrations of users who are not administrators reach this machine only if the setting allows it. */
const reachable = { targets: { privateTargets: ['127.0.0.1'], loopback: true } };
const begin = () => testApp({ background: 'here', config: reachable });

let app: TestApp;
beforeAll(async () => {
  app = await begin();
});

const events = ['project-updated', 'feature-created', 'feature-archived', 'project-deleted'];

const makePrivate = async (app: TestApp, project: string) => {
  const response = await app.ask(`PUT /api/admin/projects/${project}/settings`, {
    payload: { mode: 'private' },
  });
  expect(response.statusCode).toBe(200);
};

const deliveredTo = ({ received }: Receiver) =>
  received
    .map(({ body }) => JSON.parse(body))
    .map(({ type, project, featureName }) => `${type} ${project} ${featureName ?? ''}`.trim());

/** Waits until every event is fanned out and every delivery is sent. */
async function expectDelivered(app: TestApp, receiver: Receiver, wanted: readonly string[]) {
  await happen(app.db, { type: 'feature-created', project: 'default', featureName: 'last' });
  await vi.waitFor(async () => {
    expect(deliveredTo(receiver)).toContain('feature-created default last');
    const pending = app.db
      .selectFrom('deliveries')
      .innerJoin('integrations', 'integrations.id', 'integration_id')
      .where('next_at', 'is not', null)
      .where('deleted_at', 'is', null)
      .select('deliveries.id');
    expect(await pending.execute()).toEqual([]);
  }, soon);
  expect(
    deliveredTo(receiver)
      .filter((each) => !each.endsWith(' last'))
      .sort(),
  ).toEqual([...wanted].sort());
}

const feature = (app: TestApp, project: string, featureName: string) =>
  happen(app.db, { type: 'feature-created', project, featureName });

describe('an event is delivered only if the account that last changed the integration sees its project', () => {
  test('and not after the project became private, even if the integration names it', async () => {
    const editor = await person(app, { rootRole: 2 });
    const receiver = await startReceiver();
    await make(app.ask).project('turned');
    await webhookOfTest(
      app,
      { url: receiver.url, events, projects: ['turned', 'default'] },
      editor.ask,
    );
    await feature(app, 'turned', 'while-open');
    await vi.waitFor(() => expect(deliveredTo(receiver)).toHaveLength(1), soon);
    await makePrivate(app, 'turned');
    await feature(app, 'turned', 'while-private');
    await expectDelivered(app, receiver, ['feature-created turned while-open']);
  });

  test('and not after the account lost its role in a private project', async () => {
    await make(app.ask).project('lost', { mode: 'private' });
    const member = await person(app, { rootRole: 2, roles: { lost: 5 } });
    const receiver = await startReceiver();
    await webhookOfTest(
      app,
      { url: receiver.url, events, projects: ['lost', 'default'] },
      member.ask,
    );
    await feature(app, 'lost', 'as-member');
    await vi.waitFor(() => expect(deliveredTo(receiver)).toHaveLength(1), soon);
    await app.db.deleteFrom('project_user_roles').where('user_id', '=', member.id).execute();
    await feature(app, 'lost', 'as-nobody');
    await expectDelivered(app, receiver, ['feature-created lost as-member']);
  });

  test('including private projects in which the account has a role and that the integration does not name', async () => {
    await make(app.ask).project('mine', { mode: 'private' });
    await make(app.ask).project('theirs', { mode: 'private' });
    const member = await person(app, { rootRole: 2, roles: { mine: 5 } });
    const receiver = await startReceiver();
    await webhookOfTest(app, { url: receiver.url, events }, member.ask);
    await feature(app, 'theirs', 'hidden');
    await feature(app, 'mine', 'seen');
    await expectDelivered(app, receiver, ['feature-created mine seen']);
  });

  test('for administrators and their tokens only while they are valid', async () => {
    const app = await begin();
    await make(app.ask).project('secret', { mode: 'private' });
    const admin = await person(app, { rootRole: 1 });
    const [ofAdmin, ofToken] = [await startReceiver(), await startReceiver()];
    await webhookOfTest(app, { url: ofAdmin.url, events }, admin.ask);
    await webhookOfTest(app, { url: ofToken.url, events });
    await feature(app, 'secret', 'first');
    for (const receiver of [ofAdmin, ofToken]) {
      await vi.waitFor(() => expect(deliveredTo(receiver)).toHaveLength(1), soon);
    }
    await app.db.updateTable('users').set({ root_role: 2 }).where('id', '=', admin.id).execute();
    await app.db.updateTable('api_tokens').set({ revoked_at: new Date() }).execute();
    await feature(app, 'secret', 'second');
    await expectDelivered(app, ofAdmin, ['feature-created secret first']);
    await vi.waitFor(
      () => expect(deliveredTo(ofToken)).toContain('feature-created default last'),
      soon,
    );
    expect(deliveredTo(ofToken)).not.toContain('feature-created secret second');
  });

  test('and events without a project only for administrators', async () => {
    const editor = await person(app, { rootRole: 2 });
    const [ofAdmin, ofEditor] = [await startReceiver(), await startReceiver()];
    const wanted = { events: ['segment-created', 'feature-created'], projects: ['default'] };
    await webhookOfTest(app, { url: ofAdmin.url, ...wanted });
    await webhookOfTest(app, { url: ofEditor.url, ...wanted }, editor.ask);
    await happen(app.db, { type: 'segment-created', project: null });
    await expectDelivered(app, ofAdmin, ['segment-created null']);
    await vi.waitFor(
      () => expect(deliveredTo(ofEditor)).toEqual(['feature-created default last']),
      soon,
    );
  });
});

describe('a pending delivery', () => {
  /** A member of a private project with a paused integration that has a pending delivery for the project. */
  async function waiting(secret: string): Promise<{
    member: Person;
    id: number;
    receiver: Receiver;
  }> {
    await make(app.ask).project(secret, { mode: 'private' });
    const member = await person(app, { rootRole: 2, roles: { [secret]: 5 } });
    const receiver = await startReceiver();
    const { id } = await webhookOfTest(app, { url: receiver.url, events }, member.ask);
    await app.ask(`POST /api/admin/addons/${id}/pause`);
    await feature(app, secret, 'waits');
    await feature(app, 'default', 'waits-too');
    await vi.waitFor(async () => {
      const { delivery } = (await app.ask(`GET /api/admin/addons/${id}`)).json();
      expect(delivery.pending).toBe(2);
    }, soon);
    return { member, id, receiver };
  }

  test('is canceled if the account no longer sees the project, and the record says so', async () => {
    const { member, id, receiver } = await waiting('secret');
    await app.db.deleteFrom('project_user_roles').where('user_id', '=', member.id).execute();
    await app.ask(`POST /api/admin/addons/${id}/resume`);
    await vi.waitFor(async () => expect(await recordsOf(app.ask, id)).toHaveLength(2), soon);
    expect(deliveredTo(receiver)).toEqual(['feature-created default waits-too']);
    const records = await recordsOf(app.ask, id);
    const canceled = records.find(({ event }) => event.project === 'secret');
    expect(canceled).toMatchObject({
      state: 'failed',
      stateDetails: expect.stringContaining('Not sent: the account that last saved'),
      details: { attempts: [{ exchanges: [] }] },
    });
    const again = await app.ask(`POST /api/admin/addons/${id}/events/${canceled?.id}/redeliver`);
    expect([again.statusCode, again.json().message]).toEqual([
      403,
      "The account that last saved the integration can't see this event. Have someone with access save the integration, then redeliver",
    ]);
    const all = await app.ask(`POST /api/admin/addons/${id}/redeliver`);
    expect(all.json().redelivered).toBe(0);
  });

  test('is sent if the account still sees the project', async () => {
    const { id, receiver } = await waiting('still-seen');
    await app.ask(`POST /api/admin/addons/${id}/resume`);
    await vi.waitFor(() => expect(deliveredTo(receiver)).toHaveLength(2), soon);
  });
});

describe('a deleted project', () => {
  const remove = (app: TestApp, project: string) =>
    app.ask(`DELETE /api/admin/projects/${project}`);

  test('is reported until its end if everyone could see it', async () => {
    const editor = await person(app, { rootRole: 2 });
    const receiver = await startReceiver();
    for (const [id, mode] of [
      ['open-one', 'open'],
      ['private-one', 'private'],
    ] as const) {
      await make(app.ask).project(id, { mode });
    }
    await webhookOfTest(app, { url: receiver.url, events }, editor.ask);
    // The lock keeps events from being fanned out until both projects are deleted.
    await app.db.transaction().execute(async (holding) => {
      await sql`select pg_advisory_xact_lock(${progressLock})`.execute(holding);
      for (const project of ['open-one', 'private-one']) {
        await feature(app, project, 'of-it');
        expect((await remove(app, project)).statusCode).toBe(200);
      }
    });
    await expectDelivered(app, receiver, [
      'feature-created open-one of-it',
      'project-deleted open-one',
    ]);
  });

  test('is not confused with a new project that has the same id', async () => {
    const receiver = await startReceiver();
    await make(app.ask).project('used-twice');
    const { id } = await webhookOfTest(app, {
      url: receiver.url,
      events,
      projects: ['used-twice', 'default'],
    });
    await remove(app, 'used-twice');
    await make(app.ask).project('used-twice');
    await feature(app, 'used-twice', 'of-the-second');
    await expectDelivered(app, receiver, ['project-deleted used-twice']);
    await app.ask(`PUT /api/admin/addons/${id}`, {
      payload: {
        provider: 'webhook',
        enabled: true,
        parameters: { url: '*****' },
        events,
        projects: ['used-twice', 'default'],
      },
    });
    await feature(app, 'used-twice', 'named-again');
    await vi.waitFor(
      () => expect(deliveredTo(receiver)).toContain('feature-created used-twice named-again'),
      soon,
    );
  });
});
