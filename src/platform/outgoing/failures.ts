import { OutgoingError } from './outgoing.ts';

const nameOf = (where: string) => where.replace(/:\d+$/, '');

/**
 * Why there was no response, by the system's error code. `where` is host and port, because the rest of a URL may be
 * secret.
 */
const sentences: Readonly<Record<string, (where: string) => string>> = {
  ENOTFOUND: (where) => `The name ${nameOf(where)} has no address.`,
  EAI_AGAIN: (where) =>
    `The name ${nameOf(where)} could not be resolved: no name server responded.`,
  ECONNREFUSED: (where) => `${where} refused the connection: nothing listens there.`,
  ECONNRESET: (where) => `${where} closed the connection before it responded.`,
  EPIPE: (where) => `${where} closed the connection before it responded.`,
  ETIMEDOUT: (where) => `${where} did not accept a connection in time.`,
  EHOSTUNREACH: (where) => `There is no route to ${where}.`,
  ENETUNREACH: (where) => `There is no route to ${where}.`,
  EADDRNOTAVAIL: (where) => `There is no route to ${where}.`,
  EMFILE: (where) => `No connection to ${where} could be opened: too many open files.`,

  CERT_HAS_EXPIRED: (where) => `${where} cannot be trusted: its certificate has expired.`,
  CERT_NOT_YET_VALID: (where) => `${where} cannot be trusted: its certificate is not valid yet.`,
  CERT_REVOKED: (where) => `${where} cannot be trusted: its certificate was revoked.`,
  ERR_TLS_CERT_ALTNAME_INVALID: (where) =>
    `${where} cannot be trusted: its certificate is for another name.`,

  HPE_HEADER_OVERFLOW: (where) => `${where} sent too many headers.`,
  ERR_INVALID_CHAR: (where) =>
    `Nothing was sent to ${where}: a header of the request contains a character that is not allowed.`,
  ERR_INVALID_HTTP_TOKEN: (where) =>
    `Nothing was sent to ${where}: a header of the request has a name that is not allowed.`,
};

const untrusted = (where: string) =>
  `${where} cannot be trusted: its certificate is not trusted here (self-signed, or of an unknown authority).`;

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
  if (code.startsWith('HPE_')) return `${where} did not respond with HTTP.`;
  if (code === 'EPROTO' || code.startsWith('ERR_SSL_')) {
    return /wrong.version.number|packet.length.too.long|http.request/i.test(`${code} ${message}`)
      ? `${where} does not support TLS. Check whether the URL should begin with http://.`
      : `The TLS handshake with ${where} failed.`;
  }
  return `The request to ${where} failed${code === '' ? '' : ` (${code})`}.`;
};

/** Converts any error into the only error that leaves this folder, with a message for people. */
export const describeFailure = (error: unknown, where: string): OutgoingError => {
  if (error instanceof OutgoingError) return error;
  const { code, message } = error as NodeJS.ErrnoException;
  const text = typeof code === 'string' ? code : undefined;
  return new OutgoingError('network', sentenceOf(text ?? '', message ?? '', where), text);
};

export const timedOut = (where: string, timeoutMs: number): OutgoingError =>
  new OutgoingError(
    'timeout',
    `${where} did not respond within ${timeoutMs < 1000 ? `${timeoutMs} ms` : `${timeoutMs / 1000} s`}.`,
  );

export const interrupted = (where: string): OutgoingError =>
  new OutgoingError('network', `The request to ${where} was interrupted.`, 'ABORT_ERR');
