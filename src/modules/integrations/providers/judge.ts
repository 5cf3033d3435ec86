import {
  type OutgoingAnswer,
  OutgoingError,
  type OutgoingRequest,
} from '../../../platform/outgoing/outgoing.ts';
import { createMask } from '../delivery/masking.ts';
import type { Sending, Verdict } from './provider.ts';
import { readRetryAfter } from './response.ts';

/** The delay for a receiver that answers 429 without Retry-After. */
const defaultRetryAfterMs = 30_000;

const longestWords = 300;

const capitalized = (name: string): string => `${name.charAt(0).toUpperCase()}${name.slice(1)}`;

/** Judges a response by its status. `name` is the receiver in a sentence: "the webhook", "PagerDuty". */
export const judgeAnswer = (name: string, answer: OutgoingAnswer, now: Date): Verdict => {
  const { status } = answer;
  if (status >= 200 && status < 300) {
    return { state: 'success', details: `${capitalized(name)} returned ${status}.` };
  }
  const retryAfterMs =
    readRetryAfter(answer.headers['retry-after'], now) ??
    (status === 429 ? defaultRetryAfterMs : undefined);
  return {
    state: 'failed',
    details: refusal(name, answer),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    ...(status === 410 ? { gone: true } : {}),
  };
};

const refusal = (name: string, { status, headers }: OutgoingAnswer) => {
  if (status < 300 || status >= 400) {
    return `${capitalized(name)} returned ${status}.`;
  }
  const { location = '' } = headers;
  const host = URL.canParse(location) ? new URL(location).host : '';
  const where = host === '' ? 'to another URL' : `to ${host}`;
  return `${capitalized(name)} returned ${status}, a redirect ${where}. Redirects aren't followed; use the final URL.`;
};

/** Judges a request without a response. Any other error is a defect and is thrown again. */
export const judgeFailure = (name: string, error: unknown): Verdict => {
  if (!(error instanceof OutgoingError)) throw error;
  return { state: 'failed', details: `Couldn't reach ${name}. ${error.message}` };
};

/** How the response body of a receiver is read. */
interface ResponseReader {
  /** Why the receiver refused the event although the status is 2xx; undefined if it accepted it. */
  readonly objection?: (body: unknown) => string | undefined;
  /** The error message in the body, to be quoted. */
  readonly readMessage?: (body: unknown) => string | undefined;
  /** Never quoted, even if the receiver repeats them. */
  readonly secrets?: readonly (string | undefined)[];
}

/** Sends one request and judges the response, for receivers that need only one. */
export const sendAndJudge = async (
  name: string,
  request: OutgoingRequest,
  sending: Sending,
  reader: ResponseReader = {},
): Promise<Verdict> => {
  let answer: OutgoingAnswer;
  try {
    answer = await sending.send(request);
  } catch (error) {
    return judgeFailure(name, error);
  }
  const verdict = judgeAnswer(name, answer, sending.now);
  const body = readJson(answer.body);
  if (verdict.state !== 'success') {
    const words = quoted(reader.readMessage?.(body), reader.secrets);
    return words === ''
      ? verdict
      : { ...verdict, details: `${verdict.details} Response: ${words}` };
  }
  const objection = reader.objection?.(body);
  if (objection === undefined) return verdict;
  return {
    state: 'failed',
    details: `${capitalized(name)} returned ${answer.status} but rejected the event. Response: ${quoted(objection, reader.secrets)}`,
  };
};

/** Adds problems with parts of the message: the event was sent, but not exactly as configured. */
export const withFlaws = (verdict: Verdict, flaws: readonly (string | undefined)[]): Verdict => {
  const found = flaws.filter((flaw) => flaw !== undefined);
  if (found.length === 0) return verdict;
  return {
    ...verdict,
    state: verdict.state === 'success' ? 'successWithErrors' : verdict.state,
    details: [...found, verdict.details].join('\n'),
  };
};

/** Parses JSON; undefined if it is invalid. */
export const readJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** Quotes a receiver: on one line, shortened, without secrets. */
export const quoted = (words = '', secrets: readonly (string | undefined)[] = []): string => {
  const mask = createMask(secrets.filter((secret) => secret !== undefined));
  const text = mask(words).replace(/\s+/g, ' ').trim();
  return text.length > longestWords ? `${text.slice(0, longestWords).toWellFormed()}…` : text;
};
