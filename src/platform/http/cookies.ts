import { parse, type SerializeOptions, serialize } from 'cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** Returns a cookie of a request. */
export const cookieOf = ({ headers }: FastifyRequest, name: string): string | undefined =>
  headers.cookie === undefined ? undefined : parse(headers.cookie)[name];

/** Returns whether browsers reach the server over https, directly or through a proxy. */
export const isSecure = ({ protocol }: FastifyRequest, baseUrl: string): boolean =>
  protocol === 'https' || baseUrl.startsWith('https:');

/** Sets a cookie, replacing one of the same name in the response. */
export function setCookie(
  reply: FastifyReply,
  name: string,
  value: string,
  options: SerializeOptions,
): void {
  const others = [reply.getHeader('set-cookie') ?? []]
    .flat()
    .map(String)
    .filter((cookie) => !cookie.startsWith(`${name}=`));
  reply.removeHeader('set-cookie');
  reply.header('set-cookie', [...others, serialize(name, value, options)]);
}

export const clearCookie = (reply: FastifyReply, name: string, options: SerializeOptions): void =>
  setCookie(reply, name, '', { ...options, expires: new Date(0), maxAge: 0 });
