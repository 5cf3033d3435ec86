import { expect, test } from 'vitest';
import { gather, movesOf } from './moves.ts';

type Day = Parameters<typeof movesOf>[0][number];
type LogEvent = Parameters<typeof movesOf>[1][number];

const day = (name: string, health: number): Day => ({
  day: name,
  health,
  total: 10,
  stale: 0,
  potentiallyStale: 0,
  reconstructed: false,
  live: false,
});

const event = (id: number, createdAt: string, more: Partial<LogEvent> = {}) =>
  ({ id, createdAt, type: 'feature-stale-on', data: null, preData: null, ...more }) as LogEvent;

test('health changes list only days with a change, newest first, with their events in order', () => {
  const days = [
    day('2026-11-01', 100),
    day('2026-11-02', 90),
    day('2026-11-03', 90),
    day('2026-11-04', 95),
  ];
  const events = [
    event(4, '2026-11-03T10:00:00.000Z'),
    event(3, '2026-11-02T12:00:00.000Z'),
    event(2, '2026-11-02T09:00:00.000Z'),
  ];
  const moves = movesOf(days, events);
  expect(moves.map(({ day: name, before, after }) => [name, before, after])).toEqual([
    ['2026-11-04', 90, 95],
    ['2026-11-02', 100, 90],
  ]);
  expect(moves.map((move) => move.events.map(({ id }) => id))).toEqual([[], [2, 3]]);
  expect(moves.map(({ isCut }) => isCut)).toEqual([false, false]);
  expect(movesOf(days, events, '2026-11-02').map(({ isCut }) => isCut)).toEqual([false, true]);
});

test('health changes name features that became potentially stale shortly before midnight', () => {
  const days = [day('2026-11-01', 100), day('2026-11-02', 90), day('2026-11-03', 90)];
  const type = 'feature-potentially-stale-on';
  const events = [
    event(2, '2026-11-03T00:20:00.000Z', { type }),
    event(3, '2026-11-03T10:00:00.000Z'),
  ];
  expect(movesOf(days, events).map((move) => move.events.map(({ id }) => id))).toEqual([[2]]);
  const changedAgain = [...days.slice(0, 2), day('2026-11-03', 80)];
  expect(movesOf(changedAgain, events).map((move) => move.events.map(({ id }) => id))).toEqual([
    [2, 3],
    [],
  ]);
});

test('health changes ignore a new description, but not a new feature type or review', () => {
  const days = [day('2026-11-01', 100), day('2026-11-02', 90)];
  const type = 'feature-metadata-updated';
  const at = '2026-11-02T09:00:00.000Z';
  const described = event(1, at, {
    type,
    data: { description: 'new' },
    preData: { description: '' },
  });
  const retyped = event(2, at, {
    type,
    data: { type: 'release' },
    preData: { type: 'permission' },
  });
  const reviewed = event(3, at, {
    type,
    data: { review: { permanent: true } },
    preData: { review: null },
  });
  const [move] = movesOf(days, [described, retyped, reviewed]);
  expect(move?.events.map(({ id }) => id)).toEqual([2, 3]);
});

type Page = Awaited<ReturnType<Parameters<typeof gather>[0]>>;

/** Pages of two events, one day each, newest first. */
const reader = (pages: number) => async (cursor?: string) => {
  const page = Number(cursor ?? 0);
  const event = (place: number) => ({
    createdAt: `2026-11-${30 - page * 2 - place}T12:00:00.000Z`,
  });
  return {
    events: [event(0), event(1)],
    ...(page + 1 < pages && { nextCursor: String(page + 1) }),
  } as Page;
};

test('events of health changes are read up to a limit, and a cut is reported', async () => {
  const whole = await gather(reader(3));
  expect([whole.events.length, whole.cutOn]).toEqual([6, undefined]);
  const most = await gather(reader(5));
  expect([most.events.length, most.cutOn]).toEqual([10, undefined]);
  const cut = await gather(reader(6));
  expect([cut.events.length, cut.cutOn]).toEqual([10, '2026-11-21']);
});
