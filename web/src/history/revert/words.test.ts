import { expect, test } from 'vitest';
import { directoryOf } from '../../directory.ts';
import { fateText, fieldText, thingText, valuesOf } from './words.ts';

const change = (type: string, before?: unknown, after?: unknown) => ({
  ...{ type, name: 'x', summary: '' },
  ...(before !== undefined && { before }),
  ...(after !== undefined && { after }),
});

test.each([
  [{ type: 'feature', name: 'dark-mode' }, 'dark-mode'],
  [
    { type: 'feature-environment', name: 'dark-mode', environment: 'production' },
    'dark-mode in production',
  ],
  [{ type: 'segment', name: 'Nordics' }, 'Segment Nordics'],
  [
    { type: 'project-environment', name: 'shop', environment: 'production' },
    'Settings of shop in production',
  ],
  [{ type: 'project-user', name: 'shop:7' }, 'Roles of Ada in shop'],
  [{ type: 'project-group', name: 'shop:9' }, 'Roles of group 9 in shop'],
  [{ type: 'group-user', name: '3:7' }, 'Ada in group Staff'],
  [{ type: 'account', name: '7' }, 'Root role of Ada'],
  [{ type: 'setting', name: 'unleash.frontend' }, 'CORS origins'],
])('a revert calls %j "%s"', (thing, text) => {
  const directory = directoryOf({
    users: [{ id: 7, name: 'Ada' }],
    groups: [{ id: 3, name: 'Staff' }],
  });
  expect(thingText(thing, directory)).toBe(text);
});

test.each([
  ['a deleted feature', change('feature', undefined, {}), 'Created again'],
  ['a deleted segment', change('segment', undefined, {}), 'Added again'],
  ['a created feature', change('feature', {}), 'Deleted'],
  ['an archived feature', change('feature', { archived: false }, { archived: true }), 'Archived'],
  ['a revived feature', change('feature', { archived: true }, { archived: false }), 'Revived'],
  ['another description', change('feature', { archived: true }, { archived: true }), undefined],
  [
    'the configuration of a feature in an environment',
    change('feature-environment', undefined, {}),
    undefined,
  ],
])('%s', (_, planned, text) => {
  expect(fateText(planned)).toBe(text);
});

test('a revert lists changed values, but not those of something that is created or deleted', () => {
  expect(valuesOf({ stale: true, archived: true }, { stale: false, archived: false })).toEqual([
    { path: ['stale'], before: true, after: false },
  ]);
  expect(valuesOf(undefined, { stale: false })).toEqual([]);
});

test.each([
  ['description', 'description'],
  ['strategies.0b0cbb1e-6bb2-4b6a-8a4f-1f4d8f0a9f11.parameters.rollout', 'strategies › rollout'],
])('the property %s is shown as %s', (field, text) => {
  expect(fieldText(field)).toBe(text);
});
