import type { FastifyReply, FastifyRequest } from 'fastify';
import { clearCookie, cookieOf, isSecure, setCookie } from '../../../platform/http/cookies.ts';
import { seal, tryUnseal } from '../../../platform/secret-box.ts';
import { basePathOf } from '../sign-in/index.ts';

/** The state that a browser stores during the sign-in at the provider. */
export interface Handshake {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string | undefined;
  readonly returnTo: string;
  readonly until: number;
}

const purpose = 'oidc log-in';
const validForMs = 600_000;

interface CookieScope {
  readonly keys: readonly Buffer[];
  readonly baseUrl: string;
}

/** Over https the `__Host-` prefix keeps other hosts of the domain from setting the cookie. It requires the path /. */
const nameOf = (request: FastifyRequest, { baseUrl }: CookieScope) =>
  isSecure(request, baseUrl) ? '__Host-burgee-oidc' : 'burgee-oidc';

/** The content is sealed, so that it can neither be read nor forged. */
const optionsOf = (request: FastifyRequest, { baseUrl }: CookieScope) => {
  const secure = isSecure(request, baseUrl);
  return {
    httpOnly: true,
    sameSite: 'lax' as const,
    path: secure ? '/' : `${basePathOf(baseUrl)}/auth/oidc`,
    secure,
  };
};

export function sendHandshake(
  reply: FastifyReply,
  cookieScope: CookieScope,
  login: Omit<Handshake, 'until'>,
  now: Date,
): void {
  const until = now.getTime() + validForMs;
  const sealed = seal(cookieScope.keys, JSON.stringify({ ...login, until }), purpose);
  setCookie(reply, nameOf(reply.request, cookieScope), sealed.toString('base64url'), {
    ...optionsOf(reply.request, cookieScope),
    maxAge: validForMs / 1000,
  });
}

export const clearHandshake = (reply: FastifyReply, cookieScope: CookieScope) =>
  clearCookie(reply, nameOf(reply.request, cookieScope), optionsOf(reply.request, cookieScope));

/** The log-in that this browser has started, if it has not expired. */
export function findHandshake(
  request: FastifyRequest,
  cookieScope: CookieScope,
  now: Date,
): Handshake | undefined {
  const sealed = Buffer.from(cookieOf(request, nameOf(request, cookieScope)) ?? '', 'base64url');
  const text = tryUnseal(cookieScope.keys, sealed, purpose);
  if (text === undefined) return undefined;
  const handshake = JSON.parse(text) as Handshake;
  const leftMs = handshake.until - now.getTime();
  return leftMs > 0 && leftMs <= validForMs ? handshake : undefined;
}
