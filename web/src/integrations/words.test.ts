import { expect, test } from 'vitest';
import { eventTypes } from '../../../src/modules/events/event-types-schema.ts';
import { describeChange, emptyForm, missingIn } from './form.ts';
import {
  backlogText,
  conditionOf,
  countdown,
  firstTypes,
  groupTypes,
  type Integration,
  type Provider,
  queueText,
  statusOf,
  withheldWords,
} from './words.ts';

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
] as const)('the condition of an integration is %s: %j', (condition, more) => {
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
])('a time %s seconds ahead is shown as "%s"', (seconds, text) => {
  expect(countdown(new Date(now.getTime() + seconds * 1000), now)).toBe(text);
});

test('every event type belongs to one group, and all suggested types exist', () => {
  const grouped = groupTypes(eventTypes).flatMap(({ types }) => types);
  expect([...grouped].sort()).toEqual([...eventTypes].sort());
  expect(eventTypes).toEqual(expect.arrayContaining([...firstTypes]));
});

test.each([
  [0, 'New events are queued until you resume.'],
  [1, '1 event will be sent when you resume.'],
  [6, '6 events will be sent when you resume.'],
])('a paused integration with %s pending events says "%s"', (pending, text) => {
  expect(queueText(pending)).toBe(text);
});

test.each([
  [0, 0, ''],
  [1204, 0, '1,204 pending'],
  [6, 2, '6 pending · 2 failed permanently'],
])('%s pending and %s failed deliveries are shown as "%s"', (pending, givenUp, text) => {
  expect(backlogText({ pending, givenUp })).toBe(text);
});

const nothingWithheld = {
  accountDeleted: false,
  privateProjects: [],
  otherPrivateProjects: false,
  eventsOutsideProjects: false,
  deletedProjects: [],
  sentIfSaved: false,
};
const noAccess = "The account that last saved this integration doesn't have access to them.";
test.each([
  [{ privateProjects: ['a', 'b'] }, ['Private projects: a, b'], noAccess],
  [
    { otherPrivateProjects: true, eventsOutsideProjects: true },
    ['Private projects', 'Events outside projects'],
    noAccess,
  ],
  [
    { accountDeleted: true, otherPrivateProjects: true },
    ['Private projects'],
    'The account that last saved this integration no longer exists.',
  ],
  [
    { deletedProjects: ['shop'] },
    ['Projects that were deleted: shop'],
    'A new project with the same ID is included when you save the integration.',
  ],
])('an integration lists what it does not send: %j', (part, items, why) => {
  expect(withheldWords({ withheld: { ...nothingWithheld, ...part } })).toEqual({ items, why });
});

const webhook: Provider = {
  name: 'webhook',
  displayName: 'Webhook',
  description: '',
  documentationUrl: '',
  alerts: [],
  parameters: [
    {
      name: 'bodyTemplate',
      displayName: 'Body template',
      type: 'textfield',
      description: '',
      required: false,
      sensitive: false,
    },
  ],
  events: ['feature-created', 'feature-archived'],
  tagTypes: [],
};
const form = emptyForm(webhook);
test.each([
  ['parameters', { parameters: { bodyTemplate: '{}' } }, 'Body template'],
  ['events', { events: ['feature-created'] }, '1 event type removed'],
  ['projects', { projects: ['web'] }, 'projects: Web shop'],
  ['tags', { tags: [{ type: 'simple', value: 'ab' }] }, 'tags: simple:ab'],
  ['inOrder', { inOrder: true }, 'deliver in order: on'],
  ['retentionDays', { retentionDays: 1 }, 'retention 30 → 1 day'],
] as const)('a change of %s is shown with the label of its field', (field, part, text) => {
  const about = {
    provider: webhook,
    nameOfProject: (id: string) => ({ web: 'Web shop' })[id] ?? id,
  };
  expect(describeChange(about, field, form, { ...form, ...part })).toBe(text);
});

test('a form without event types says to select one', () => {
  expect(missingIn(webhook, { ...form, events: [] })).toBe('Select at least one event type');
});

test.each([
  ['pending', 0, 'Pending'],
  ['pending', 2, 'Retrying'],
  ['delivered', 2, 'Delivered'],
  ['givenUp', 8, 'Failed'],
] as const)('a delivery that is %s after %i attempts is %s', (state, attempts, label) => {
  expect(statusOf({ state, attempts }).label).toBe(label);
});
