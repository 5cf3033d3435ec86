import { beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, testApp } from '../../../../../test/support/app.ts';
import { sent } from '../../../../../test/support/import-export.ts';
import { make } from '../../../../../test/support/make.ts';
import { type Person, person } from '../../../../../test/support/people.ts';
import { recordedBy } from '../../../../../test/support/recorded.ts';
import { maxFollows } from './contract.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});

const follows = '/api/admin/user/follows';
const featurePath = (name: string, project = 'default') =>
  `${follows}/projects/${project}/features/${name}` as const;
const listOf = async ({ ask }: Person) => (await ask(`GET ${follows}`)).json();
const changesOf = async ({ ask }: Person, query = '') =>
  (await ask(`GET ${follows}/changes${query}`)).json();
const typesOf = async (who: Person) =>
  (await changesOf(who)).events.map(({ type }: { type: string }) => type);
const rename = (name: string, project = 'default', description = 'Changed') =>
  app.ask(`PUT /api/admin/projects/${project}/features/${name}`, {
    payload: { name, type: 'release', description },
  });

describe('following a feature or a project', () => {
  test('adds it to the list of the user until it is removed, and records each change once', async () => {
    await make(app.ask).feature('listed');
    const ada = await person(app);
    const bob = await person(app);
    const added = await ada.ask(`PUT ${featurePath('listed')}`);
    await ada.ask(`PUT ${follows}/projects/default`);
    expect([added.statusCode, added.body]).toEqual([200, '']);
    const data = { userId: ada.id, project: 'default', feature: 'listed' };
    const event = { type: 'user-preference-updated', project: null, environment: null, data };
    expect(await recordedBy(app.db, added)).toEqual([{ ...event, preData: null }]);
    expect(await recordedBy(app.db, await ada.ask(`PUT ${featurePath('listed')}`))).toEqual([]);
    expect(await listOf(ada)).toEqual({
      features: [{ name: 'listed', project: 'default', followedAt: expect.any(String) }],
      projects: [{ id: 'default', name: 'Default', followedAt: expect.any(String) }],
      letters: {
        frequency: 'none',
        direct: true,
        refusal: expect.stringContaining("Email isn't set up"),
      },
    });
    expect((await listOf(bob)).features).toEqual([]);
    const removed = await ada.ask(`DELETE ${featurePath('listed')}`);
    expect(await recordedBy(app.db, removed)).toEqual([{ ...event, preData: null }]);
    expect(await recordedBy(app.db, await ada.ask(`DELETE ${featurePath('listed')}`))).toEqual([]);
    await ada.ask(`DELETE ${follows}/projects/default`);
    expect(await listOf(ada)).toMatchObject({ features: [], projects: [] });
  });

  test('returns 404 for unknown or invisible objects, and 403 for an API token', async () => {
    await make(app.ask).project('elsewhere');
    await make(app.ask).feature('of-default');
    const ada = await person(app);
    const responses = [
      await ada.ask(`PUT ${featurePath('nosuch')}`),
      await ada.ask(`PUT ${featurePath('of-default', 'elsewhere')}`),
      await ada.ask(`DELETE ${featurePath('nosuch')}`),
      await ada.ask(`PUT ${follows}/projects/nosuch`),
    ];
    expect(responses.map(({ statusCode }) => statusCode)).toEqual([404, 404, 404, 404]);
    for (const response of [
      await app.ask(`GET ${follows}`),
      await app.ask(`GET ${follows}/changes`),
      await app.ask(`PUT ${featurePath('of-default')}`),
      await app.ask(`PUT ${follows}/letters`, { payload: { frequency: 'none' } }),
    ]) {
      expect([response.statusCode, response.json().name]).toEqual([403, 'InvalidOperationError']);
    }
  });

  test('is limited for each user', async () => {
    const ada = await person(app);
    const names = Array.from({ length: maxFollows }, (_, index) => `many-${index}`);
    const features = names.map((name) => ({ name }));
    await sent(app, 'import', { features, featureStrategies: [] });
    await app.db
      .insertInto('feature_follows')
      .values(
        names.map((name) => ({
          feature_name: name,
          user_id: ada.id,
          created_at: new Date(),
          after_id: 0,
        })),
      )
      .execute();
    const response = await ada.ask(`PUT ${follows}/projects/default`);
    expect([response.statusCode, response.json().name]).toEqual([403, 'InvalidOperationError']);
    expect((await listOf(ada)).projects).toEqual([]);

    // Concurrent requests do not exceed the limit together.
    for (const name of names.slice(0, 4)) await ada.ask(`DELETE ${featurePath(name)}`);
    await ada.ask(`PUT ${featurePath('many-0')}`);
    await ada.ask(`PUT ${featurePath('many-1')}`);
    await ada.ask(`PUT ${featurePath('many-2')}`);
    await make(app.ask).feature('one-more');
    const both = await Promise.all(
      ['many-3', 'one-more'].map((name) => ada.ask(`PUT ${featurePath(name)}`)),
    );
    expect(both.map(({ statusCode }) => statusCode).sort()).toEqual([200, 403]);
    expect((await listOf(ada)).features).toHaveLength(maxFollows);
  });
});

describe('the changes of followed features and projects', () => {
  test('are combined, newest first, in pages and without favorites', async () => {
    await make(app.ask).project('fed');
    await make(app.ask).feature('both', { project: 'fed' });
    await make(app.ask).feature('alone');
    await make(app.ask).feature('other');
    const ada = await person(app);
    await ada.ask(`PUT ${featurePath('both', 'fed')}`);
    await ada.ask(`PUT ${follows}/projects/fed`);
    await ada.ask(`PUT ${featurePath('alone')}`);
    await rename('both', 'fed');
    await rename('alone');
    await rename('other');
    await app.ask('POST /api/admin/projects/fed/features/both/favorites');
    const { events, nextCursor } = await changesOf(ada);
    expect(
      events.map(({ type, featureName }: { type: string; featureName: string }) => [
        type,
        featureName,
      ]),
    ).toEqual([
      ['feature-metadata-updated', 'alone'],
      ['feature-metadata-updated', 'both'],
      ['feature-created', 'alone'],
      ['feature-created', 'both'],
      ['project-created', null],
    ]);
    expect(nextCursor).toBeUndefined();
    const first = await changesOf(ada, '?limit=2');
    const second = await changesOf(ada, `?limit=3&cursor=${first.nextCursor}`);
    expect([...first.events, ...second.events]).toEqual(events);
    expect(second.nextCursor).toBeUndefined();
    const wrong = await ada.ask(`GET ${follows}/changes?limit=101&cursor=x`);
    expect([wrong.statusCode, wrong.json().details.length]).toEqual([400, 2]);
  });

  test('are no longer listed once the user loses access or the feature is deleted', async () => {
    await make(app.ask).project('secret', { mode: 'private' });
    await make(app.ask).feature('hidden', { project: 'secret' });
    const ada = await person(app, { roles: { secret: 5 } });
    await ada.ask(`PUT ${featurePath('hidden', 'secret')}`);
    await ada.ask(`PUT ${follows}/projects/secret`);
    expect(await typesOf(ada)).toContain('feature-created');
    await app.db.deleteFrom('project_user_roles').where('user_id', '=', ada.id).execute();
    const outsider = { ...ada, ask: ada.ask };
    await app.ask('POST /api/admin/projects/secret/access', {
      payload: { roles: [], groups: [], users: [] },
    });
    await expect.poll(() => typesOf(outsider)).toEqual([]);
    expect(await listOf(outsider)).toMatchObject({ features: [], projects: [] });

    await make(app.ask).feature('short-lived');
    const bob = await person(app);
    await bob.ask(`PUT ${featurePath('short-lived')}`);
    expect(await typesOf(bob)).toEqual(['feature-created']);
    await app.ask('DELETE /api/admin/projects/default/features/short-lived');
    expect(await typesOf(bob)).toEqual(['feature-archived', 'feature-created']);
    await app.ask('DELETE /api/admin/archive/short-lived');
    await make(app.ask).feature('short-lived');
    expect(await typesOf(bob)).toEqual([]);
  });
});
