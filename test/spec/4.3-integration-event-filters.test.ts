import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import type { EventType } from '../../src/modules/events/index.ts';
import { type TestApp, testApp } from '../support/app.ts';
import { delivery, happened, integration } from '../support/deliveries.ts';
import { randomCases } from '../support/random-cases.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});

const list = async (id: number, query: string) => {
  const response = await app.ask(`GET /api/admin/addons/${id}/events${query}`);
  expect(response.statusCode, response.body).toBe(200);
  return response.json().integrationEvents as { id: string }[];
};
const idsOf = (records: readonly { id: string }[]) => records.map((record) => record.id);

interface ModelRecord {
  readonly id: string;
  readonly eventId: number;
  readonly type: string;
  readonly day: string;
  readonly at: number;
  readonly state: string | null;
}

describe('filters of integration events (4.3)', () => {
  const types: EventType[] = ['feature-created', 'feature-updated', 'project-updated'];
  const outcomes = ['success', 'successWithErrors', 'failed', null] as const;
  const all: ModelRecord[] = [];
  let id: number;

  beforeAll(async () => {
    id = await integration(app);
    for (let each = 0; each < 60; each += 1) {
      const type = types[(each * 7) % 3] as EventType;
      const state = outcomes[(each * 5) % 4] as (typeof outcomes)[number];
      // Several in the same millisecond, and some at the first and last millisecond of a day.
      const at =
        Date.UTC(2026, 0, 1 + Math.floor(each / 12), 0, 0, 0, 0) - (each % 3 === 0 ? 1 : 0);
      const eventId = await happened(app, { type, at: new Date(at).toISOString() });
      const record = await delivery(app, id, {
        eventId,
        outcome: state,
        state: state === null ? 'pending' : state === 'failed' ? 'givenUp' : 'delivered',
        createdAt: new Date(at),
      });
      const day = new Date(at).toISOString().slice(0, 10);
      all.push({ id: record, eventId, type, day, at, state });
    }
  });

  interface Search {
    readonly state?: readonly string[] | undefined;
    readonly from?: string | undefined;
    readonly to?: string | undefined;
    readonly event?: readonly number[] | undefined;
    readonly type?: readonly string[] | undefined;
    readonly limit?: number | undefined;
    readonly offset?: number | undefined;
  }

  const model = ({ state, from, to, event, type, limit = 50, offset = 0 }: Search): string[] =>
    all
      .filter((record) => record.state !== null)
      .filter((record) => state === undefined || state.includes(record.state ?? ''))
      .filter((record) => from === undefined || record.day >= from)
      .filter((record) => to === undefined || record.day <= to)
      .filter((record) => event === undefined || event.includes(record.eventId))
      .filter((record) => type === undefined || type.includes(record.type))
      .sort((a, b) => b.at - a.at || b.eventId - a.eventId)
      .slice(offset, offset + limit)
      .map((record) => record.id);

  const spelled = ({ state, event, type, ...search }: Search): string => {
    const values = {
      ...search,
      ...(state && { state: state.length === 1 ? state[0] : `IS_ANY_OF:${state.join(', ')}` }),
      ...(event && { event: event.length === 1 ? `${event[0]}` : `IS_ANY_OF:${event.join(', ')}` }),
      ...(type && { type: type.length === 1 ? type[0] : `IS_ANY_OF:${type.join(',')}` }),
    };
    const given = Object.entries(values).filter(([, value]) => value !== undefined);
    const texts = given.map(([name, value]) => [name, String(value)] as const);
    return `?${new URLSearchParams(Object.fromEntries(texts))}`;
  };

  const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
  const someDay = fc
    .integer({ min: 0, max: 7 })
    .map((day) => new Date(Date.UTC(2025, 11, 30 + day)).toISOString().slice(0, 10));
  const place = fc.integer({ min: 0, max: 59 });
  const parts = {
    state: fc.subarray(['success', 'successWithErrors', 'failed'], { minLength: 1 }),
    from: someDay,
    to: someDay,
    event: fc.uniqueArray(place, { minLength: 1, maxLength: 5 }),
    type: fc.subarray([...types], { minLength: 1 }),
    limit: fc.integer({ min: 1, max: 12 }),
    offset: fc.integer({ min: 0, max: 20 }),
  };
  type FilterInput = { [Name in keyof typeof parts]?: unknown };

  const agrees = async (filter: FilterInput) => {
    const places = filter.event as readonly number[] | undefined;
    const search = {
      ...filter,
      ...(places && { event: places.map((each) => all[each]?.eventId) }),
    } as Search;
    expect(idsOf(await list(id, spelled(search)))).toEqual(model(search));
  };

  test.each(Object.keys(parts) as (keyof typeof parts)[])(
    '%s returns the same records as a filter over all of them',
    async (name) => {
      const arbitrary: fc.Arbitrary<unknown> = parts[name];
      await fc.assert(
        fc.asyncProperty(arbitrary, (value) => agrees({ [name]: value })),
        randomCases(10, 50),
      );
    },
  );

  test('random combinations return the same records as a filter over all of them', async () => {
    const together = fc.record({
      state: optional(parts.state),
      from: optional(parts.from),
      to: optional(parts.to),
      event: optional(parts.event),
      type: optional(parts.type),
      limit: optional(parts.limit),
      offset: optional(parts.offset),
    });
    await fc.assert(fc.asyncProperty(together, agrees), randomCases(15, 300));
  });

  test('accept the prefix IS:, and empty values match nothing', async () => {
    const plain = await list(
      id,
      '?type=feature-updated&state=failed&from=2026-01-01&to=2026-01-04',
    );
    const operators =
      '?type=IS:feature-updated&state=IS:failed&from=IS:2026-01-01&to=IS:2026-01-04';
    expect(plain.length).toBeGreaterThan(0);
    expect(await list(id, operators)).toEqual(plain);
    for (const query of ['?type=', '?type=IS_ANY_OF:', '?event=', '?event=IS_ANY_OF:,']) {
      expect([query, await list(id, query)]).toEqual([query, []]);
    }
    expect(await list(id, `?event=-5`)).toEqual([]);
    expect(await list(id, `?event=${'9'.repeat(30)}`)).toEqual([]);
    expect(await list(id, '?from=2026-01-03&to=2026-01-02')).toEqual([]);
  });
});
