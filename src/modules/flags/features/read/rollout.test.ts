import { expect, test } from 'vitest';
import { rolloutOf, type Targeting } from './rollout.ts';

const flexible = (share: string | null, restricted = false): Targeting => ({
  name: 'flexibleRollout',
  share,
  restricted,
});
const everyone: Targeting = { name: 'default', share: null, restricted: false };
const byId: Targeting = { name: 'userWithId', share: null, restricted: false };

test.each<[string, Targeting[], number | null, boolean]>([
  ['no strategy', [], null, false],
  ['one for everyone', [everyone], 100, false],
  ['a partial rollout', [flexible('25')], 25, false],
  [
    'an older type of rollout',
    [{ ...flexible('12.5'), name: 'gradualRolloutRandom' }],
    12.5,
    false,
  ],
  ['a partial rollout with constraints', [flexible('25', true)], 25, true],
  ['everyone who matches constraints', [flexible('100', true)], 100, true],
  ['a type without a percentage', [byId], null, true],
  ['several strategies', [flexible('25'), byId], null, false],
  ['several, one of them for everyone', [byId, flexible('100')], 100, false],
  ['no percentage', [flexible(null)], 0, false],
  ['an invalid percentage', [flexible('many')], 0, false],
  ['too large a percentage', [flexible('900')], 100, false],
])('%s: rollout $2, targeted $3', (_name, strategies, rollout, targeted) => {
  expect(rolloutOf(strategies)).toEqual({
    enabledStrategyCount: strategies.length,
    rollout,
    targeted,
  });
});
