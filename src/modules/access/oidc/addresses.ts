import type { Fault } from '../../../platform/errors.ts';

const loopback = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Whether the provider is used without encryption. Only allowed on localhost. */
export const isPlain = (discoverUrl: string): boolean => new URL(discoverUrl).protocol === 'http:';

export function discoverUrlFaults(text: string, path: string): Fault[] {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isGood =
    url &&
    (url.protocol === 'https:' || (url.protocol === 'http:' && loopback.has(url.hostname))) &&
    url.username === '' &&
    url.password === '' &&
    url.hash === '';
  if (isGood) return [];
  // The message does not repeat the value, which may contain a password.
  return [
    {
      path,
      message: `${path} must be a provider URL that begins with https://; http:// is allowed only for localhost`,
    },
  ];
}

const domain = /^[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+$/u;

const listDomains = (text: string): string[] =>
  text
    .split(',')
    .map((item) => item.trim().toLowerCase())
    .filter((item) => item !== '');

export const emailDomainFaults = (text: string, path: string): Fault[] =>
  listDomains(text)
    .filter((item) => !domain.test(item))
    .map((item) => ({
      path,
      message: `${path} must be domains such as example.com, separated by commas; '${item.slice(0, 80)}' is not a domain`,
    }));

/** Whether the address belongs to one of the domains. Without domains all addresses do. */
export function isInDomains(email: string | undefined, domains: string | undefined): boolean {
  const allowed = listDomains(domains ?? '');
  if (allowed.length === 0) return true;
  return (
    email !== undefined && allowed.includes(email.slice(email.lastIndexOf('@') + 1).toLowerCase())
  );
}
