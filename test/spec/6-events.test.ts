import { readdirSync, readFileSync } from 'node:fs';
import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  defineEvent,
  type EventDefinition,
  eventTypes,
  record,
} from '../../src/modules/events/index.ts';
import { kinds } from '../../src/modules/migration/kinds/table.ts';
import { type TestApp, testActor, testApp } from '../support/app.ts';
import { happen } from '../support/happen.ts';
import { notYetRecorded } from './6-not-yet-recorded.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});

const touched = defineEvent({
  type: 'feature-metadata-updated',
  label: 'Touched',
  summary: ({ user, feature, project }) => `${user} touched ${feature} in ${project}`,
});

const count = async () =>
  Number((await sql<{ n: number }>`select count(*) as n from events`.execute(app.db)).rows[0]?.n);

/** Every module defines the events it records in files whose names end in `events.ts`. */
const modules = new URL('../../src/modules/', import.meta.url);
const eventFiles = readdirSync(modules, { recursive: true, encoding: 'utf8' }).filter((file) =>
  file.endsWith('events.ts'),
);

const definitionsIn = (file: object): EventDefinition[] =>
  Object.values(file).flatMap((value: unknown) =>
    typeof value === 'function' && 'definition' in value
      ? [value.definition as EventDefinition]
      : [],
  );

/** The importer defines the event of each kind of thing with the kind. */
const importEvents = Object.values(kinds).map(({ event }) => event);

const filedEvents = await Promise.all(
  eventFiles.map(async (file) => ({
    module: file.split('/', 1)[0] ?? '',
    definitions: definitionsIn(await import(/* @vite-ignore */ new URL(file, modules).href)),
  })),
);
const definedEvents = [
  ...filedEvents,
  { module: 'migration', definitions: definitionsIn(importEvents) },
];
const definitions = definedEvents.flatMap((each) => each.definitions);

describe('6 Events', () => {
  test('the 156 event types match the specification, in the same order', () => {
    const specification = readFileSync(new URL('../../docs/spec.md', import.meta.url), 'utf8');
    const part6 = specification.slice(
      specification.indexOf('## 6.'),
      specification.indexOf('## 7.'),
    );
    const listed = [...part6.matchAll(/^- ([a-z-]+)$/gm)].map(([, type]) => type);
    expect(eventTypes).toEqual(listed);
    expect(eventTypes).toHaveLength(156);
  });

  test('every type has a definition, or is listed as not yet recorded', () => {
    const defined = new Set(definitions.map(({ type }) => type));
    const missing = eventTypes.filter((type) => !defined.has(type));
    expect(missing).toEqual(notYetRecorded);
  });

  test('every type is recorded by only one module, except preferences', () => {
    const owners = new Map<string, Set<string>>();
    // Events about the event log itself and imports have no types of their own. They reuse the closest ones.
    for (const { module, definitions } of definedEvents.filter(
      (each) => !['events', 'migration'].includes(each.module),
    )) {
      for (const { type } of definitions) {
        owners.set(type, (owners.get(type) ?? new Set()).add(module));
      }
    }
    // A saved view and a link to a calendar are preferences of their author.
    expect([...owners].filter(([, own]) => own.size > 1)).toEqual([
      ['user-preference-updated', new Set(['access', 'catalogue', 'governance'])],
    ]);
    expect(owners.size).toBeGreaterThan(50);
  });

  test('every definition has a label that differs from its type', () => {
    for (const { type, label } of definitions) {
      expect(label, type).toMatch(/^[A-Z].{3,60}$/);
      expect(label).not.toBe(type);
    }
  });

  test('6.1 search returns recorded events by id, and ids increase by one', async () => {
    await happen(app.db, {}, {}, {});
    const { events } = (await app.ask('GET /api/admin/search/events?limit=3')).json();
    const [newest, middle, oldest] = events.map(({ id }: { id: number }) => id);
    expect([newest - middle, middle - oldest]).toEqual([1, 1]);
  });

  test('an event is rolled back with its change', async () => {
    const before = await count();
    const work = app.transact(testActor, async (tx) => {
      record(tx, touched({ data: { note: 'never' } }));
      throw new Error('the change failed');
    });
    await expect(work).rejects.toThrow('the change failed');
    expect(await count()).toBe(before);
  });

  test('a query error that was caught inside the transaction still fails the transaction', async () => {
    const before = await count();
    const work = app.transact(testActor, async (tx) => {
      record(tx, touched({ data: { note: 'doomed' } }));
      await sql`select 1 / 0`.execute(tx.db).catch(() => undefined);
      return 'done';
    });
    await expect(work).rejects.toThrow('current transaction is aborted');
    expect(await count()).toBe(before);
  });

  test('events of one transaction keep the order in which they were recorded', async () => {
    await app.transact(testActor, async (tx) => {
      for (const note of ['one', 'two', 'three']) record(tx, touched({ data: { note } }));
    });
    const { events } = (await app.ask('GET /api/admin/search/events?limit=3&order=desc')).json();
    expect(events.map(({ data }: { data: { note: string } }) => data.note)).toEqual([
      'three',
      'two',
      'one',
    ]);
  });

  test('an update with equal data and preData records no event', async () => {
    const before = await count();
    await app.transact(testActor, async (tx) => {
      record(tx, touched({ data: { a: 1, b: [2] }, preData: { b: [2], a: 1 } }));
    });
    expect(await count()).toBe(before);
  });

  test('an event contains the actor, IP address and request id of its transaction', async () => {
    await happen(app.db, { by: { id: 9, name: 'ada', ip: '2001:db8::1', requestId: 'r-1' } });
    const stored = await app.db
      .selectFrom('events')
      .select(['created_by', 'created_by_user_id', 'ip', 'request_id'])
      .orderBy('id', 'desc')
      .executeTakeFirst();
    expect(stored).toEqual({
      created_by: 'ada',
      created_by_user_id: 9,
      ip: '2001:db8::1',
      request_id: 'r-1',
    });
  });

  test('names in a summary are bold links, with Markdown and HTML escaped', async () => {
    await happen(app.db, {
      featureName: 'a](evil) <img>',
      project: 'p(1)',
      by: { name: '**boss** {{event.project}}' },
    });
    const { events } = (await app.ask('GET /api/admin/search/events?limit=1')).json();
    expect(events[0].summary).toBe(
      '**\\*\\*boss\\*\\* \\{\\{event.project\\}\\}** touched [**a\\]\\(evil\\) \\<img\\>**](/projects/p%281%29/features/a%5D%28evil%29%20%3Cimg%3E) in [**p\\(1\\)**](/projects/p%281%29)',
    );
  });

  test('event data is stored as JSON: dates become text, undefined is omitted', async () => {
    await app.transact(testActor, async (tx) => {
      const made = { at: new Date(0), gone: undefined, kept: null } as never;
      record(tx, touched({ data: made }));
    });
    const { events } = (await app.ask('GET /api/admin/search/events?limit=1')).json();
    expect(events[0].data).toEqual({ at: '1970-01-01T00:00:00.000Z', kept: null });
  });
});
