import { expect, test } from 'vitest';
import { stageLines } from './lifecycle-words.ts';

const now = new Date('2026-11-17T12:00:00');
const at = (enteredStageAt: string, outcome = {}) => ({ enteredStageAt, ...outcome });

test.each([
  [
    'the current stage',
    'live',
    at('2026-11-03T12:00:00'),
    true,
    ['Since Nov 3 (14 days)', 'Evaluated in production'],
  ],
  [
    'a current stage of today',
    'initial',
    at('2026-11-17T08:00:00'),
    true,
    ['Since Nov 17', 'Not evaluated yet'],
  ],
  ['a past stage', 'initial', at('2025-11-03T12:00:00'), false, ['Nov 3, 2025']],
  ['a future stage', 'completed', undefined, false, []],
  [
    'a completed feature',
    'completed',
    at('2026-11-16T12:00:00', { status: 'kept', statusValue: 'blue' }),
    true,
    ['Since Nov 16 (1 day)', 'Ready for code cleanup', 'Kept (variant blue)'],
  ],
] as const)('the timeline explains %s', (_, stage, entered, isCurrent, lines) => {
  expect(stageLines(stage, entered, isCurrent, now)).toEqual(lines);
});
