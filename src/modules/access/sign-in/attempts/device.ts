import type { FastifyReply, FastifyRequest } from 'fastify';
import { basePathOf } from '../../../../platform/http/base-path.ts';
import { cookieOf, isSecure, setCookie } from '../../../../platform/http/cookies.ts';

const deviceCookie = 'burgee-device';
const lifetimeSeconds = 400 * 24 * 3600;

/** The format of `newSecret`. Nothing else is accepted as a device. */
const looksLikeOurs = /^[0-9a-f]{56}$/;

/**
 * The cookie of a browser in which someone has signed in. It proves no identity. It only separates the guesses in this
 * browser from those elsewhere.
 */
export function deviceOf(request: FastifyRequest): string | undefined {
  const device = cookieOf(request, deviceCookie);
  return device !== undefined && looksLikeOurs.test(device) ? device : undefined;
}

export const sendDeviceCookie = (reply: FastifyReply, device: string, baseUrl: string) =>
  setCookie(reply, deviceCookie, device, {
    httpOnly: true,
    sameSite: 'lax',
    path: `${basePathOf(baseUrl)}/`,
    secure: isSecure(reply.request, baseUrl),
    maxAge: lifetimeSeconds,
  });
