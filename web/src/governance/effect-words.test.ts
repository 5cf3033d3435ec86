import { expect, test } from 'vitest';
import { type ChangedDecision, changeText, countText, whoText } from './effect-words.ts';

const off = { enabled: false, explanation: '' };
const on = { enabled: true, explanation: '' };
const group = (more: Partial<ChangedDecision>): ChangedDecision => ({
  before: off,
  after: on,
  payloadChanged: false,
  contexts: 1,
  tried: 0,
  example: {},
  ...more,
});
const country = {
  contextName: 'country',
  operator: 'IN' as const,
  values: ['NO', 'SE'],
  more: 0,
};

test.each<[Partial<ChangedDecision>, string]>([
  [{ where: [] }, 'Everyone'],
  [{ where: [], share: { from: 25, to: 25 } }, 'About 25% of users'],
  [{ share: { from: 10, to: 50 } }, '10% to 50% of users in some contexts'],
  [{ where: [], share: { from: 0, to: 0 } }, 'Less than 1% of users'],
  [{}, 'Users in some contexts'],
  [{ where: [country] }, 'Users whose country is NO or SE'],
  [
    { where: [{ ...country, operator: 'NOT_IN', more: 12 }], share: { from: 5, to: 5 } },
    'About 5% of users whose country is not NO, SE, or 12 more',
  ],
  [
    {
      where: [
        { contextName: 'userId', operator: 'SET', values: [], more: 0 },
        { contextName: 'plan', operator: 'MISSING', values: [], more: 0 },
      ],
    },
    'Users whose userId is set and plan is missing',
  ],
])('the effect %j concerns "%s"', (more, text) => {
  expect(whoText(group(more))).toBe(text);
});

test('a changed decision is shown as before and after', () => {
  expect(changeText(group({}))).toBe('Disabled → Enabled');
  expect(
    changeText(group({ before: { ...on, variant: 'red' }, after: { ...on, variant: 'blue' } })),
  ).toBe('Enabled with variant red → Enabled with variant blue');
  const blue = { ...on, variant: 'blue' };
  expect(changeText(group({ before: blue, after: blue, payloadChanged: true }))).toBe(
    'Different payload for variant blue',
  );
  expect(
    countText({
      name: 'a',
      project: 'b',
      cause: 'change',
      contexts: 40,
      changedContexts: 1,
      groups: [],
    }),
  ).toBe('1 of 40 sample contexts gets a different result');
});
