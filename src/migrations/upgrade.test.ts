import { beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, testApp } from '../../test/support/app.ts';
import { countEvents } from '../../test/support/recorded.ts';
import { prepareInstallation } from '../app/installation.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});

const start = () =>
  prepareInstallation(app.transact, {
    initialTokens: { admin: [], client: [], frontend: [] },
    encryptionKeys: [],
    signingKeyFile: undefined,
    firstAdministrator: { username: 'admin', password: undefined },
  });

describe('the first start after an upgrade', () => {
  test('creates the initial data of a new module, once', async () => {
    await app.db.deleteFrom('feature_types').execute();
    await app.db.deleteFrom('context_fields').execute();
    await app.db
      .deleteFrom('module_starts')
      .where('module', 'in', ['features', 'context'])
      .execute();
    await Promise.all([start(), start()]);
    const { types } = (await app.ask('GET /api/admin/feature-types')).json();
    expect(types.map(({ id }: { id: string }) => id)).toContain('release');
    const fields = async () => (await app.ask('GET /api/admin/context')).json().length;
    expect(await fields()).toBe(5);
    await app.ask('DELETE /api/admin/context/appName');
    const events = await countEvents(app.db);
    await start();
    expect(await fields()).toBe(4);
    expect(await countEvents(app.db)).toBe(events);
  });
});
