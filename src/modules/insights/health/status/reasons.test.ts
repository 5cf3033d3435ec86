import { describe, expect, test } from 'vitest';
import { detailOf } from './detail.ts';
import { type Facts, reasonsOf, type Terms, withoutSnoozed } from './reasons.ts';

const day = 86_400_000;
const now = Date.UTC(2026, 5, 15, 12);
const ago = (days: number) => now - days * day;

/** A young feature that an SDK has just requested: it has no reasons. */
const facts = (fields: Partial<Facts> = {}): Facts => ({
  name: 'a',
  type: 'release',
  lifetimeDays: 40,
  createdAt: ago(1),
  archivedAt: null,
  expiresAt: null,
  owner: null,
  stale: false,
  marked: null,
  completedAt: null,
  seen: [{ environment: 'production', at: now }],
  fullyOn: [],
  inCode: true,
  review: null,
  ...fields,
});

const terms = (fields: Partial<Terms> = {}): Terms => ({
  now,
  notSeenDays: 30,
  fullyOnDays: 30,
  scans: [ago(0), ago(0.5)],
  ...fields,
});

const namesOf = (fields: Partial<Facts>, more: Partial<Terms> = {}) =>
  reasonsOf(facts(fields), terms(more)).map(({ reason }) => reason);

const only = (fields: Partial<Facts>, more: Partial<Terms> = {}) => {
  const found = reasonsOf(facts(fields), terms(more));
  expect(found).toHaveLength(1);
  return found.map((reason) => ({ ...reason, detail: detailOf(reason) }))[0];
};

const seenAt = (at: number, environment = 'production') => ({ environment, at });
const onSince = (since: number, stickiness: string | null = null, environment = 'production') => ({
  environment,
  since,
  stickiness,
});

test('a young feature in use has no reasons', () => {
  expect(namesOf({})).toEqual([]);
});

describe('the reason expired', () => {
  test('begins exactly at the expiry date', () => {
    expect(namesOf({ expiresAt: now + 1 })).toEqual([]);
    expect(only({ expiresAt: now })).toEqual({
      reason: 'expired',
      since: now,
      detail: 'Expired on 2026-06-15',
      evidence: {},
    });
  });

  test('does not apply to an archived feature, and a snooze hides it', () => {
    expect(namesOf({ expiresAt: ago(1), archivedAt: ago(2), seen: [] })).toEqual([]);
    const snoozed = facts({
      expiresAt: ago(1),
      review: {
        ...{ permanent: false, snoozedUntil: now + day, reason: 'Later' },
        ...{ reviewedBy: 'ada', reviewedAt: ago(1) },
      },
    });
    expect(withoutSnoozed(reasonsOf(snoozed, terms()), snoozed, terms())).toEqual([]);
  });
});

describe('the reason markedStale', () => {
  test('contains who marked it and when', () => {
    expect(only({ stale: true, marked: { by: 'ada', at: ago(3) } })).toEqual({
      reason: 'markedStale',
      since: ago(3),
      detail: 'Marked as stale by ada on 2026-06-12',
      evidence: { markedBy: 'ada' },
    });
  });

  test('says that the log no longer shows who and when', () => {
    expect(only({ stale: true })).toEqual({
      reason: 'markedStale',
      detail: 'Marked as stale (date and author no longer in the event log)',
      evidence: {},
    });
  });

  test('does not apply to an archived feature', () => {
    expect(namesOf({ stale: true, archivedAt: ago(1), seen: [] })).toEqual([]);
  });
});

describe('the reason lifetimeOver', () => {
  test.each<[string, Partial<Facts>, boolean]>([
    ['a millisecond before', { createdAt: ago(40) + 1 }, false],
    ['at the instant', { createdAt: ago(40) }, true],
    ['long after', { createdAt: ago(4_000) }, true],
    ['of a type without a lifetime', { createdAt: ago(4_000), lifetimeDays: null }, false],
    ['stale as well', { createdAt: ago(40), stale: true }, true],
    ['archived', { createdAt: ago(400), archivedAt: ago(1), seen: [] }, false],
  ])('applies (%s): $2', (_when, fields, holds) => {
    expect(namesOf(fields).includes('lifetimeOver')).toBe(holds);
  });

  test('contains type, lifetime and date', () => {
    expect(only({ createdAt: ago(50) })).toEqual({
      reason: 'lifetimeOver',
      since: ago(10),
      detail:
        'Created 2026-04-26; expected lifetime of release features (40 days) ended 2026-06-05',
      evidence: { type: 'release', lifetimeDays: 40, createdAt: ago(50) },
    });
  });
});

describe('the reason notSeen', () => {
  const old = { createdAt: ago(39) };

  test.each<[string, Partial<Facts>, Partial<Terms>, boolean]>([
    ['a millisecond before', { ...old, seen: [seenAt(ago(30) + 1)] }, {}, false],
    ['at the instant', { ...old, seen: [seenAt(ago(30))] }, {}, true],
    ['never, and a millisecond too young', { createdAt: ago(30) + 1, seen: [] }, {}, false],
    ['never, and just old enough', { createdAt: ago(30), seen: [] }, {}, true],
    [
      'in one of two environments',
      { ...old, seen: [seenAt(ago(35), 'development'), seenAt(ago(2))] },
      {},
      false,
    ],
    ['after other days', { ...old, seen: [seenAt(ago(7))] }, { notSeenDays: 7 }, true],
    ['archived', { createdAt: ago(100), archivedAt: ago(90), seen: [] }, {}, false],
  ])('applies (%s): $3', (_when, fields, more, holds) => {
    expect(namesOf(fields, more).includes('notSeen')).toBe(holds);
  });

  test('contains when each environment was last seen', () => {
    const seen = [seenAt(ago(38), 'development'), seenAt(ago(35))];
    expect(only({ ...old, seen })).toEqual({
      reason: 'notSeen',
      since: ago(35),
      detail: 'Last evaluated 2026-05-11',
      evidence: {
        environments: [
          { environment: 'development', lastSeenAt: ago(38) },
          { environment: 'production', lastSeenAt: ago(35) },
        ],
      },
    });
  });

  test('says that no SDK ever requested it, with its creation date', () => {
    expect(only({ ...old, seen: [] })).toEqual({
      reason: 'notSeen',
      since: ago(39),
      detail: 'Created 2026-05-07; never evaluated',
      evidence: { createdAt: ago(39), environments: [] },
    });
  });
});

describe('the reason fullyOn', () => {
  test.each<[string, Facts['fullyOn'], Partial<Terms>, boolean]>([
    ['nowhere', [], {}, false],
    ['a millisecond too short', [onSince(ago(30) + 1)], {}, false],
    ['just long enough', [onSince(ago(30))], {}, true],
    ['in two environments, in one too short', [onSince(ago(90)), onSince(ago(1))], {}, false],
    ['for other days', [onSince(ago(1))], { fullyOnDays: 1 }, true],
  ])('applies (%s): $3', (_when, fullyOn, more, holds) => {
    expect(namesOf({ fullyOn }, more)).toEqual(holds ? ['fullyOn'] : []);
  });

  test('does not apply to an archived feature', () => {
    expect(namesOf({ fullyOn: [onSince(ago(90))], archivedAt: ago(1), seen: [] })).toEqual([]);
  });

  test('contains the environments and since when it holds in all of them', () => {
    const fullyOn = [onSince(ago(31), null, 'eu'), onSince(ago(33), null, 'us')];
    expect(only({ fullyOn })).toEqual({
      reason: 'fullyOn',
      since: ago(31),
      detail: 'Enabled for everyone in eu, us since 2026-05-15',
      evidence: {
        environments: [
          { environment: 'eu', since: ago(31) },
          { environment: 'us', since: ago(33) },
        ],
      },
    });
  });

  test('contains the stickiness of a rollout to everyone', () => {
    const found = only({ fullyOn: [onSince(ago(31), 'companyId')] });
    expect(found?.detail).toBe(
      'Enabled for everyone with companyId in production since 2026-05-15',
    );
    expect(found?.evidence.environments).toEqual([
      { environment: 'production', since: ago(31), stickiness: 'companyId' },
    ]);
  });
});

describe('the reasons completedButCalled and archivedButCalled', () => {
  test.each<[string, number, number, boolean]>([
    ['at the very instant', ago(5), ago(5), false],
    ['a millisecond later', ago(5), ago(5) + 1, true],
    ['before', ago(5), ago(6), false],
    ['after, but 30 days ago', ago(100), ago(30), false],
    ['after, and a millisecond less than 30 days ago', ago(100), ago(30) + 1, true],
  ])('apply (%s): $3', (_when, end, last, holds) => {
    const seen = [seenAt(last)];
    const reasons = { completed: namesOf({ completedAt: end, seen }) };
    expect(reasons.completed.includes('completedButCalled')).toBe(holds);
    expect(namesOf({ archivedAt: end, seen })).toEqual(holds ? ['archivedButCalled'] : []);
  });

  test('contain when it ended and where it is still requested', () => {
    const seen = [seenAt(ago(9), 'development'), seenAt(ago(2))];
    const environments = [{ environment: 'production', lastSeenAt: ago(2) }];
    expect(only({ completedAt: ago(5), seen })).toEqual({
      reason: 'completedButCalled',
      since: ago(5),
      detail: 'Completed 2026-06-10, last evaluated 2026-06-13',
      evidence: { completedAt: ago(5), environments },
    });
    expect(only({ completedAt: ago(7), archivedAt: ago(5), seen })).toEqual({
      reason: 'archivedButCalled',
      since: ago(5),
      detail: 'Archived 2026-06-10, last evaluated 2026-06-13',
      evidence: { archivedAt: ago(5), environments },
    });
  });

  test('do not apply to a feature that was never requested', () => {
    expect(namesOf({ completedAt: ago(5), seen: [] })).toEqual([]);
    expect(namesOf({ archivedAt: ago(5), seen: [] })).toEqual([]);
  });
});

describe('the reason notInCode', () => {
  const scans = (...at: number[]) => ({ scans: at });

  test.each<[string, Partial<Facts>, Partial<Terms>, boolean]>([
    ['no scan', { inCode: false }, { scans: [] }, false],
    ['scanned before its creation', { inCode: false }, scans(ago(2)), false],
    ['scanned at its creation', { inCode: false }, scans(ago(1)), false],
    ['scanned a millisecond later', { inCode: false }, scans(ago(1) + 1), true],
    ['scanned before and after', { inCode: false }, scans(ago(9), ago(0.5)), true],
    ['found', { inCode: true }, scans(now), false],
    ['archived', { inCode: false, archivedAt: ago(0.5), seen: [] }, scans(now), false],
  ])('applies (%s): $3', (_when, fields, more, holds) => {
    expect(namesOf(fields, more)).toEqual(holds ? ['notInCode'] : []);
  });

  test('says how many repositories were searched, and that other code is not covered', () => {
    expect(only({ inCode: false }, scans(ago(0.5), ago(0)))).toEqual({
      reason: 'notInCode',
      since: now,
      detail:
        "No references in 2 scanned repositories (last scan 2026-06-15). Other code and dynamically built names aren't covered",
      evidence: { repositories: 2, lastScanAt: now },
    });
    expect(only({ inCode: false }, scans(now, ago(2)))?.detail).toMatch(
      /^No references in 1 scanned repository \(/,
    );
  });
});

describe('the reasons shown with a review', () => {
  const everything = facts({
    createdAt: ago(100),
    stale: true,
    completedAt: ago(90),
    seen: [seenAt(ago(20))],
    fullyOn: [onSince(ago(80))],
    inCode: false,
  });
  const unhidden = ['markedStale', 'completedButCalled'];
  const review = (fields: { permanent?: boolean; snoozedUntil?: number }) => ({
    permanent: false,
    snoozedUntil: null,
    reason: 'because',
    reviewedBy: 'ada',
    reviewedAt: ago(1),
    ...fields,
  });
  const left = (said: Facts['review']) => {
    const own = { ...everything, review: said };
    const reasons = reasonsOf(own, terms());
    return withoutSnoozed(reasons, own, terms()).map(({ reason }) => reason);
  };
  const all = [
    'markedStale',
    'lifetimeOver',
    'fullyOn',
    'completedButCalled',
    'notInCode',
  ] as const;

  test.each<[string, Facts['review'], readonly string[]]>([
    ['no review', null, all],
    ['permanent', review({ permanent: true }), unhidden],
    ['snoozed until a millisecond from now', review({ snoozedUntil: now + 1 }), unhidden],
    ['snoozed until now', review({ snoozedUntil: now }), all],
    ['snoozed until a day in the past', review({ snoozedUntil: ago(1) }), all],
  ])('depend on it (%s)', (_what, said, reasons) => {
    expect(left(said)).toEqual(reasons);
  });

  test('exclude notSeen, too', () => {
    const own = facts({ createdAt: ago(39), seen: [], review: review({ permanent: true }) });
    expect(withoutSnoozed(reasonsOf(own, terms()), own, terms())).toEqual([]);
  });
});

test('no reason says that a feature is safe to delete', () => {
  const fields = { createdAt: ago(100), stale: true, seen: [], fullyOn: [onSince(ago(90))] };
  const words = [
    ...reasonsOf(facts({ ...fields, inCode: false }), terms()),
    ...reasonsOf(facts({ completedAt: ago(5) }), terms()),
    ...reasonsOf(facts({ archivedAt: ago(5) }), terms()),
  ].map((reason) => detailOf(reason));
  expect(words).toHaveLength(7);
  expect(words.join(' ')).not.toMatch(/safe|delete|remove/i);
});
