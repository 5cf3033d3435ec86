import { describe, expect, test } from 'vitest';
import { createCredentialLookup } from './credential-lookup.ts';

/** A database that answers on demand and counts concurrent queries. */
function database() {
  const waiting: (() => void)[] = [];
  const asked: string[] = [];
  const find = (credential: string, account?: string) => () =>
    new Promise<string | undefined>((resolve) => {
      asked.push(credential);
      waiting.push(() => resolve(account));
    });
  const answerAll = async () => {
    while (waiting.length > 0) {
      for (const answer of waiting.splice(0)) answer();
      await new Promise(setImmediate);
    }
  };
  return { find, asked, waiting, answerAll };
}

describe('looking up credentials', () => {
  test('runs at most two queries at a time for unknown credentials', async () => {
    const { lookUp } = createCredentialLookup();
    const { find, waiting, answerAll } = database();
    const all = Array.from({ length: 100 }, (_, index) => lookUp(`x${index}`, find(`x${index}`)));
    await new Promise(setImmediate);
    expect(waiting).toHaveLength(2);
    await answerAll();
    expect(await Promise.all(all)).toEqual(Array(100).fill(undefined));
  });

  test('does not queue a credential that was valid last time behind unknown ones', async () => {
    const { lookUp } = createCredentialLookup();
    const { find, asked, answerAll } = database();
    const first = lookUp('good', find('good', 'somebody'));
    await new Promise(setImmediate);
    await answerAll();
    expect(await first).toBe('somebody');
    const flood = Array.from({ length: 50 }, (_, index) => lookUp(`x${index}`, find(`x${index}`)));
    const again = lookUp('good', find('good', 'somebody'));
    await new Promise(setImmediate);
    expect(asked.sort()).toEqual(['good', 'good', 'x0', 'x1']);
    await answerAll();
    expect(await again).toBe('somebody');
    await Promise.all(flood);
  });

  test('does not queue a credential noted as valid behind unknown ones', async () => {
    const { lookUp, noteValid } = createCredentialLookup();
    const { find, asked, answerAll } = database();
    noteValid('good');
    const flood = Array.from({ length: 50 }, (_, index) => lookUp(`x${index}`, find(`x${index}`)));
    const first = lookUp('good', find('good', 'somebody'));
    await new Promise(setImmediate);
    expect(asked.sort()).toEqual(['good', 'x0', 'x1']);
    await answerAll();
    expect(await first).toBe('somebody');
    await Promise.all(flood);
  });

  test('returns 503 once 500 lookups are waiting', async () => {
    const { lookUp } = createCredentialLookup();
    const { find, answerAll } = database();
    const all = Array.from({ length: 510 }, (_, index) => lookUp(`x${index}`, find(`x${index}`)));
    const outcomes = Promise.allSettled(all);
    await new Promise(setImmediate);
    await answerAll();
    const refused = (await outcomes).filter(({ status }) => status === 'rejected');
    expect(refused).toHaveLength(8);
    expect(refused[0]).toMatchObject({ reason: { status: 503, retryAfterSeconds: 5 } });
  });

  test('looks up a previously unknown credential again', async () => {
    const { lookUp } = createCredentialLookup();
    expect(await lookUp('new', async () => undefined)).toBeUndefined();
    expect(await lookUp('new', async () => 'created meanwhile')).toBe('created meanwhile');
  });

  test('frees the slot of a lookup that failed', async () => {
    const { lookUp } = createCredentialLookup();
    const failing = async () => {
      throw new Error('no database');
    };
    for (let tries = 0; tries < 5; tries += 1) {
      await expect(lookUp('any', failing)).rejects.toThrow('no database');
    }
    expect(await lookUp('any', async () => 'somebody')).toBe('somebody');
  });
});
