import { beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, testApp } from '../../../../../test/support/app.ts';
import { limitedApp } from '../../../../../test/support/limited-app.ts';
import { countEvents } from '../../../../../test/support/recorded.ts';
import { strategiesOn } from '../../../../../test/support/strategies.ts';

let app: TestApp;
let strategies: ReturnType<typeof strategiesOn>;
beforeAll(async () => {
  app = await testApp();
  strategies = strategiesOn(app);
});

/** A caller with these permissions in development who can read everything. */
const inDevelopment = async (...permissions: string[]) =>
  strategiesOn(
    limitedApp(app, {
      may: (permission, project, environment) =>
        permission === 'none' ||
        (permissions.includes(permission) &&
          project === 'default' &&
          environment === 'development'),
    }),
  );

const refusal = (response: { statusCode: number; json: () => { message: string } }) => [
  response.statusCode,
  response.json().message,
];
const needs = (permission: string, environment = 'production') => [
  403,
  `You need the ${permission} permission in the environment '${environment}' to do this`,
];
const production = { environment: 'production' };

describe('permissions for strategies in one environment', () => {
  test('CREATE_FEATURE_STRATEGY allows adding', async () => {
    const may = await inDevelopment('CREATE_FEATURE_STRATEGY');
    await strategies.feature('guarded-add');
    expect((await may.add('guarded-add')).statusCode).toBe(200);
    expect(refusal(await may.add('guarded-add', {}, production))).toEqual(
      needs('CREATE_FEATURE_STRATEGY'),
    );
  });

  test('UPDATE_FEATURE_STRATEGY allows replacing, patching and ordering', async () => {
    const may = await inDevelopment('UPDATE_FEATURE_STRATEGY');
    await strategies.feature('guarded-update');
    const here = await strategies.added('guarded-update');
    const there = await strategies.added('guarded-update', {}, production);
    const change = (id: string, where: object) => [
      may.replace('guarded-update', id, { title: 'New' }, where),
      may.patch('guarded-update', id, [], where),
      may.order('guarded-update', [{ id, sortOrder: 2 }], where),
    ];
    for (const answer of change(here.id, {})) expect((await answer).statusCode).toBe(200);
    for (const answer of change(there.id, production)) {
      expect(refusal(await answer)).toEqual(needs('UPDATE_FEATURE_STRATEGY'));
    }
    expect(await strategies.list('guarded-update', production)).toEqual([there]);
  });

  test('DELETE_FEATURE_STRATEGY allows removing', async () => {
    const may = await inDevelopment('DELETE_FEATURE_STRATEGY');
    await strategies.feature('guarded-remove');
    const here = await strategies.added('guarded-remove');
    const there = await strategies.added('guarded-remove', {}, production);
    expect((await may.remove('guarded-remove', here.id)).statusCode).toBe(200);
    expect(refusal(await may.remove('guarded-remove', there.id, production))).toEqual(
      needs('DELETE_FEATURE_STRATEGY'),
    );
  });

  test('UPDATE_FEATURE_ENVIRONMENT allows enabling and disabling a feature with a strategy', async () => {
    const may = await inDevelopment('UPDATE_FEATURE_ENVIRONMENT');
    await strategies.feature('guarded-switch');
    await strategies.added('guarded-switch');
    await strategies.added('guarded-switch', {}, production);
    expect((await may.turn('guarded-switch', 'on')).statusCode).toBe(200);
    expect((await may.turn('guarded-switch', 'off')).statusCode).toBe(200);
    for (const state of ['on', 'off'] as const) {
      expect(refusal(await may.turn('guarded-switch', state, '', production))).toEqual(
        needs('UPDATE_FEATURE_ENVIRONMENT'),
      );
    }
  });

  test('enabling also requires CREATE_FEATURE_STRATEGY if a strategy must be added', async () => {
    await strategies.feature('guarded-default');
    const before = await countEvents(app.db);
    const may = await inDevelopment('UPDATE_FEATURE_ENVIRONMENT');
    expect(refusal(await may.turn('guarded-default', 'on'))).toEqual(
      needs('CREATE_FEATURE_STRATEGY', 'development'),
    );
    expect(await countEvents(app.db)).toBe(before);
    expect(await strategies.isOn('guarded-default')).toBe(false);
    const mayBoth = await inDevelopment('UPDATE_FEATURE_ENVIRONMENT', 'CREATE_FEATURE_STRATEGY');
    expect((await mayBoth.turn('guarded-default', 'on')).statusCode).toBe(200);
  });

  test('enabling in bulk requires the same permissions', async () => {
    await strategies.feature('guarded-bulk');
    const limited = limitedApp(app, {
      may: (permission, _project, environment) =>
        permission === 'none' ||
        (permission === 'UPDATE_FEATURE_ENVIRONMENT' && environment === 'development'),
    });
    const turn = (environment: string, state: string) =>
      limited.ask(
        `POST /api/admin/projects/default/bulk_features/environments/${environment}/${state}`,
        { payload: { features: ['guarded-bulk'] } },
      );
    expect(refusal(await turn('production', 'on'))).toEqual(needs('UPDATE_FEATURE_ENVIRONMENT'));
    expect(refusal(await turn('production', 'off'))).toEqual(needs('UPDATE_FEATURE_ENVIRONMENT'));
    expect(refusal(await turn('development', 'on'))).toEqual(
      needs('CREATE_FEATURE_STRATEGY', 'development'),
    );
    expect((await turn('development', 'off')).statusCode).toBe(200);
  });

  test('reading requires none in a visible project, and an invisible one returns 404', async () => {
    await strategies.feature('guarded-read');
    const strategy = await strategies.added('guarded-read');
    const reader = await inDevelopment();
    expect(await reader.list('guarded-read')).toEqual([strategy]);
    expect(await reader.isOn('guarded-read')).toBe(false);
    const blind = strategiesOn(limitedApp(app, { sees: new Set(['other']) }));
    expect(refusal(await blind.add('guarded-read'))).toEqual([404, "Project 'default' not found"]);
  });
});
