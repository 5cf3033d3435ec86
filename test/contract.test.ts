import { describe, expect, expectTypeOf, test } from 'vitest';
import { modules } from '../src/app/modules.ts';
import { type Api, contract } from '../src/contract.ts';
import type { Endpoint } from '../src/platform/contract/endpoint.ts';
import type { Module } from '../src/platform/module.ts';

const nameOf = ({ method, path }: Endpoint) => `${method} ${path}`;

describe('the contract', () => {
  test('has every endpoint of the modules exactly once', () => {
    const served = (modules as readonly Module[])
      .flatMap((module) => Object.values(module.contract))
      .map(nameOf);
    const gathered = Object.values(contract)
      .flatMap((endpoints): Endpoint[] => Object.values(endpoints))
      .map(nameOf);
    expect(new Set(served).size).toBe(served.length);
    expect(gathered.sort()).toEqual(served.sort());
  });

  test('provides the types of requests and responses to the UI', () => {
    type CreateFeature = Api['POST /api/admin/projects/:projectId/features'];
    expectTypeOf<CreateFeature['params']['projectId']>().toEqualTypeOf<string>();
    // Properties with a default may be omitted.
    expectTypeOf<{ name: string }>().toExtend<CreateFeature['body']>();
    expectTypeOf<{ name: string; stale: 'yes' }>().not.toExtend<CreateFeature['body']>();
    expectTypeOf<{ stale: boolean }>().not.toExtend<CreateFeature['body']>();
    expectTypeOf<CreateFeature['response']['name']>().toEqualTypeOf<string>();
    expectTypeOf<CreateFeature['response']['stale']>().toEqualTypeOf<boolean>();
    type SearchEvents = Api['GET /api/admin/search/events'];
    expectTypeOf<{ query: string }>().toExtend<SearchEvents['query']>();
    expectTypeOf<SearchEvents['response']['total']>().toEqualTypeOf<number>();
    // @ts-expect-error: there is no such operation
    expectTypeOf<Api['GET /api/admin/nothing']>().toBeAny();
  });
});
