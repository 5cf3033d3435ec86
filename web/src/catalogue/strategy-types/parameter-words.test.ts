import { expect, test } from 'vitest';
import { parameterText } from './parameter-words.ts';

test.each([
  [{ type: 'percentage', required: true }, 'rollout (Percentage, required)'],
  [{ type: 'string', required: false }, 'rollout (String)'],
  [{ type: 'boolean', required: false }, 'rollout (Boolean)'],
] as const)('a parameter is shown with the label of its type: %j', (parameter, text) => {
  expect(parameterText({ name: 'rollout', description: '', ...parameter })).toBe(text);
});
