import { expect, test } from 'vitest';
import type { KnownToken } from '../hub/tokens.ts';
import { mergeStates, mergeStored } from './merge-states.ts';
import type { EdgeState, StoredSource } from './state.ts';

const token = (hash: string, projects: KnownToken['projects'] = [hash]): KnownToken => ({
  ...{ hash, projects, environment: 'production', audience: 'client', isValidated: true },
});

const source = (hash: string, confirmedAt: number, projects?: 'all'): StoredSource => ({
  ...{ token: hash, environment: 'production', projects: projects ?? [hash], confirmedAt },
  content: { features: new Map(), segments: new Map(), revision: 1 },
});

interface Knows {
  readonly tokens: readonly KnownToken[];
  readonly sources: readonly StoredSource[];
  readonly only?: readonly string[];
  readonly revoked?: readonly string[];
  readonly current?: readonly string[];
}

const merged = (own: Knows, stored: Knows) => {
  const { tokens, sources } = mergeStates(
    {
      ...{ revision: 1, tokens: own.tokens, refused: own.revoked ?? [], sources: own.sources },
      validated: new Set(own.only ?? own.tokens.map(({ hash }) => hash)),
      revoked: new Set(own.revoked),
      current: new Set(own.current),
    },
    { revision: 1, tokens: stored.tokens, refused: [], sources: stored.sources },
  );
  return {
    tokens: tokens.map(({ hash }) => hash),
    sources: sources.map((each) => `${each.token} ${each.confirmedAt}`),
  };
};

test('merging keeps tokens and contents of other edges', () => {
  const own = { tokens: [token('a')], sources: [source('a', 10)] };
  const stored = { tokens: [token('b')], sources: [source('b', 9)] };
  expect(merged(own, stored)).toEqual({ tokens: ['a', 'b'], sources: ['a 10', 'b 9'] });
});

test('merging removes a token that the upstream revoked, with its content', () => {
  const own = { tokens: [token('a')], sources: [source('a', 10)], revoked: ['b'] };
  const stored = {
    tokens: [token('a'), token('b')],
    sources: [source('a', 8), source('b', 9)],
  };
  expect(merged(own, stored)).toEqual({ tokens: ['a'], sources: ['a 10'] });
});

test('merging does not restore a token of the last state that another edge removed meanwhile', () => {
  const own = { tokens: [token('a'), token('b')], sources: [source('b', 9)], only: ['a'] };
  expect(merged(own, { tokens: [], sources: [] })).toEqual({ tokens: ['a'], sources: [] });
});

test.each([
  ['of an edge without its upstream does not replace a fresher one', [], ['a 11']],
  ['that is current replaces one from an edge whose clock is fast', ['a'], ['a 10']],
])('the content %s', (_, current, sources) => {
  const own = { tokens: [token('a')], sources: [source('a', 10)], current };
  expect(merged(own, { tokens: [token('a')], sources: [source('a', 11)] }).sources).toEqual(
    sources,
  );
});

test('merging removes contents that no token needs, and lists the freshest first', () => {
  const own = { tokens: [token('all', 'all')], sources: [source('all', 10, 'all')] };
  const stored = {
    tokens: [token('b'), token('c')],
    sources: [source('b', 9), source('c', 11)],
  };
  expect(merged(own, stored)).toEqual({
    tokens: ['all', 'b', 'c'],
    sources: ['c 11', 'all 10'],
  });
});

test('scopes are the same only if they contain the same projects', () => {
  const own = {
    tokens: [token('a', 'all')],
    sources: [source('a', 10, 'all')],
  };
  const stored = { ...source('a', 11), projects: ['all'] };
  expect(merged(own, { tokens: [], sources: [stored] }).sources).toEqual(['a 10']);
});

test('a token that was refused stays refused until it is validated again', () => {
  const own = { revision: 1, tokens: [token('a')], sources: [], refused: ['b'] };
  const stored = { revision: 1, tokens: [], sources: [], refused: ['a', 'c'] };
  const { tokens, refused } = mergeStates(
    { ...own, validated: new Set(['a']), revoked: new Set(['b']), current: new Set() },
    stored,
  );
  expect([tokens.map(({ hash }) => hash), [...refused].sort()]).toEqual([['a'], ['b', 'c']]);
});

test('the merged state of several stores has the freshest contents, and no refused token', () => {
  const folder: EdgeState = {
    ...{ revision: 1, tokens: [token('a'), token('b'), token('c')], refused: [] },
    sources: [source('a', 10), source('b', 12), source('c', 9)],
  };
  const redis: EdgeState = {
    ...{ revision: 7, tokens: [token('a'), token('b'), token('d')], refused: ['c'] },
    sources: [source('a', 11), source('b', 8), source('d', 5)],
  };
  for (const states of [
    [folder, redis],
    [redis, folder],
  ]) {
    const { revision, tokens, sources } = mergeStored(states) as EdgeState;
    expect(revision).toBe(7);
    expect(tokens.map(({ hash }) => hash).sort()).toEqual(['a', 'b', 'd']);
    expect(sources.map((each) => `${each.token} ${each.confirmedAt}`)).toEqual([
      'b 12',
      'a 11',
      'd 5',
    ]);
  }
  expect(mergeStored([])).toBeUndefined();
});
