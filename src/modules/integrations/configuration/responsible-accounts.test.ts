import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { testDatabase } from '../../../../test/support/database.ts';
import {
  delivery,
  failedAttempt,
  happened,
  integration,
} from '../../../../test/support/deliveries.ts';
import { up } from '../../../migrations/0031-responsible-accounts.ts';
import { systemActor } from '../../access/gate/index.ts';

let database: Awaited<ReturnType<typeof testDatabase>>;
const byAccount = { id: 42 };
const byToken = { id: -5 };

/** Reverts the table to its form before the migration, then migrates it again. */
async function migrate(): Promise<void> {
  await sql`
    alter table integrations drop column responsible_kind, drop column responsible_id,
      drop column named_after, add column tells_private boolean not null default true`.execute(
    database.db,
  );
  await up(database.db);
}

const configured = (id: number, type: 'created' | 'updated', more: object) =>
  happened(database, {
    type: `addon-config-${type}`,
    ...more,
    data: { id, ...(more as { data?: object }).data },
  });

const responsibleFor = (id: number) =>
  database.db
    .selectFrom('integrations')
    .where('id', '=', id)
    .select(['responsible_kind as kind', 'responsible_id as id', 'named_after as after'])
    .executeTakeFirstOrThrow();

beforeAll(async () => {
  database = await testDatabase();
});

test('after an upgrade, the account that last changed an integration according to the log is responsible for it', async () => {
  const ids = [];
  for (let number = 0; number < 5; number += 1) ids.push(await integration(database));
  const [changed, switched, ofToken, ofSystem, unknown] = ids as [
    number,
    number,
    number,
    number,
    number,
  ];
  await configured(changed, 'created', { by: byToken, data: { enabled: true } });
  const last = await configured(changed, 'updated', {
    by: byAccount,
    data: { enabled: true, events: ['feature-created'] },
    preData: { id: changed, enabled: true },
  });
  const made = await configured(switched, 'created', { by: byAccount, data: { enabled: true } });
  // Disabling it did not make an account responsible.
  await configured(switched, 'updated', {
    by: byToken,
    data: { enabled: false, paused: true, reason: 'gone' },
    preData: { id: switched, enabled: true },
  });
  await configured(ofToken, 'created', { by: byToken });
  await configured(ofSystem, 'created', { by: systemActor });
  await migrate();
  expect(await responsibleFor(changed)).toEqual({ kind: 'account', id: 42, after: last });
  expect(await responsibleFor(switched)).toEqual({ kind: 'account', id: 42, after: made });
  expect(await responsibleFor(ofToken)).toMatchObject({ kind: 'token', id: 5 });
  expect(await responsibleFor(ofSystem)).toMatchObject({ kind: 'system', id: null });
  expect(await responsibleFor(unknown)).toMatchObject({ kind: 'nobody', id: null });
});

test('after an upgrade, no delivery shows the path of a webhook, and everything else is unchanged', async () => {
  const [webhook, datadog] = [
    await integration(database),
    await integration(database, { provider: 'datadog' }),
  ];
  const url = 'https://u:*****@hooks.example.com/services/T0/secret-path?key=*****';
  const body = 'You called {"url": "https://hooks.example.com/told"} "url": "x"';
  const attempt = failedAttempt();
  const [exchange] = attempt.exchanges;
  if (!exchange) throw new Error('an attempt has an exchange');
  const attempts = [
    {
      ...attempt,
      exchanges: [
        {
          ...exchange,
          request: { ...exchange.request, url },
          response: { status: 500, headers: {}, body },
        },
      ],
    },
  ];
  for (const id of [webhook, datadog]) {
    const eventId = await happened(database, { project: 'default' });
    await delivery(database, id, { eventId, state: 'givenUp', target: url, attempts });
  }
  await migrate();
  const stored = async (id: number) =>
    database.db
      .selectFrom('deliveries')
      .where('integration_id', '=', id)
      .select(['target', 'attempts'])
      .executeTakeFirstOrThrow();
  const masked = 'https://u:*****@hooks.example.com/*****';
  const after = await stored(webhook);
  expect(after.target).toBe(masked);
  expect(after.attempts[0]?.exchanges[0]?.request.url).toBe(masked);
  expect(after.attempts[0]?.exchanges[0]?.response?.body).toBe(body);
  // The URL is not a secret, because the configuration returns it.
  expect(await stored(datadog)).toMatchObject({ target: url });
});
