import type { FastifyReply, FastifyRequest } from 'fastify';
import { clearCookie, cookieOf, isSecure, setCookie } from '../../../platform/http/cookies.ts';
import { seal, tryUnseal } from '../../../platform/secret-box.ts';
import { basePathOf } from '../sign-in/index.ts';

/** What has to be remembered of a log-in while somebody is at the provider. */
export interface Handshake {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string | undefined;
  readonly returnTo: string;
  readonly until: number;
}

const purpose = 'oidc log-in';
const goodForMs = 600_000;

interface Place {
  readonly keys: readonly Buffer[];
  readonly baseUrl: string;
}

/**
 * Over https the prefix keeps neighbours under the same domain from planting a log-in of their own; it
 * asks for the path /.
 */
const nameOf = (request: FastifyRequest, { baseUrl }: Place) =>
  isSecure(request, baseUrl) ? '__Host-burgee-oidc' : 'burgee-oidc';

/** Sealed: whoever reads it learns nothing, whoever writes it is not believed. */
const optionsOf = (request: FastifyRequest, { baseUrl }: Place) => {
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
  place: Place,
  begun: Omit<Handshake, 'until'>,
  now: Date,
): void {
  const until = now.getTime() + goodForMs;
  const sealed = seal(place.keys, JSON.stringify({ ...begun, until }), purpose);
  setCookie(reply, nameOf(reply.request, place), sealed.toString('base64url'), {
    ...optionsOf(reply.request, place),
    maxAge: goodForMs / 1000,
  });
}

export const clearHandshake = (reply: FastifyReply, place: Place) =>
  clearCookie(reply, nameOf(reply.request, place), optionsOf(reply.request, place));

/** The log-in that this browser began a moment ago. */
export function findHandshake(
  request: FastifyRequest,
  place: Place,
  now: Date,
): Handshake | undefined {
  const sealed = Buffer.from(cookieOf(request, nameOf(request, place)) ?? '', 'base64url');
  const text = tryUnseal(place.keys, sealed, purpose);
  if (text === undefined) return undefined;
  const handshake = JSON.parse(text) as Handshake;
  const leftMs = handshake.until - now.getTime();
  return leftMs > 0 && leftMs <= goodForMs ? handshake : undefined;
}
