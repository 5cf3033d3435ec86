import Fastify from 'fastify';
import { expect, test } from 'vitest';
import { clearCookie, cookieOf, setCookie } from './cookies.ts';

test('only the last value of a cookie is sent', async () => {
  const app = Fastify();
  app.get('/', (_request, reply) => {
    setCookie(reply, 'session', 'former', { path: '/' });
    setCookie(reply, 'device', 'mine', { path: '/', httpOnly: true });
    clearCookie(reply, 'session', { path: '/', sameSite: 'lax' });
    reply.send('');
  });
  const { headers } = await app.inject('/');
  expect(headers['set-cookie']).toEqual([
    'device=mine; Path=/; HttpOnly',
    'session=; Max-Age=0; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT; SameSite=Lax',
  ]);
});

test.each([
  ['session=secret', 'secret'],
  ['other=1; session=a%20b; more=2', 'a b'],
  ['other=1', undefined],
  ['session', undefined],
  ['=; ;;session=x;session=y', 'x'],
  [undefined, undefined],
])('the cookie header %j has the session %j', async (cookie, session) => {
  const app = Fastify();
  app.get('/', (request) => ({ session: cookieOf(request, 'session') }));
  const response = await app.inject({ url: '/', headers: cookie === undefined ? {} : { cookie } });
  expect(response.json()).toEqual(session === undefined ? {} : { session });
});
