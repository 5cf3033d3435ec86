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
    expect(why()).toBe('Waiting for the first attempt');
    expect(why({ isBeingSent: true }, { paused: true })).toBe('Being sent now');
  });

  test('mentions that the integration is disabled or paused', () => {
    expect(why({ tries: 2, last: failed }, { enabled: false, paused: true })).toBe(
      'The integration is disabled',
    );
    expect(why({}, { paused: true })).toBe('The integration is paused');
  });

  test('mentions that the receiver asked to wait', () => {
    const heldUntil = new Date('2026-03-01T12:00:30.000Z');
    expect(why({}, { heldUntil })).toBe(
      'The receiver asked to wait until 2026-03-01T12:00:30.000Z',
    );
    expect(why({}, { heldUntil: now })).toBe('Waiting for the first attempt');
  });

  test('mentions an older event if the integration delivers in order', () => {
    const ordered = 'Waiting for an older event, because this integration delivers in order';
    expect(why({}, { inOrder: true }, 9)).toBe(ordered);
    expect(why({}, { inOrder: true }, 10)).toBe('Waiting for the first attempt');
    expect(why({}, {}, 9)).toBe('Waiting for the first attempt');
  });

  test('mentions the last failure by its status, error or message', () => {
    const again = { tries: 2, outcome: 'failed' } as const;
    expect(why({ ...again, last: failed })).toBe(
      'Waiting for attempt 3 of 8: the last one failed with status 500',
    );
    expect(why({ ...again, last: { state: 'failed', error: 'No answer within 15 s.' } })).toBe(
      'Waiting for attempt 3 of 8: the last one failed: No answer within 15 s',
    );
    // Some receivers reject with status 200.
    expect(
      why({ ...again, last: { state: 'failed', status: 200 }, stateDetails: 'No channel.\nNone.' }),
    ).toBe('Waiting for attempt 3 of 8: the last one failed: No channel. None');
  });

  test('mentions an interrupted attempt or a requested redelivery', () => {
    expect(why({ last: { state: 'interrupted' } })).toBe(
      'Waiting for a retry, because the server ended during the last attempt',
    );
    expect(why({ last: failed, outcome: 'failed' })).toBe('Waiting for the requested redelivery');
  });

  test('covers completed deliveries', () => {
    const done = { state: 'delivered', tries: 1 } as const;
    expect(why({ ...done, outcome: 'success' }, { enabled: false })).toBe('Delivered');
    expect(why({ ...done, outcome: 'successWithErrors', stateDetails: 'One of two.' })).toBe(
      'Delivered, but partly failed: One of two',
    );
    const over = { state: 'givenUp', outcome: 'failed', stateDetails: 'Status 500.' } as const;
    expect(why({ ...over, tries: 8 })).toBe('Given up after 8 attempts: Status 500');
    expect(why({ ...over, tries: 1 })).toBe('Given up after 1 attempt: Status 500');
    expect(why(over)).toBe('Given up: Status 500');
  });
});
