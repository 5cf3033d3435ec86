import { parse, type SerializeOptions, serialize } from 'cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** Parsed when somebody asks for one: hooks that do it for every request were a twentieth of what a 304 takes. */
export const cookieOf = ({ headers }: FastifyRequest, name: string): string | undefined =>
  headers.cookie === undefined ? undefined : parse(headers.cookie)[name];

/** Whether browsers reach us over https, here or in front of us. */
export const isSecure = ({ protocol }: FastifyRequest, baseUrl: string): boolean =>
  protocol === 'https' || baseUrl.startsWith('https:');

/** In the place of one that the answer has under this name. */
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
