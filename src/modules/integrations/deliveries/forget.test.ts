import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, testActor, testApp } from '../../../../test/support/app.ts';
import {
  delivery,
  failedAttempt,
  happened,
  integration,
} from '../../../../test/support/deliveries.ts';
import { person } from '../../../../test/support/people.ts';
import { forgetEverywhere } from '../../../app/installation.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});

const canary = 'Canary Somebody';
const message = { contentType: 'application/json', body: `{"by":"${canary}"}`, templated: false };
const naming = failedAttempt({
  stateDetails: `The receiver does not like ${canary}.`,
  error: `${canary} was refused`,
  nextAttemptAt: '2026-03-01T12:00:05.000Z',
  exchanges: [
    {
      request: { method: 'POST', url: 'https://x.example.com/*****', headers: {} },
      response: { status: 500, headers: { 'x-echo': canary }, body: `no ${canary}` },
      latencyMs: 3,
    },
  ],
});

const forget = (id: number) => forgetEverywhere(app.transact, testActor, id);

const rowOf = (id: string) =>
  app.db.selectFrom('deliveries').where('id', '=', id).selectAll().executeTakeFirstOrThrow();

/** All stored texts of integrations. */
const dump = async () =>
  JSON.stringify([
    await app.db.selectFrom('deliveries').selectAll().execute(),
    await app.db.selectFrom('integrations').selectAll().execute(),
  ]);

async function didSomething() {
  const { id, name } = await person(app);
  return { id, eventId: await happened(app, { by: { id, name } }) };
}

describe('erasing a user', () => {
  test('keeps delivery records of their changes without any content', async () => {
    const integrationId = await integration(app);
    const { id, eventId } = await didSomething();
    const content = { message, attempts: [naming, naming], stateDetails: naming.stateDetails };
    const record = await delivery(app, integrationId, { eventId, state: 'givenUp', ...content });
    const trouble = { at: naming.at, recordId: record, message: naming.stateDetails };
    await app.db
      .updateTable('integrations')
      .set({ trouble: JSON.stringify(trouble) })
      .where('id', '=', integrationId)
      .execute();
    expect(await dump()).toContain(canary);
    const before = await rowOf(record);
    await forget(id);
    expect(await dump()).not.toContain(canary);
    const erased = 'Content erased together with a user it mentioned.';
    expect(await rowOf(record)).toMatchObject({
      state: 'givenUp',
      outcome: 'failed',
      created_at: before.created_at,
      tries: before.tries,
      state_details: erased,
      attempts: [
        {
          at: naming.at,
          state: 'failed',
          status: 500,
          latencyMs: 12,
          nextAttemptAt: naming.nextAttemptAt,
          stateDetails: erased,
          exchanges: [],
        },
        { at: naming.at },
      ],
    });
    const shown = (await app.ask(`GET /api/admin/addons/${integrationId}/events/${record}`)).json();
    expect(shown).toMatchObject({ state: 'failed', stateDetails: erased });
    expect(Object.keys(shown.details).sort()).toEqual(['attempts', 'url']);
    const { trouble: left } = await app.db
      .selectFrom('integrations')
      .where('id', '=', integrationId)
      .select('trouble')
      .executeTakeFirstOrThrow();
    expect(left).toEqual({ ...trouble, message: erased });
  });

  test.each([
    ['never attempted', null],
    ['attempted', 'failed'],
  ] as const)('cancels pending deliveries and removes their content, %s', async (_how, outcome) => {
    const integrationId = await integration(app);
    const { id, eventId } = await didSomething();
    const attempts = outcome ? [naming] : [];
    const record = await delivery(app, integrationId, {
      eventId,
      state: 'pending',
      outcome,
      message,
      attempts,
    });
    const before = await rowOf(record);
    await forget(id);
    const after = await rowOf(record);
    expect(after).toMatchObject({ state: 'givenUp', outcome: 'failed', next_at: null });
    expect(after.message).toEqual({});
    expect(after.state_details).toMatch(/^Not sent: .* erased/);
    // An instance that is currently sending it cannot store the outcome later.
    expect(after.fence).toBe(before.fence + 1);
    const again = await app.ask(
      `POST /api/admin/addons/${integrationId}/events/${record}/redeliver`,
    );
    expect(again.statusCode).toBe(403);
    const { deliveries } = (
      await app.ask(`GET /api/admin/addons/${integrationId}/deliveries?state=givenUp`)
    ).json();
    expect(deliveries[0].why).toContain(
      'Not sent: content erased together with a user it mentioned',
    );
  });

  test('removes the content of delivery records about them, regardless of who caused the events', async () => {
    const integrationId = await integration(app);
    const { id } = (
      await app.ask('POST /api/admin/user-admin', {
        payload: { email: 'told-of@example.com', name: canary, rootRole: 3 },
      })
    ).json();
    await app.ask(`PUT /api/admin/user-admin/${id}`, { payload: { name: `${canary} II` } });
    const events = await app.db
      .selectFrom('events')
      .where('type', 'in', ['user-created', 'user-updated'])
      .where(sql<boolean>`coalesce(data->>'id', pre_data->>'id') = ${String(id)}`)
      .select('id')
      .execute();
    expect(events).toHaveLength(2);
    const records: string[] = [];
    for (const event of events) {
      records.push(await delivery(app, integrationId, { eventId: event.id, message }));
    }
    await forget(id);
    for (const record of records) {
      expect(await rowOf(record)).toMatchObject({ state: 'delivered', message: {} });
    }
    expect(await dump()).not.toContain(canary);
  });

  test('keeps delivery records of others unchanged', async () => {
    const integrationId = await integration(app);
    const [one, other] = [await didSomething(), await didSomething()];
    // An event about another object with the same id is not about the user.
    const numbered = await happened(app, { data: { id: one.id } });
    const kept: string[] = [];
    for (const eventId of [other.eventId, numbered]) {
      const row = { eventId, message: { body: 'x' }, attempts: [failedAttempt()] };
      kept.push(await delivery(app, integrationId, { ...row, state: 'pending' }));
    }
    const before = await Promise.all(kept.map(rowOf));
    await forget(one.id);
    expect(await Promise.all(kept.map(rowOf))).toEqual(before);
  });
});
