import { expect, test } from 'vitest';
import { contract } from '../../../../src/modules/flags/features/create/contract.ts';
import { readDefinition, type Shape } from './definition.ts';

const shape = contract.createFeature.body as Shape;
const read = (value: unknown) => readDefinition(JSON.stringify(value), shape);

test('a definition in JSON accepts every property of a new feature', () => {
  const body = {
    name: 'dark-mode',
    type: 'release',
    tags: [{ type: 'simple', value: 'new' }],
    environments: [
      {
        name: 'development',
        enabled: true,
        strategies: [{ name: 'flexibleRollout', parameters: { rollout: '50', anything: 'x' } }],
      },
    ],
  };
  expect(read(body)).toEqual({ body, notUnderstood: [] });
});

test('a definition in JSON loses properties that a new feature cannot have, and lists them', () => {
  const whole = {
    name: 'dark-mode',
    description: null,
    favorite: true,
    environments: [
      { name: 'development', sortOrder: 1, strategies: [{ id: '1', name: 'default' }] },
      { name: 'production', sortOrder: 2, strategies: [{ id: '2', name: 'default' }] },
    ],
  };
  expect(read(whole)).toEqual({
    body: {
      name: 'dark-mode',
      environments: [
        { name: 'development', strategies: [{ name: 'default' }] },
        { name: 'production', strategies: [{ name: 'default' }] },
      ],
    },
    notUnderstood: ['favorite', 'environments/*/sortOrder', 'environments/*/strategies/*/id'],
  });
});

test.each(['', '{', '[]', '"x"', 'null'])('a definition in JSON cannot be %j', (text) => {
  expect(readDefinition(text, shape)).toHaveProperty('problem');
});
