import type { LightMyRequestResponse } from 'fastify';
import { beforeAll, describe, expect, test } from 'vitest';
import { modules } from '../src/modules.ts';
import type { Endpoint } from '../src/platform/http/endpoint.ts';
import type { Module } from '../src/platform/module.ts';
import { type TestApp, testApp } from './support/app.ts';
import { recordedBy } from './support/recorded.ts';

type Ask = TestApp['ask'];

const environments = '/api/admin/environments';
const projects = '/api/admin/projects';

/** Each prepares what it needs, under names of its own, and ends in the request that is looked at. */
const scenarios: Readonly<Record<string, (ask: Ask) => Promise<LightMyRequestResponse>>> = {
  createEnvironment: (ask) =>
    ask(`POST ${environments}`, { payload: { name: 'created', type: 'test' } }),
  updateSortOrder: (ask) =>
    ask(`PUT ${environments}/sort-order`, { payload: { production: 7, development: 8 } }),
  updateEnvironment: (ask) =>
    ask(`PUT ${environments}/update/production`, { payload: { type: 'other' } }),
  toggleEnvironmentOn: async (ask) => {
    const payload = { name: 'to-switch-on', type: 'test', enabled: false };
    await ask(`POST ${environments}`, { payload });
    return ask(`POST ${environments}/to-switch-on/on`);
  },
  toggleEnvironmentOff: async (ask) => {
    await ask(`POST ${environments}`, { payload: { name: 'to-switch-off', type: 'test' } });
    return ask(`POST ${environments}/to-switch-off/off`);
  },
  removeEnvironment: async (ask) => {
    await ask(`POST ${environments}`, { payload: { name: 'to-remove', type: 'test' } });
    return ask(`DELETE ${environments}/to-remove`);
  },
  cloneEnvironment: (ask) =>
    ask(`POST ${environments}/production/clone`, { payload: { name: 'cloned' } }),

  createProject: (ask) => ask(`POST ${projects}`, { payload: { name: 'Created' } }),
  updateProject: (ask) => ask(`PUT ${projects}/default`, { payload: { name: 'Renamed' } }),
  updateProjectEnterpriseSettings: (ask) =>
    ask(`PUT ${projects}/default/settings`, { payload: { featureLimit: 9 } }),
  deleteProject: async (ask) => {
    await ask(`POST ${projects}`, { payload: { id: 'to-delete', name: 'To delete' } });
    return ask(`DELETE ${projects}/to-delete`);
  },
  archiveProject: async (ask) => {
    await ask(`POST ${projects}`, { payload: { id: 'to-archive', name: 'To archive' } });
    return ask(`POST ${projects}/archive/to-archive`);
  },
  reviveProject: async (ask) => {
    await ask(`POST ${projects}`, { payload: { id: 'to-revive', name: 'To revive' } });
    await ask(`POST ${projects}/archive/to-revive`);
    return ask(`POST ${projects}/revive/to-revive`);
  },
  addEnvironmentToProject: async (ask) => {
    await ask(`POST ${environments}`, { payload: { name: 'to-add', type: 'test' } });
    return ask(`POST ${projects}/default/environments`, { payload: { environment: 'to-add' } });
  },
  removeEnvironmentFromProject: async (ask) => {
    await ask(`POST ${projects}`, { payload: { id: 'to-leave', name: 'To leave' } });
    return ask(`DELETE ${projects}/to-leave/environments/production`);
  },
  addDefaultStrategyToProjectEnvironment: (ask) =>
    ask(`POST ${projects}/default/environments/production/default-strategy`, {
      payload: { name: 'flexibleRollout' },
    }),
};

/** Requests that are answered with 409, one for each endpoint that can be. */
const conflicts: typeof scenarios = {
  createEnvironment: (ask) =>
    ask(`POST ${environments}`, { payload: { name: 'production', type: 'test' } }),
  validateEnvironmentName: (ask) =>
    ask(`POST ${environments}/validate`, { payload: { name: 'production' } }),
  cloneEnvironment: (ask) =>
    ask(`POST ${environments}/production/clone`, { payload: { name: 'development' } }),
  createProject: (ask) => ask(`POST ${projects}`, { payload: { id: 'default', name: 'Default' } }),
  validateProject: (ask) => ask(`POST ${projects}/validate`, { payload: { id: 'default' } }),
  addEnvironmentToProject: (ask) =>
    ask(`POST ${projects}/default/environments`, { payload: { environment: 'production' } }),
};

/** Endpoints that are not GET and yet change nothing, with the reason. */
const changesNothing: Readonly<Record<string, string>> = {
  validateEnvironmentName: 'only says whether a name could be used',
  validateProject: 'only says whether an id could be used',
};

const all: Endpoint[] = (modules as readonly Module[]).flatMap(({ contract }) =>
  Object.values(contract),
);
const writing = all.filter(({ method }) => method !== 'GET');

let on: TestApp;
beforeAll(async () => {
  on = await testApp();
});

describe('every request that changes something records it', () => {
  test.each(writing.map((endpoint) => [endpoint.id, endpoint] as const))('%s', async (id) => {
    if (id in changesNothing) return;
    const scenario = scenarios[id];
    if (!scenario) throw new Error(`${id} changes something, but no scenario shows its event`);
    const response = await scenario(on.ask);
    expect(response.statusCode, response.body).toBeLessThan(300);
    expect(await recordedBy(on.db, response)).not.toEqual([]);
  });
});

describe('409 is documented where it is answered', () => {
  test.each(Object.entries(conflicts))('%s', async (_id, conflict) => {
    const response = await conflict(on.ask);
    expect([response.statusCode, response.json().name]).toEqual([409, 'NameExistsError']);
    expect(await recordedBy(on.db, response)).toEqual([]);
  });

  test('and nowhere else', async () => {
    const document = (await on.ask('GET /docs/openapi.json')).json();
    const operations = Object.values<Record<string, { operationId: string; responses: object }>>(
      document.paths,
    ).flatMap((path) => Object.values(path));
    const documented = operations
      .filter(({ responses }) => '409' in responses)
      .map(({ operationId }) => operationId);
    expect(documented.sort()).toEqual(Object.keys(conflicts).sort());
  });
});

test('every scenario and exception belongs to an endpoint', () => {
  const ids = new Set(writing.map(({ id }) => id));
  const listed = [...Object.keys(scenarios), ...Object.keys(changesNothing)];
  expect(listed.filter((id) => !ids.has(id))).toEqual([]);
  expect(new Set(listed).size).toBe(listed.length);
});

test('no operation of the OpenAPI document stands outside the contracts', async () => {
  const document = (await on.ask('GET /docs/openapi.json')).json();
  const described = Object.entries<Record<string, unknown>>(document.paths).flatMap(
    ([path, operations]) =>
      Object.keys(operations)
        .filter((method) => method !== 'get')
        .map((method) => `${method.toUpperCase()} ${path}`),
  );
  const walked = writing.map(({ method, path }) => `${method} ${path.replace(/:(\w+)/g, '{$1}')}`);
  expect(described.sort()).toEqual(walked.sort());
});
