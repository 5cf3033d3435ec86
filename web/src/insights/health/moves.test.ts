import { expect, test } from 'vitest';
import { movesOf } from './moves.ts';

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

test('only days on which the health changed are listed, the newest first, with their events in order', () => {
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
});

test('a changed description moves nothing, another type or review does', () => {
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
