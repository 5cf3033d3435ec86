import { expect, test } from 'vitest';
import { impactText } from './impact-words.ts';

const now = Date.parse('2026-03-10T12:30:00Z');
const hour = (hoursAgo: number, yes: number, no: number, environment = 'production') => ({
  environment,
  timestamp: new Date(now - hoursAgo * 3_600_000).toISOString(),
  yes,
  no,
});

test.each([
  [
    'the last 24 hours',
    [hour(1, 30_104, 95_000), hour(5, 33_000, 94_313), hour(30, 900_000, 0)],
    'Enabled for 25% of about 250,000 evaluations per day',
  ],
  [
    '7 days, if there were no evaluations in the last 24 hours',
    [hour(30, 0, 700)],
    'Disabled for about 100 evaluations per day',
  ],
  ['rare evaluations', [hour(100, 2, 0)], 'Enabled for 100% of about 1 evaluation per day'],
  [
    'evaluations in the same environment only',
    [hour(1, 10, 0, 'development')],
    'Not evaluated in the last 7 days',
  ],
  ['no evaluations', [], 'Not evaluated in the last 7 days'],
])('the impact of toggling a feature is based on %s', (_, data, text) => {
  expect(impactText(data, 'production', now)).toBe(text);
});
