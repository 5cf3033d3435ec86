import { describe, expect, test } from 'vitest';
import { type Aging, type RatedFeature, rate } from './rating.ts';

const day = 86_400_000;
const now = Date.UTC(2026, 5, 15, 12);
const midnight = Date.UTC(2026, 5, 16);

const feature = (overrides: Partial<RatedFeature> = {}): RatedFeature => ({
  createdAt: now - 1_000 * day,
  archivedAt: null,
  stale: false,
  dueAt: null,
  ...overrides,
});

const aging = (overrides: Partial<Aging> = {}): Aging => ({
  features: [],
  joined: [],
  releases: [],
  activity: { current: 0, past: 0, firstOfCurrent: null, firstOfPast: null },
  ...overrides,
});

describe('the rating counts a feature', () => {
  const aged = (days: number, more: Partial<RatedFeature> = {}) =>
    feature({ createdAt: now - days * day, dueAt: now + (40 - days) * day, ...more });

  test.each<[string, RatedFeature, [active: number, stale: number, due: number, health: number]]>([
    ['young', aged(1), [1, 0, 0, 100]],
    ['a millisecond before its lifetime', aged(40, { dueAt: now + 1 }), [1, 0, 0, 100]],
    ['exactly as old as its lifetime', aged(40), [1, 0, 1, 0]],
    ['older', aged(400), [1, 0, 1, 0]],
    ['of a type without a lifetime', aged(4_000, { dueAt: null }), [1, 0, 0, 100]],
    ['marked as stale while young', aged(1, { stale: true }), [0, 1, 0, 0]],
    ['marked as stale and old (counted once)', aged(400, { stale: true }), [0, 1, 0, 0]],
    ['archived and stale', aged(400, { archivedAt: now - day, stale: true }), [0, 0, 0, 100]],
  ])('that is %s', (_what, one, [active, stale, due, health]) => {
    const { rating } = rate(aging({ features: [one] }), now);
    expect([
      rating.activeCount,
      rating.staleCount,
      rating.potentiallyStaleCount,
      rating.health,
    ]).toEqual([active, stale, due, health]);
  });
});

describe('the current and past windows', () => {
  test.each<[ago: number, current: number, past: number]>([
    [0, 1, 0],
    [30 * day - 1, 1, 0],
    [30 * day, 0, 1],
    [60 * day - 1, 0, 1],
    [60 * day, 0, 0],
  ])('count a change %i ms ago as %i and %i, respectively', (ago, current, past) => {
    const at = now - ago;
    const { stats } = rate(
      aging({ features: [feature({ createdAt: at }), feature({ archivedAt: at })], joined: [at] }),
      now,
    ).rating;
    expect(stats).toMatchObject({
      createdCurrentWindow: current,
      createdPastWindow: past,
      archivedCurrentWindow: current,
      archivedPastWindow: past,
      projectMembersAddedCurrentWindow: current,
    });
  });

  test('count an archived feature as created, too', () => {
    const gone = feature({ createdAt: now - 40 * day, archivedAt: now - day });
    expect(rate(aging({ features: [gone] }), now).rating.stats).toMatchObject({
      createdPastWindow: 1,
      archivedCurrentWindow: 1,
    });
  });
});

test('the time to production is the average in days, or 0 without releases', () => {
  const time = (...days: number[]) => {
    const releases = days.map((each) => ({
      name: 'a',
      createdAt: now - each * day,
      releasedAt: now,
    }));
    return rate(aging({ releases }), now).rating.stats.avgTimeToProdCurrentWindow;
  };
  expect(time()).toBe(0);
  expect(time(2)).toBe(2);
  expect(time(1, 2)).toBe(1.5);
  expect(time(0.5)).toBe(0.5);
  // Enabled before it was created: a caller set an earlier date.
  expect(time(-3)).toBe(0);
});

describe('a rating is valid until', () => {
  const soon = now + 60_000;
  test.each<[string, Partial<Aging>, number]>([
    ['midnight if nothing changes before', {}, midnight],
    ['a feature is due', { features: [feature({ dueAt: soon })] }, soon],
    [
      'midnight if only a stale feature is due before',
      { features: [feature({ dueAt: soon, stale: true })] },
      midnight,
    ],
    [
      "a feature's creation leaves the current window",
      { features: [feature({ createdAt: soon - 30 * day })] },
      soon,
    ],
    [
      "a feature's creation leaves the past window",
      { features: [feature({ createdAt: soon - 60 * day })] },
      soon,
    ],
    [
      'an archived feature leaves the current window',
      { features: [feature({ archivedAt: soon - 30 * day })] },
      soon,
    ],
    [
      'an archived feature leaves the past window',
      { features: [feature({ archivedAt: soon - 60 * day })] },
      soon,
    ],
    ['a member is no longer new', { joined: [soon - 30 * day] }, soon],
    [
      'a release is no longer new',
      { releases: [{ name: 'a', createdAt: now - 90 * day, releasedAt: soon - 30 * day }] },
      soon,
    ],
    [
      'an event leaves the current window',
      { activity: { current: 1, past: 0, firstOfCurrent: soon - 30 * day, firstOfPast: null } },
      soon,
    ],
    [
      'an event leaves the past window',
      { activity: { current: 1, past: 1, firstOfCurrent: null, firstOfPast: soon - 60 * day } },
      soon,
    ],
    [
      'the first of several changes',
      { joined: [soon + 1 - 30 * day, soon - 30 * day, soon + 2 - 30 * day, now - 90 * day] },
      soon,
    ],
  ])('%s', (_what, overrides, until) => {
    const rated = rate(aging(overrides), now);
    expect(new Date(rated.until)).toEqual(new Date(until));
    // The rating is the same until then.
    const { activity, ...rest } = aging(overrides);
    expect(rate({ ...rest, activity }, rated.until - 1).rating).toEqual(rated.rating);
  });
});
