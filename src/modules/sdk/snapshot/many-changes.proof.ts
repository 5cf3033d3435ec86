import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { testApp } from '../../../../test/support/app.ts';
import { closeLater } from '../../../../test/support/closing.ts';
import { createReadSnapshot } from '../../../platform/db/database.ts';
import { createDatabaseBreaker } from '../../../platform/db/outage.ts';
import { createLogger } from '../../../platform/log.ts';
import { createDefinitions } from './store.ts';

test('150,000 changes at once do not overflow the stack, and clients get everything again', async () => {
  const app = await testApp();
  const stopping = new AbortController();
  closeLater(async () => stopping.abort());
  let tellOfNews = () => {};
  const definitions = createDefinitions({
    readBriefly: createReadSnapshot(app.db),
    listener: {
      on: () => () => undefined,
      keep: async () => undefined,
      isConnected: () => true,
      subscribed: async () => undefined,
      close: async () => undefined,
    },
    onCommit: (heard) => {
      tellOfNews = heard;
      return () => undefined;
    },
    breaker: createDatabaseBreaker(),
    stopping: stopping.signal,
    log: createLogger('silent'),
  });
  const tag = { type: 'simple', value: 'of-many' };
  await app.ask('POST /api/admin/tags', { payload: tag });
  const { revision } = await definitions.current();

  // 6,000 features in 25 environments are 150,000 changes. A stack has room for about 120,000.
  await sql`insert into environments (name, type, enabled, protected, sort_order, created_at)
    select 'many-' || nth, 'test', true, false, nth, now() from generate_series(1, 23) nth`.execute(
    app.db,
  );
  await sql`insert into project_environments (project, environment)
    select 'default', name from environments on conflict do nothing`.execute(app.db);
  await sql`insert into features (name, project, type, description, impression_data, stale, created_by,
      created_by_user_id, created_at)
    select 'many-' || nth, 'default', 'release', '', false, false, 'admin', 1, now()
    from generate_series(1, 6000) nth`.execute(app.db);
  await app.ask('DELETE /api/admin/tags/simple/of-many');
  tellOfNews();

  // A refresh of more than a few seconds is not waited for. On a busy machine the next one finds the changes.
  const sizes = async () =>
    [...(await definitions.current()).environments.values()].map(({ features }) => features.size);
  await expect.poll(sizes, { timeout: 240_000 }).toEqual(Array.from({ length: 25 }, () => 6_000));
  const after = await definitions.current();
  expect(definitions.changesBehind(revision)).toBeUndefined();
  expect(definitions.changesBehind(after.revision)).toEqual([]);
});
