import type { LightMyRequestResponse } from 'fastify';
import { createPerson } from '../../src/modules/access/users/index.ts';
import type { Clock } from '../../src/platform/clock.ts';
import { type TestApp, testActor } from './app.ts';

export const goodPassword = 'blue harbour lantern';

let made = 0;

/** A user who can sign in. */
export async function newcomer(
  app: TestApp,
  account: { username?: string; email?: string; password?: string; rootRole?: number } = {},
) {
  made += 1;
  const { username = `newcomer-${made}`, password = goodPassword, rootRole = 3, email } = account;
  const person = await app.transact(testActor, (tx) =>
    createPerson(tx, { username, email, name: `Newcomer ${made}`, password, rootRole }),
  );
  return { id: person.id, username, password };
}

let addresses = 0;

/** A separate IP address, so that failed sign-ins of one test do not affect another. */
export const freshAddress = (): string => {
  addresses += 1;
  return `10.9.${addresses >> 8}.${addresses & 255}`;
};

interface From {
  readonly from?: string;
  readonly headers?: Record<string, string>;
}

export const logIn = (
  { app }: TestApp,
  payload: object,
  { from = freshAddress(), headers = {} }: From = {},
): Promise<LightMyRequestResponse> =>
  app.inject({
    method: 'POST',
    url: '/auth/simple/login',
    payload,
    remoteAddress: from,
    headers,
  });

/** Over HTTPS it has a prefix. */
const isSession = (name: string) => /^(__Host-)?burgee-session$/.test(name);

/** The session cookie that a response sets, as a browser sends it back. */
export const cookieOf = (response: LightMyRequestResponse): string => {
  const cookie = response.cookies.find(({ name }) => isSession(name));
  if (!cookie) throw new Error(`${response.statusCode} sets no session cookie: ${response.body}`);
  return `${cookie.name}=${cookie.value}`;
};

export const setsCookie = (response: LightMyRequestResponse): boolean =>
  response.cookies.some(({ name }) => isSession(name));

/** Sends a request with only a cookie. */
export const askWith = (
  { app }: TestApp,
  cookie: string,
  request: string,
  { headers = {} }: From = {},
): Promise<LightMyRequestResponse> => {
  const [method, url] = request.split(' ');
  return app.inject({ method: method as 'GET', url: url ?? '', headers: { cookie, ...headers } });
};

/** A clock that stands still until a test moves it. */
export function movableClock(start = '2026-03-02T09:00:00Z') {
  let now = Date.parse(start);
  const clock: Clock = () => new Date(now);
  return {
    clock,
    pass: (amount: { hours?: number; minutes?: number; seconds?: number }) => {
      const { hours = 0, minutes = 0, seconds = 0 } = amount;
      now += ((hours * 60 + minutes) * 60 + seconds) * 1000;
    },
  };
}
