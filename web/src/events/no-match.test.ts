import { expect, test } from 'vitest';
import { noMatchHint } from './no-match.ts';

test.each([
  ['env:production', {}, 'Remove a filter or widen the time range.'],
  [
    'env:production checkout',
    {},
    'No matching event contains “checkout” in its data. Remove a filter or widen the time range.',
  ],
  [
    'checkout',
    {},
    'No event data contains “checkout”. To find a feature, project, or user, use feature:, project:, or actor:.',
  ],
  [
    'checkout',
    { project: 'default' },
    'No event data contains “checkout”. To find a feature or user, use feature: or actor:.',
  ],
  [
    'checkout',
    { project: 'default', feature: 'dark-mode' },
    'No event data contains “checkout”. To find a user, use actor:.',
  ],
])(
  'a search for %s in the log of %j without results suggests only filters that apply there',
  (q, scope, hint) => {
    expect(noMatchHint(q, scope)).toBe(hint);
  },
);
