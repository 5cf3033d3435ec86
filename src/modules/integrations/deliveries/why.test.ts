import { describe, expect, test } from 'vitest';
import type { IntegrationState } from './integration.ts';
import { explainState } from './why.ts';

const now = new Date('2026-03-01T12:00:00.000Z');

const integration: IntegrationState = {
  id: 1,
  provider: 'webhook',
  enabled: true,
  paused: false,
  inOrder: false,
  heldUntil: null,
  responsible: { kind: 'system' as const },
};

const waiting: Parameters<typeof explainState>[0] = {
  state: 'pending',
  eventId: 10,
  tries: 0,
  isBeingSent: false,
  outcome: null,
  stateDetails: '',
  last: null,
};

const why = (
  delivery: Partial<typeof waiting> = {},
  changes: Partial<IntegrationState> = {},
  oldestPending: number | null = 10,
) =>
  explainState(
    { ...waiting, ...delivery },
    { integration: { ...integration, ...changes }, oldestPending, now },
  );

const failed = { state: 'failed', status: 500 } as const;

describe('the explanation of a delivery state', () => {
  test('covers deliveries before and during the first attempt', () => {
    expect(why()).toBe('Queued');
    expect(why({ isBeingSent: true }, { paused: true })).toBe('Sending');
  });

  test('mentions that the integration is disabled or paused', () => {
    expect(why({ tries: 2, last: failed }, { enabled: false, paused: true })).toBe(
      'Integration disabled',
    );
    expect(why({}, { paused: true })).toBe('Integration paused');
  });

  test('mentions that the receiver asked to wait', () => {
    const heldUntil = new Date('2026-03-01T12:00:30.000Z');
    expect(why({}, { heldUntil })).toBe('Throttled by the endpoint');
    expect(why({}, { heldUntil: now })).toBe('Queued');
  });

  test('mentions an older event if the integration delivers in order', () => {
    const ordered = 'Waiting for an earlier event (in-order delivery)';
    expect(why({}, { inOrder: true }, 9)).toBe(ordered);
    expect(why({}, { inOrder: true }, 10)).toBe('Queued');
    expect(why({}, {}, 9)).toBe('Queued');
  });

  test('mentions the last failure by its status, error or message', () => {
    const again = { tries: 2, outcome: 'failed' } as const;
    expect(why({ ...again, last: failed })).toBe(
      'Attempt 3 of 8 scheduled. Last attempt returned 500',
    );
    expect(why({ ...again, last: { state: 'failed', error: 'No answer within 15 s.' } })).toBe(
      'Attempt 3 of 8 scheduled. Last attempt failed: No answer within 15 s',
    );
    // Some receivers reject with status 200.
    expect(
      why({ ...again, last: { state: 'failed', status: 200 }, stateDetails: 'No channel.\nNone.' }),
    ).toBe('Attempt 3 of 8 scheduled. Last attempt failed: No channel. None');
  });

  test('mentions an interrupted attempt or a requested redelivery', () => {
    expect(why({ last: { state: 'interrupted' } })).toBe(
      'Retrying: the server stopped during the last attempt',
    );
    expect(why({ last: failed, outcome: 'failed' })).toBe('Redelivery queued');
  });

  test('covers completed deliveries', () => {
    const done = { state: 'delivered', tries: 1 } as const;
    expect(why({ ...done, outcome: 'success' }, { enabled: false })).toBe('Delivered');
    expect(why({ ...done, outcome: 'successWithErrors', stateDetails: 'One of two.' })).toBe(
      'Partially delivered: One of two',
    );
    const over = { state: 'givenUp', outcome: 'failed', stateDetails: 'Status 500.' } as const;
    expect(why({ ...over, tries: 8 })).toBe('Failed after 8 attempts: Status 500');
    expect(why({ ...over, tries: 1 })).toBe('Failed after 1 attempt: Status 500');
    expect(why(over)).toBe('Failed: Status 500');
  });
});
