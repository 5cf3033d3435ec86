import type pg from 'pg';
import { describe, expect, test } from 'vitest';
import { sharesSessions } from './connect.ts';
import { sessionConfig, sessionStatement } from './session.ts';

/** Two connections whose statements run on the given backends. */
function connections(backendFor: (client: number) => number) {
  const clientWith = (number: number) =>
    ({ query: async () => ({ rows: [{ pid: backendFor(number) }] }) }) as unknown as pg.Client;
  return [clientWith(1), clientWith(2)] as const;
}

/** A pool of backends; each statement gets any free one. */
function pooled(backends: readonly number[], order: 'last first' | 'by turns') {
  let turn = 0;
  return connections(() => {
    turn += 1;
    return backends.at(order === 'by turns' ? turn % backends.length : -1) as number;
  });
}

describe('detection of shared sessions', () => {
  test('finds none on a server, or behind a pooler that gives each connection its own session', async () => {
    expect(await sharesSessions(...connections((client) => client))).toBe(false);
  });

  test.each([
    [[7], 'last first'],
    [[7, 8, 9], 'last first'],
    [[7, 8], 'by turns'],
    [[7, 8, 9, 10, 11], 'by turns'],
  ] as const)(
    'finds them behind a pooler with the backends %j used %s',
    async (backends, order) => {
      expect(await sharesSessions(...pooled(backends, order))).toBe(true);
    },
  );
});

test('settings are connection options, or a statement if a pooler drops options', () => {
  const connection = { connectionString: 'postgres://me@db/own', schema: 'own' };
  const settings = { statement_timeout: '20s' };
  const { options } = sessionConfig(connection, settings);
  expect(options).toMatch(/^-c TimeZone=UTC -c DateStyle=ISO /);
  expect(options).toContain(' -c gin_fuzzy_search_limit=0 ');
  expect(options).toContain(' -c default_transaction_isolation=read\\ committed ');
  expect(options).toMatch(/ -c search_path=own,pg_temp -c statement_timeout=20s$/);
  expect(sessionStatement(connection, settings)).toBeUndefined();
  const pooledOnes = { ...connection, settingsByStatement: true } as const;
  expect(sessionConfig(pooledOnes, settings)).not.toHaveProperty('options');
  expect(sessionStatement(pooledOnes, settings)).toContain(
    "pg_catalog.set_config('search_path', 'own,pg_temp', false)",
  );
});

test('sslmode=require becomes verify-full, which is what the driver does, to avoid its warning', () => {
  const url = (query: string) =>
    sessionConfig({ connectionString: `postgres://me@db/own?${query}` }).connectionString;
  expect(url('sslmode=require')).toBe('postgres://me@db/own?sslmode=verify-full');
  expect(url('sslmode=disable')).toBe('postgres://me@db/own?sslmode=disable');
  expect(url('uselibpqcompat=true&sslmode=require')).toContain('sslmode=require');
});
