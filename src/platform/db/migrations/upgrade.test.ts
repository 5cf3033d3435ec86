import { beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, testApp } from '../../../../test/support/app.ts';
import { countEvents } from '../../../../test/support/recorded.ts';
import { prepareInstallation } from '../../../installation.ts';

let on: TestApp;
beforeAll(async () => {
  on = await testApp();
});

const start = () =>
  prepareInstallation(on.transact, {
    initialTokens: { admin: [], client: [], frontend: [] },
    encryptionKeys: [],
    signingKeyFile: undefined,
    firstAdministrator: { username: 'admin', password: undefined },
  });

describe('a start', () => {
  test('of an installation from before a module gives it what that module begins with, once', async () => {
    await on.db.deleteFrom('feature_types').execute();
    await on.db.deleteFrom('context_fields').execute();
    await on.db
      .deleteFrom('module_starts')
      .where('module', 'in', ['features', 'context'])
      .execute();
    await Promise.all([start(), start()]);
    const { types } = (await on.ask('GET /api/admin/feature-types')).json();
    expect(types.map(({ id }: { id: string }) => id)).toContain('release');
    const fields = async () => (await on.ask('GET /api/admin/context')).json().length;
    expect(await fields()).toBe(5);
    await on.ask('DELETE /api/admin/context/appName');
    const events = await countEvents(on.db);
    await start();
    expect(await fields()).toBe(4);
    expect(await countEvents(on.db)).toBe(events);
  });
});
