import { stars } from '../configuration/integration-schema.ts';

/** A URL without credentials, query values and fragment, for display. */
export const maskedUrl = (address: string): string => {
  if (!URL.canParse(address)) return stars;
  const url = new URL(address);
  return `${maskedOrigin(url)}${url.pathname}${maskedQuery(url)}`;
};

/** The same for receivers whose path is the secret. */
export const maskedPath = (address: string): string =>
  URL.canParse(address) ? `${maskedOrigin(new URL(address))}/${stars}` : stars;

const maskedOrigin = (url: URL) => `${url.protocol}//${maskedUser(url)}${url.host}`;

/** A user name without a password is usually a token. */
const maskedUser = (url: URL) => {
  if (url.password !== '') return `${url.username}:${stars}@`;
  return url.username === '' ? '' : `${stars}@`;
};

/** A query part without a value may be the secret itself. */
const maskedQuery = (url: URL) => {
  if (url.search === '') return '';
  const parts = url.search.slice(1).split('&');
  const masked = parts.map((part) => {
    const end = part.indexOf('=');
    return end === -1 ? stars : `${part.slice(0, end)}=${stars}`;
  });
  return `?${masked.join('&')}`;
};
