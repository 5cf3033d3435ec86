import { OutgoingError } from './outgoing.ts';

const nameOf = (where: string) => where.replace(/:\d+$/, '');

/**
 * Why there was no response, by the system's error code. `where` is host and port, because the rest of a URL may be
 * secret.
 */
const sentences: Readonly<Record<string, (where: string) => string>> = {
  ENOTFOUND: (where) => `Couldn't resolve ${nameOf(where)}. Check the host name in the URL.`,
  EAI_AGAIN: (where) => `Couldn't resolve ${nameOf(where)}: no DNS server responded.`,
  ECONNREFUSED: (where) => `${where} refused the connection.`,
  ECONNRESET: (where) => `${where} closed the connection without responding.`,
  EPIPE: (where) => `${where} closed the connection without responding.`,
  ETIMEDOUT: (where) => `Connecting to ${where} timed out.`,
  EHOSTUNREACH: (where) => `No route to ${where}.`,
  ENETUNREACH: (where) => `No route to ${where}.`,
  EADDRNOTAVAIL: (where) => `No route to ${where}.`,
  EMFILE: (where) => `Couldn't connect to ${where}: too many open files.`,

  CERT_HAS_EXPIRED: (where) => `The TLS certificate of ${where} has expired.`,
  CERT_NOT_YET_VALID: (where) => `The TLS certificate of ${where} isn't valid yet.`,
  CERT_REVOKED: (where) => `The TLS certificate of ${where} was revoked.`,
  ERR_TLS_CERT_ALTNAME_INVALID: (where) =>
    `The TLS certificate of ${where} is for a different host name.`,

  HPE_HEADER_OVERFLOW: (where) => `${where} sent too many headers.`,
  ERR_INVALID_CHAR: (where) =>
    `Nothing was sent to ${where}: a request header contains an invalid character.`,
  ERR_INVALID_HTTP_TOKEN: (where) =>
    `Nothing was sent to ${where}: a request header has an invalid name.`,
};

const untrusted = (where: string) =>
  `The TLS certificate of ${where} isn't trusted (self-signed or unknown authority).`;

/** OpenSSL's codes for a certificate chain without a trusted authority. */
const untrustedCodes = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'CERT_UNTRUSTED',
  'CERT_REJECTED',
  'CERT_SIGNATURE_FAILURE',
  'CERT_CHAIN_TOO_LONG',
  'INVALID_CA',
  'INVALID_PURPOSE',
  'PATH_LENGTH_EXCEEDED',
]);

const sentenceOf = (code: string, message: string, where: string): string => {
  const sentence = sentences[code];
  if (sentence) return sentence(where);
  if (untrustedCodes.has(code)) return untrusted(where);
  if (code.startsWith('HPE_')) return `${where} didn't return a valid HTTP response.`;
  if (code === 'EPROTO' || code.startsWith('ERR_SSL_')) {
    return /wrong.version.number|packet.length.too.long|http.request/i.test(`${code} ${message}`)
      ? `${where} doesn't support TLS. Should the URL start with http://?`
      : `The TLS handshake with ${where} failed.`;
  }
  return `The request to ${where} failed${code === '' ? '' : ` (${code})`}.`;
};

/** Converts any error into the only error that leaves this folder, with a readable message. */
export const describeFailure = (error: unknown, where: string): OutgoingError => {
  if (error instanceof OutgoingError) return error;
  const { code, message } = error as NodeJS.ErrnoException;
  const text = typeof code === 'string' ? code : undefined;
  return new OutgoingError('network', sentenceOf(text ?? '', message ?? '', where), text);
};

export const timedOut = (where: string, timeoutMs: number): OutgoingError =>
  new OutgoingError(
    'timeout',
    `${where} didn't respond within ${timeoutMs < 1000 ? `${timeoutMs} ms` : `${timeoutMs / 1000} s`}.`,
  );

export const interrupted = (where: string): OutgoingError =>
  new OutgoingError('network', `The request to ${where} was interrupted.`, 'ABORT_ERR');
