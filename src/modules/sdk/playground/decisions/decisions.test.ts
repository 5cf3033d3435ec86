import { beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, testApp } from '../../../../../test/support/app.ts';
import { make } from '../../../../../test/support/make.ts';
import { person } from '../../../../../test/support/people.ts';

let app: TestApp;
let create: ReturnType<typeof make>;
beforeAll(async () => {
  app = await testApp();
  create = make(app.ask);
});

const path = 'POST /api/admin/playground/decisions';
const ask = (payload: object, by = app.ask) => by(path, { payload });
const constraint = { contextName: 'plan', operator: 'IN', values: ['gold'] };

async function goldFeature(project: string, ...names: string[]): Promise<void> {
  await create.project(project);
  for (const name of names) {
    await create.feature(name, { project });
    await create.strategy(name, { name: 'default', constraints: [constraint] }, { project });
    await create.switchedOn(name, { project });
  }
}

describe('the playground decisions', () => {
  test('contain each context of a list with each combination of its values', async () => {
    await goldFeature('list', 'list-flag');
    const answer = await ask({
      environments: ['development', 'production'],
      projects: ['list'],
      contexts: [{ plan: 'gold,tin' }, { userId: 7 }],
    });
    const { contexts, features, fields } = answer.json();
    expect(contexts).toEqual([
      { of: 0, values: { plan: 'gold' } },
      { of: 0, values: { plan: 'tin' } },
      { of: 1, values: { userId: '7' } },
    ]);
    expect(fields).toEqual([{ name: 'plan', features: 1 }]);
    const [{ name, projectId, environments }] = features;
    expect([name, projectId]).toEqual(['list-flag', 'list']);
    expect(environments.development).toEqual([
      {
        isEnabled: true,
        reason: 'strategy-holds',
        explanation: expect.stringContaining('Strategy “default” matches'),
      },
      {
        isEnabled: false,
        reason: 'no-strategy-holds',
        explanation: expect.stringContaining("plan must be one of “gold”, but it's “tin”"),
      },
      {
        isEnabled: false,
        reason: 'no-strategy-holds',
        explanation: expect.stringContaining("but it's missing"),
      },
    ]);
    expect(environments.production.map(({ reason }: { reason: string }) => reason)).toEqual([
      'off',
      'off',
      'off',
    ]);
  });

  test('can be limited by name and query, while parents outside still count', async () => {
    await goldFeature('family', 'family-parent', 'family-child', 'other');
    await app.ask('POST /api/admin/projects/family/features/family-child/dependencies', {
      payload: { feature: 'family-parent' },
    });
    const namesFor = async (more: object) => {
      const contexts = [{ plan: 'gold' }];
      const asked = { environments: ['development'], projects: ['family'], contexts, ...more };
      return (await ask(asked)).json().features as {
        name: string;
        environments: Record<string, { isEnabled: boolean }[]>;
      }[];
    };
    expect((await namesFor({ query: 'FAMILY' })).map(({ name }) => name)).toEqual([
      'family-child',
      'family-parent',
    ]);
    const [child, ...others] = await namesFor({ features: ['family-child', 'nobody'] });
    expect(others).toEqual([]);
    expect(child?.environments.development?.[0]?.isEnabled).toBe(true);
  });

  test('contain whether they depend on chance', async () => {
    await create.project('chance');
    await create.feature('chance-flag', { project: 'chance' });
    const parameters = { rollout: '50', stickiness: 'random', groupId: 'chance' };
    await create.strategy(
      'chance-flag',
      { name: 'flexibleRollout', parameters },
      { project: 'chance' },
    );
    await create.switchedOn('chance-flag', { project: 'chance' });
    const asked = { environments: ['development'], projects: ['chance'], contexts: [{}] };
    const { features, fields } = (await ask(asked)).json();
    expect(features[0].environments.development[0].byChance).toBe(true);
    expect(fields).toEqual([]);

    // If everyone is included, chance decides nothing.
    await create.strategy(
      'chance-flag',
      { name: 'flexibleRollout', parameters: { ...parameters, rollout: '100' } },
      { project: 'chance' },
    );
    const [certain] = (await ask(asked)).json().features;
    expect(certain.environments.development[0]).toMatchObject({ isEnabled: true });
    expect(certain.environments.development[0].byChance).toBeUndefined();
  });

  test('omit private projects for other users', async () => {
    await goldFeature('hidden', 'hidden-flag');
    await app.ask('PUT /api/admin/projects/hidden/settings', { payload: { mode: 'private' } });
    const viewer = await person(app, { rootRole: 3 });
    const answer = await ask(
      { environments: ['development'], contexts: [{}], query: 'hidden' },
      viewer.ask,
    );
    expect(answer.json()).toMatchObject({ features: [], fields: [] });
  });

  test('report all validation errors by path', async () => {
    const answer = await ask({
      environments: ['development'],
      contexts: [{}, { currentTime: 'soon' }, { properties: 'none' }],
    });
    expect(answer.statusCode).toBe(400);
    expect(answer.json().details.map(({ path: at }: { path: string }) => at)).toEqual([
      '/body/contexts/1/currentTime',
      '/body/contexts/2/properties',
    ]);
    const none = await ask({ environments: ['development'], contexts: [] });
    expect(none.statusCode, none.body).toBe(400);
    expect((await ask({ environments: ['moon'], contexts: [{}] })).statusCode).toBe(400);
  });

  test('are rejected beyond 15,000 evaluations', async () => {
    await goldFeature('crowd', 'crowd-flag');
    const userId = Array.from({ length: 100 }, (_, number) => `u${number}`);
    const plan = Array.from({ length: 38 }, (_, number) => `p${number}`);
    const contexts = [
      { userId, plan },
      { userId, plan },
    ];
    const environments = ['development', 'production'];
    const answer = await ask({ environments, projects: ['crowd'], contexts });
    expect(answer.statusCode).toBe(400);
    expect(answer.json().message).toContain('The request needs more than 15000 evaluations');
  });

  test('are rejected if the contexts are too many or too long, even without features', async () => {
    const values = Array.from({ length: 100 }, (_, number) => String(number));
    const none = { environments: ['development'], features: [] };
    const many = await ask({ ...none, contexts: [{ a: values, b: values, c: values, d: values }] });
    expect(many.statusCode).toBe(400);
    expect(many.json().message).toContain('more than 15000 combinations');
    const long = { a: values, b: values, text: 'x'.repeat(8000) };
    const answer = await ask({ ...none, contexts: [long] });
    expect(answer.statusCode).toBe(400);
    expect(answer.json().message).toContain('longer than 64 MB');
  });

  test('evaluate the configuration of an earlier moment', async () => {
    await goldFeature('earlier', 'earlier-flag');
    const [{ id }] = (
      await app.ask('GET /api/admin/search/events?feature=IS:earlier-flag&limit=1')
    ).json().events;
    await app.ask(
      'POST /api/admin/projects/earlier/features/earlier-flag/environments/development/off',
    );
    const question = {
      environments: ['development'],
      projects: ['earlier'],
      contexts: [{ plan: 'gold' }],
    };
    const isEnabled = async (more: object) => {
      const [{ environments }] = (await ask({ ...question, ...more })).json().features;
      return environments.development[0].isEnabled;
    };
    expect(await isEnabled({})).toBe(false);
    expect(await isEnabled({ asOf: String(id) })).toBe(true);
  });
});
