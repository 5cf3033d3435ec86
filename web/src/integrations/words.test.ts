import { expect, test } from 'vitest';
import { eventTypes } from '../../../src/modules/events/event-types-schema.ts';
import { conditionOf, countdown, firstTypes, groupTypes, type Integration } from './words.ts';

const integration = (more: Partial<Integration>): Integration => ({
  id: 1,
  provider: 'webhook',
  description: null,
  enabled: true,
  parameters: {},
  events: [],
  projects: [],
  environments: [],
  tags: [],
  inOrder: false,
  retentionDays: 30,
  createdAt: '2026-11-01T00:00:00.000Z',
  paused: false,
  delivery: { pending: 0, givenUp: 0 },
  ...more,
});

const trouble = { at: '2026-11-01T00:00:00.000Z', recordId: '', message: 'no' };

test.each([
  ['working', {}],
  ['waiting', { delivery: { pending: 3, givenUp: 0 } }],
  ['failing', { trouble }],
  ['failing', { delivery: { pending: 1, givenUp: 0, lastError: 'no' } }],
  ['held', { trouble, delivery: { pending: 1, givenUp: 0, heldUntil: trouble.at } }],
  ['paused', { trouble, paused: true }],
  ['disabled', { trouble, paused: true, enabled: false }],
] as const)('shows an integration as %s', (condition, more) => {
  expect(conditionOf(integration(more))).toBe(condition);
});

const now = new Date('2026-11-16T12:00:00.000Z');
test.each([
  [-5, 'now'],
  [0, 'now'],
  [0.4, 'in 1 s'],
  [59, 'in 59 s'],
  [250, 'in 4 min 10 s'],
  [3_600, 'in 1 h'],
  [3_661, 'in 1 h 1 min'],
  [90_000, 'in 1 d 1 h'],
])('shows a time %s seconds ahead as "%s"', (seconds, text) => {
  expect(countdown(new Date(now.getTime() + seconds * 1000), now)).toBe(text);
});

test('every event type belongs to one group, and all suggested types exist', () => {
  const grouped = groupTypes(eventTypes).flatMap(({ types }) => types);
  expect([...grouped].sort()).toEqual([...eventTypes].sort());
  expect(eventTypes).toEqual(expect.arrayContaining([...firstTypes]));
});
