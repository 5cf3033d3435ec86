import { createHmac, randomBytes } from 'node:crypto';
import type { Sending } from '../provider.ts';

const prefix = 'whsec_';
const minBytes = 24;
const maxBytes = 64;

/** The fault of a Standard Webhooks signing secret; undefined if it can be used. */
export function findSecretFault(secret: string): string | undefined {
  if (!secret.startsWith(prefix)) return `The secret must begin with ${prefix}.`;
  const encoded = secret.slice(prefix.length);
  const key = Buffer.from(encoded, 'base64');
  if (key.toString('base64') !== encoded) {
    return `The part after ${prefix} must be base64 with padding.`;
  }
  if (key.length < minBytes || key.length > maxBytes) {
    return `The part after ${prefix} must be ${minBytes} to ${maxBytes} bytes; it is ${key.length} bytes.`;
  }
  return undefined;
}

const signed = (content: string, secret: string) =>
  `v1,${createHmac('sha256', Buffer.from(secret.slice(prefix.length), 'base64'))
    .update(content)
    .digest('base64')}`;

/** Signed with each of the keys: a receiver needs to know only one of them. */
export function signatureHeaders(
  { id, now }: Pick<Sending, 'id' | 'now'>,
  body: string,
  secrets: readonly (string | undefined)[],
): Record<string, string> {
  const timestamp = Math.floor(now.getTime() / 1000);
  const keys = new Set(secrets.filter((secret) => secret !== undefined && secret !== ''));
  const signatures = [...keys].map((key) => signed(`${id}.${timestamp}.${body}`, key as string));
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    ...(signatures.length === 0 ? {} : { 'webhook-signature': signatures.join(' ') }),
  };
}

/** 192 bits, in the form of Standard Webhooks. */
export const newSigningSecret = (): string => `whsec_${randomBytes(24).toString('base64')}`;
