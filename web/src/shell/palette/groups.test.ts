import { expect, test } from 'vitest';
import { matching } from './groups.ts';
import type { Thing } from './things.ts';

const thing = (label: string, words = ''): Thing => ({
  id: label,
  label,
  words,
  icon: null,
  run: () => undefined,
});

const environments = ['development', 'staging', 'production'];
const actions = [
  ...environments.map((name) => thing(`Enable in ${name}`, 'toggle switch on')),
  thing('Enable', ''),
];

const labels = (typed: string, keepsOrder: boolean) =>
  matching(
    [{ label: 'Actions', things: actions, limit: 8, weight: 0, keepsOrder }],
    typed,
    new Set(),
  ).flatMap(({ things }) => things.map(({ label }) => label));

test.each(['switch', 'enable in', 'in'])(
  'actions that the palette finds for "%s" keep their order',
  (typed) => {
    expect(labels(typed, true)).toEqual(environments.map((name) => `Enable in ${name}`));
  },
);

test('an exact match is the first result of the palette', () => {
  expect(labels('enable', true)[0]).toBe('Enable');
});
