import { expect, test } from 'vitest';
import type { Feature } from '../flags/feature/view.ts';
import { environmentRows, fieldRows, partsThatDiffer } from './feature-rows.ts';

const strategy = {
  id: 'a',
  name: 'flexibleRollout',
  title: null,
  disabled: false,
  constraints: [],
  variants: [],
  parameters: { rollout: '10', stickiness: 'default' },
  segments: [],
  sortOrder: 0,
};

const environment = (name: string, enabled: boolean, strategies = [strategy]) => ({
  name,
  type: 'development',
  enabled,
  strategies,
  variants: [],
});

const featureWith = (more: object): Feature =>
  ({
    name: 'a',
    project: 'default',
    type: 'release',
    description: null,
    stale: false,
    archived: false,
    impressionData: false,
    tags: [],
    dependencies: [],
    environments: [],
    ...more,
  }) as unknown as Feature;

test('a comparison omits fields without a value at both moments', () => {
  const past = featureWith({ tags: [{ type: 'simple', value: 'old' }] });
  const present = featureWith({ archived: true });
  const rows = fieldRows(past, present, (id) => id.toUpperCase());
  expect(rows).toContainEqual({ name: 'State', past: 'Active', present: 'Archived' });
  expect(rows).toContainEqual({ name: 'Tags', past: 'simple:old', present: '' });
  expect(rows).toContainEqual({ name: 'Project', past: 'DEFAULT', present: 'DEFAULT' });
  expect(rows.map(({ name }) => name)).not.toContain('Description');
});

test('environments are compared by name, and removed ones are listed last', () => {
  const past = featureWith({
    environments: [
      environment('gone', false),
      environment('dev', false),
      environment('prod', true),
    ],
  });
  const present = featureWith({
    environments: [environment('dev', true), environment('prod', true)],
  });
  expect(environmentRows(past, present).map(({ name, differs }) => [name, differs])).toEqual([
    ['dev', true],
    ['prod', false],
    ['gone', true],
  ]);
});

test('a strategy is compared with the one that has the same ID', () => {
  const changed = { ...strategy, parameters: { ...strategy.parameters, rollout: '20' } };
  const other = environment('dev', true, [strategy]);
  expect([...(partsThatDiffer(changed as never, other as never, new Map()) ?? [])]).toEqual([
    'rollout',
  ]);
  expect(
    partsThatDiffer({ ...changed, id: 'b' } as never, other as never, new Map()),
  ).toBeUndefined();
});
