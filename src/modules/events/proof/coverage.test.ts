import { expect, test } from 'vitest';
import type { EarlierRemoval } from '../events.ts';
import type { StoredEvent } from './chain.ts';
import { doubtsOfCoverage, type LogEnd } from './coverage.ts';

const dayMs = 86_400_000;
const now = new Date('2030-06-01T00:00:00Z');
const daysAgo = (days: number) => new Date(now.getTime() - days * dayMs).toISOString();

const inFile: LogEnd = {
  lastId: 50,
  hash: 'h',
  createdAt: daysAgo(1),
  keyId: 'ours',
  anchorId: 10,
  anchorHash: 'a',
  keyIn: 'file',
};
const inDatabase: LogEnd = { ...inFile, keyIn: 'database' };
const { anchorId: _id, anchorHash: _hash, keyIn: _place, ...ofOlderVersion } = inFile;

const removalBy = (keyId: string, earlier?: readonly EarlierRemoval[], id = 60) =>
  ({ id, data: { keyId, days: 30, ...(earlier && { earlier }) } }) as unknown as StoredEvent;

interface Given {
  readonly end?: LogEnd;
  readonly anchorId?: number;
  readonly removal?: StoredEvent | undefined;
  readonly hasOwnKeys?: boolean;
  readonly confirmedDays?: number | undefined;
}

const cases: readonly (readonly [string, Given, RegExp | undefined])[] = [
  ['nothing was removed since the checkpoint', { anchorId: 10, removal: undefined }, undefined],
  ['the removal is signed with the key in a file', {}, undefined],
  [
    'the removal is not signed',
    { removal: undefined },
    /events 11 to 40, .* no event with a valid signature/,
  ],
  [
    'the removal is signed with another key',
    { removal: removalBy('other') },
    /the key other, not with the key ours/,
  ],
  [
    'the removal is signed with another of the own keys, which may have been in the database',
    { removal: removalBy('other'), hasOwnKeys: true },
    /another key than that of the checkpoint/,
  ],
  [
    'an earlier removal after the checkpoint is not signed',
    { removal: removalBy('ours', [{ through: 20, keyId: null }]) },
    /no key signed the removal of those up to 20/,
  ],
  [
    'an earlier removal after the checkpoint is signed with another key',
    { removal: removalBy('ours', [{ through: 20, keyId: 'other' }]) },
    /only the key other signed the removal of those up to 20/,
  ],
  [
    'an earlier removal after the checkpoint is signed with another of the own keys',
    { removal: removalBy('ours', [{ through: 20, keyId: 'other' }]), hasOwnKeys: true },
    /another key than that of the checkpoint/,
  ],
  [
    'an earlier removal before the checkpoint is not signed',
    { removal: removalBy('ours', [{ through: 10, keyId: null }]) },
    undefined,
  ],
  ['the key is in the database', { end: inDatabase }, /younger than 30 days: .* in the database/],
  [
    'the key is in the database, and the checkpoint is older than the retention',
    { end: { ...inDatabase, createdAt: daysAgo(31) } },
    undefined,
  ],
  [
    'the key is in the database, and the checkpoint is older only than the retention in the removal',
    { end: { ...inDatabase, createdAt: daysAgo(31) }, confirmedDays: 90 },
    /younger than 90 days/,
  ],
  [
    'the key is in the database, and the checkpoint has an invalid date',
    { end: { ...inDatabase, createdAt: 'long ago' } },
    /younger than 30 days/,
  ],
  [
    'the checkpoint is of an older version',
    { end: ofOlderVersion },
    /events 1 to 40, .* older version/,
  ],
  [
    'the checkpoint is of an older version and newer than the removal',
    { end: ofOlderVersion, removal: removalBy('ours', undefined, 45) },
    undefined,
  ],
];

test.each(cases)(
  'the coverage of a checkpoint is judged correctly if %s',
  (_name, given, expected) => {
    const { end = inFile, anchorId = 40, hasOwnKeys = false, confirmedDays = 30 } = given;
    const removal = 'removal' in given ? given.removal : removalBy('ours');
    const doubts = doubtsOfCoverage(
      end,
      { anchorId, removal, isEndInLog: end.lastId > anchorId },
      { hasOwnKeys, confirmedDays, now },
    );
    expect(doubts).toEqual(expected ? [expect.stringMatching(expected)] : []);
  },
);
