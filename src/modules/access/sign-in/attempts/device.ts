import type { FastifyReply, FastifyRequest } from 'fastify';
import { basePathOf } from '../../../../platform/http/base-path.ts';
import { cookieOf, isSecure, setCookie } from '../../../../platform/http/cookies.ts';

const deviceCookie = 'burgee-device';
const keptForSeconds = 400 * 24 * 3600;

/** As `newSecret` makes them: nothing else is kept for somebody who brings it. */
const looksLikeOurs = /^[0-9a-f]{56}$/;

/**
 * What a browser was given when somebody signed in with it. It proves nothing about who sits there:
 * it only keeps the guesses of others apart from those that are made in this browser.
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
    maxAge: keptForSeconds,
  });
