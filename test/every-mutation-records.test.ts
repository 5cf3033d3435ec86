import { beforeAll, describe, expect, test } from 'vitest';
import { modules } from '../src/app/modules.ts';
import type { EventDraft } from '../src/modules/events/index.ts';
import { effectsOf } from '../src/modules/governance/guard/effects.ts';
import { kinds as kindsOfHistory } from '../src/modules/history/present.ts';
import type { Endpoint } from '../src/platform/contract/endpoint.ts';
import type { Module } from '../src/platform/module.ts';
import { exempt } from './guard/operations.ts';
import { changesNothing, conflicts, scenarios } from './mutations/index.ts';
import { type TestApp, testApp } from './support/app.ts';
import { applyToHistory, differencesFromPresent } from './support/history.ts';
import { recordedBy } from './support/recorded.ts';

const all: Endpoint[] = (modules as readonly Module[]).flatMap(({ contract }) =>
  Object.values(contract),
);
const writing = all.filter(({ method }) => method !== 'GET');

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});

/** Where the guard of change requests would look at these events. */
const evaluationChanges = (recorded: Awaited<ReturnType<typeof recordedBy>>) =>
  effectsOf(
    recorded.map(
      ({ type, ...fields }) => ({ definition: { type }, ...fields }) as unknown as EventDraft,
    ),
  );

describe('every write operation records events that lead to the state that it makes', () => {
  test.each(writing.map((endpoint) => [endpoint.id, endpoint] as const))(
    '%s',
    async (id, endpoint) => {
      if (id in changesNothing) return;
      const scenario = scenarios[id];
      if (!scenario) throw new Error(`${id} changes something, but no scenario shows its event`);
      const response = await scenario(app.ask, app);
      expect(response.statusCode, response.body).toBeLessThan(300);
      const recorded = await recordedBy(app.db, response);
      expect(recorded).not.toEqual([]);
      // Admins may skip approval.
      if (id in exempt && endpoint.permission !== 'ADMIN') {
        expect(evaluationChanges(recorded)).toEqual({ places: [], projects: [], segments: [] });
      }
      await applyToHistory(app);
      expect(await differencesFromPresent(app)).toEqual([]);
    },
  );
});

test('the events of all of these operations fit the history', async () => {
  const gaps = await app.db.selectFrom('history_gaps').select('reason').execute();
  expect(gaps).toEqual([{ reason: 'beginning' }]);
  const kinds = await app.db
    .selectFrom('history_states')
    .where('from_id', '>', ({ selectFrom }) => selectFrom('history_gaps').select('to_id'))
    .select('kind')
    .distinct()
    .orderBy('kind')
    .execute();
  expect(kinds.map(({ kind }) => kind)).toEqual(kindsOfHistory.toSorted());
});

describe('the documentation of 409', () => {
  test.each(Object.entries(conflicts))(
    'is correct: %s returns 409 for a conflict',
    async (id, conflict) => {
      const response = await conflict(app.ask, app);
      const isOutdated = writing.some((endpoint) => endpoint.id === id && endpoint.outdated);
      const name = isOutdated ? 'ConflictError' : 'NameExistsError';
      expect([response.statusCode, response.json().name]).toEqual([409, name]);
      expect(await recordedBy(app.db, response)).toEqual([]);
    },
  );

  test('covers exactly these operations', async () => {
    const document = (await app.ask('GET /docs/openapi.json')).json();
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

test('every write operation in the OpenAPI document has a contract', async () => {
  const document = (await app.ask('GET /docs/openapi.json')).json();
  const described = Object.entries<Record<string, unknown>>(document.paths).flatMap(
    ([path, operations]) =>
      Object.keys(operations)
        .filter((method) => method !== 'get')
        .map((method) => `${method.toUpperCase()} ${path}`),
  );
  const walked = writing.map(({ method, path }) => `${method} ${path.replace(/:(\w+)/g, '{$1}')}`);
  expect(described.sort()).toEqual(walked.sort());
});
