import { describe, expect, test, vi } from 'vitest';
import type { VerifiedCredential } from './credentials.ts';
import { createLastVerified } from './last-verified.ts';

/** An API token as the gate finds it. Users have no token scope. */
const token = (id: number): VerifiedCredential =>
  ({
    identity: {
      id: -id,
      tokenScope: { audience: 'client', environment: 'development', scopes: 'all' },
    },
    expiresAt: null,
    seen: [{ kind: 'api token', id }],
  }) as unknown as VerifiedCredential;
const person = { identity: { id: 7 }, expiresAt: null, seen: [{ kind: 'account', id: 7 }] };

/** Enough for a slow machine. */
const patience = { timeout: 110_000 };

/** Creates the object under test with the given database. */
function verifying(
  lookUp: (ids: readonly number[]) => Promise<ReadonlyMap<number, VerifiedCredential>>,
) {
  const asked = vi.fn(lookUp);
  const tokens = createLastVerified(asked);
  const see = (key: string, found: VerifiedCredential | undefined) =>
    tokens.note(key, found, tokens.begin());
  return { ...tokens, asked, see };
}

describe('a token that was valid when last looked up', () => {
  test('is trusted, unlike an unknown token or a user', () => {
    const { see, find } = verifying(async () => new Map());
    see('a', token(1));
    see('unknown', undefined);
    see('person', person as unknown as VerifiedCredential);
    expect([find('a'), find('unknown'), find('person')]).toEqual([token(1), undefined, undefined]);
    see('a', undefined);
    expect(find('a')).toBeUndefined();
  });

  test('is not trusted after a notification until one query has looked up all tokens', async () => {
    const { see, find, doubt, asked } = verifying(async () => new Map([[1, token(1)]]));
    see('a', token(1));
    see('revoked', token(2));
    doubt();
    expect(find('a')).toBeUndefined();
    await vi.waitFor(() => expect(find('a')).toEqual(token(1)), patience);
    expect(find('revoked')).toBeUndefined();
    expect(asked.mock.calls).toEqual([[[1, 2]]]);
  });

  test('stays untrusted if the lookup fails', async () => {
    const { see, find, doubt, asked } = verifying(() => Promise.reject(new Error('away')));
    see('a', token(1));
    doubt();
    await vi.waitFor(() => expect(asked).toHaveBeenCalled(), patience);
    expect(find('a')).toBeUndefined();
    see('a', token(1));
    expect(find('a')).toEqual(token(1));
  });

  test('stays trusted after a reconnection until a lookup succeeds', async () => {
    const away = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
    const { see, find, verify, asked } = verifying(async () => new Map([[1, token(1)]]));
    asked.mockRejectedValueOnce(away);
    see('a', token(1));
    see('revoked', token(2));
    verify();
    // The database was back for a moment only.
    await vi.waitFor(() => expect(asked.mock.settledResults[0]?.type).toBe('rejected'), patience);
    expect([find('a'), find('revoked')]).toEqual([token(1), token(2)]);
    // It is tried again without another reconnection.
    await vi.waitFor(() => expect(find('revoked')).toBeUndefined(), patience);
    expect(find('a')).toEqual(token(1));
  });

  test('is not trusted after a notification, even if a reconnection follows', async () => {
    const { see, find, doubt, verify, asked } = verifying(() => Promise.reject(new Error('away')));
    see('a', token(1));
    doubt();
    verify();
    await vi.waitFor(() => expect(asked).toHaveBeenCalled(), patience);
    expect(find('a')).toBeUndefined();
  });

  test('is not trusted based on a lookup that began before the notification', () => {
    const { begin, note, find, doubt } = verifying(async () => new Map());
    const begun = begin();
    doubt();
    note('a', token(1), begun);
    expect(find('a')).toBeUndefined();
  });

  test('is trusted for two days, so that it survives the first day of an outage', () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    try {
      const { see, find } = verifying(async () => new Map());
      see('a', token(1));
      vi.advanceTimersByTime(48 * 3_600_000);
      expect(find('a')).toEqual(token(1));
      vi.advanceTimersByTime(1);
      expect(find('a')).toBeUndefined();
    } finally {
      vi.useRealTimers();
    }
  });

  test('is dropped once 10,000 others were verified more recently', () => {
    const { see, find } = verifying(async () => new Map());
    for (let id = 1; id <= 10_001; id += 1) see(`token-${id}`, token(id));
    expect([find('token-1'), find('token-2')]).toEqual([undefined, token(2)]);
  });
});
