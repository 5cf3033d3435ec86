import { describe, expect, test } from 'vitest';
import type { FeatureDocument } from './document.ts';
import { hasOtherCreation, hasOtherStage, isSameFeature } from './feature-changes.ts';

const now = new Date('2026-11-17T00:00:00.000Z');
const enteredAt = '2026-02-01T00:00:00.000Z';

const feature = (more: Partial<FeatureDocument> = {}): FeatureDocument => ({
  ...{ name: 'one', project: 'default', type: 'release', description: null, stale: false },
  ...{ impressionData: false, archived: false, createdAt: '2026-01-01T00:00:00.000Z' },
  ...{ tags: [], links: [], dependencies: [], environments: [], lifecycle: null, ...more },
});

const at = (stage: 'pre-live' | 'live' | 'completed', status: 'kept' | 'discarded' | null = null) =>
  feature({ lifecycle: { stage, enteredAt, status } });

describe('the lifecycle stage of a feature is compared with the source', () => {
  test.each([
    ['further', feature(), at('live'), true],
    ['the same', at('live'), at('live'), false],
    ['not as far, because SDKs use Burgee already', at('live'), at('pre-live'), false],
    ['completed', at('live'), at('completed', 'kept'), true],
    ['completed with another outcome', at('completed', 'kept'), at('completed', 'discarded'), true],
    ['no longer completed', at('completed', 'kept'), at('live'), true],
    ['no longer completed, and never used', at('completed', 'kept'), feature(), true],
    ['archived', at('live'), feature({ archived: true }), false],
    ['created again', at('live'), feature({ createdAt: '2026-03-01T00:00:00.000Z' }), true],
  ])('and differs if it is %s: $3', (_, own, wanted, expected) => {
    expect(hasOtherStage(own, wanted, now)).toBe(expected);
  });

  test('and does not differ if the source has no stages', () => {
    const { lifecycle: _, ...wanted } = feature();
    expect(hasOtherStage(at('completed', 'kept'), wanted, now)).toBe(false);
  });
});

test.each([
  ['another date', { createdAt: '2026-03-01T00:00:00.000Z' }, true],
  ['a date in the future', { createdAt: '2027-01-01T00:00:00.000Z' }, false],
  ['no date', { createdAt: null }, false],
  ['another creator', { createdBy: { name: 'grace', account: 'grace' } }, true],
  ['the same account under another name', { createdBy: { name: 'A', account: 'ada' } }, false],
  ['the same name without an account', { createdBy: { name: 'ada' } }, false],
])('a source with %s has a different creation date or creator: $2', (_, wanted, expected) => {
  const own = feature({ createdBy: { name: 'ada', account: 'ada' } });
  expect(hasOtherCreation(own, feature(wanted), now)).toBe(expected);
});

test('a source without a list of links does not change them', () => {
  const own = feature({ links: [{ url: 'https://a.example.com', title: null }] });
  const { links: _, ...silent } = feature();
  expect(isSameFeature(own, silent, now)).toBe(true);
  expect(isSameFeature(own, feature(), now)).toBe(false);
});

test.each<[string, Partial<FeatureDocument>, boolean]>([
  ['no information about owner and expiry date', {}, true],
  [
    'the same owner and expiry date',
    { owner: { type: 'user', name: 'ada' }, expiresAt: enteredAt },
    true,
  ],
  ['no owner', { owner: null }, false],
  ['a group as owner', { owner: { type: 'group', name: 'ada' } }, false],
  ['no expiry date', { expiresAt: null }, false],
])('a source with %s has the same feature: $2', (_, wanted, expected) => {
  const own = feature({ owner: { type: 'user', name: 'ada' }, expiresAt: enteredAt });
  expect(isSameFeature(own, feature(wanted), now)).toBe(expected);
});
