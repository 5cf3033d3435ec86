import { beforeAll, expect, test } from 'vitest';
import { testApp } from '../../../test/support/app.ts';

type Responses = Record<string, { description: string; content?: unknown }>;

let responsesOf: (method: 'get' | 'post', path: string) => Responses;
beforeAll(async () => {
  const { ask } = await testApp();
  const { paths } = (await ask('GET /docs/openapi.json')).json();
  responsesOf = (method, path) => paths[path][method].responses;
});

test('the OpenAPI document lists 304 only for operations with an ETag', () => {
  for (const path of ['/api/client/features', '/api/client/delta', '/api/frontend']) {
    expect(responsesOf('get', path)['304']).toEqual({
      description: 'Unchanged since the ETag in If-None-Match',
    });
  }
  expect(responsesOf('get', '/api/admin/segments')).not.toHaveProperty('304');
});

test('the OpenAPI document describes 403 with the type of token for SDK endpoints, and with the permission elsewhere', () => {
  const forbidden = (method: 'get' | 'post', path: string) =>
    responsesOf(method, path)['403']?.description;
  expect(forbidden('get', '/api/client/features')).toBe(
    'NoAccessError: the endpoint requires a client or admin token',
  );
  expect(forbidden('post', '/api/client/metrics')).toBe(
    'NoAccessError: the endpoint requires a client or admin token',
  );
  expect(forbidden('post', '/api/admin/segments')).toBe(
    'NoAccessError: the permission is missing; InvalidOperationError: the operation is not allowed in the current state',
  );
});
