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

describe('why a delivery is pending', () => {
  test('is said before its first attempt and during one', () => {
    expect(why()).toBe('Waiting for the first attempt');
    expect(why({ isBeingSent: true }, { paused: true })).toBe('Being sent now');
  });

  test('is the integration, where that is off or paused', () => {
    expect(why({ tries: 2, last: failed }, { enabled: false, paused: true })).toBe(
      'The integration is disabled',
    );
    expect(why({}, { paused: true })).toBe('The integration is paused');
  });

  test('is the receiver, while it asks for patience', () => {
    const heldUntil = new Date('2026-03-01T12:00:30.000Z');
    expect(why({}, { heldUntil })).toBe(
      'The receiver asked to wait until 2026-03-01T12:00:30.000Z',
    );
    expect(why({}, { heldUntil: now })).toBe('Waiting for the first attempt');
  });

  test('is an older event, where order matters', () => {
    const ordered = 'Waiting for an older event, because this integration delivers in order';
    expect(why({}, { inOrder: true }, 9)).toBe(ordered);
    expect(why({}, { inOrder: true }, 10)).toBe('Waiting for the first attempt');
    expect(why({}, {}, 9)).toBe('Waiting for the first attempt');
  });

  test('is the last failure, by its status, its error or its words', () => {
    const again = { tries: 2, outcome: 'failed' } as const;
    expect(why({ ...again, last: failed })).toBe(
      'Waiting for attempt 3 of 8: the last one failed with status 500',
    );
    expect(why({ ...again, last: { state: 'failed', error: 'No answer within 15 s.' } })).toBe(
      'Waiting for attempt 3 of 8: the last one failed: No answer within 15 s',
    );
    // Some receivers refuse with status 200.
    expect(
      why({ ...again, last: { state: 'failed', status: 200 }, stateDetails: 'No channel.\nNone.' }),
    ).toBe('Waiting for attempt 3 of 8: the last one failed: No channel. None');
  });

  test('is that the server ended, or that somebody asked for it', () => {
    expect(why({ last: { state: 'interrupted' } })).toBe(
      'Waiting for a retry, because the server ended during the last attempt',
    );
    expect(why({ last: failed, outcome: 'failed' })).toBe('Waiting for the requested redelivery');
  });

  test('is that it has come to an end', () => {
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
