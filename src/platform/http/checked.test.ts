import Fastify from 'fastify';
import { Type } from 'typebox';
import { describe, expect, expectTypeOf, test } from 'vitest';
import { endpoint } from '../contract/endpoint.ts';
import { checked } from './checked.ts';
import { route } from './route.ts';

const about = { tag: 'Test', summary: 'For a test', permission: 'public' } as const;

const contract = {
  read: endpoint({
    ...about,
    method: 'GET',
    path: '/read',
    id: 'read',
    query: Type.Object({ day: Type.Optional(Type.String()) }),
    response: Type.Object({ year: Type.Integer() }),
  }),
  plain: endpoint({ ...about, method: 'GET', path: '/plain', id: 'plain' }),
};

const endpoints = checked(contract, {
  read: ({ query: { day = '2026-01-31' } }) => ({
    year: Number(day.slice(0, 4)),
    faults: day.startsWith('0000') ? [{ path: '/query/day', message: 'there is no year 0' }] : [],
  }),
});

async function serve() {
  const app = Fastify();
  app.setErrorHandler((error, _request, reply) => reply.status(400).send(String(error)));
  route(app, endpoints.read, async ({ parsed }) => {
    expectTypeOf(parsed).toEqualTypeOf<{ year: number }>();
    return { year: parsed.year };
  });
  route(app, endpoints.plain, ({ parsed }, { reply }) => {
    expectTypeOf(parsed).toEqualTypeOf<undefined>();
    return reply.send(String(parsed));
  });
  await app.ready();
  return app;
}

describe('a check of an endpoint', () => {
  test('passes its result to the handler', async () => {
    const app = await serve();
    expect((await app.inject('/read?day=2027-05-01')).json()).toEqual({ year: 2027 });
    expect((await app.inject('/plain')).body).toBe('undefined');
  });

  test('rejects the request before the handler runs if it finds a problem', async () => {
    const app = await serve();
    expect((await app.inject('/read?day=0000-05-01')).statusCode).toBe(400);
  });

  test('does not change the contract', () => {
    expect(contract.read).not.toHaveProperty('check');
    expect(endpoints.plain).toBe(contract.plain);
  });

  test('is a compile error if the contract has no such endpoint', () => {
    // @ts-expect-error: there is no such endpoint
    expect(checked(contract, { raed: () => [] })).toEqual(contract);
  });
});
