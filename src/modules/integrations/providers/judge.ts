import {
  type OutgoingAnswer,
  OutgoingError,
  type OutgoingRequest,
} from '../../../platform/outgoing/outgoing.ts';
import { createMask } from '../delivery/masking.ts';
import type { Sending, Verdict } from './provider.ts';
import { readRetryAfter } from './retry-after.ts';

/** What a receiver that only says "too many requests" is given. */
const unsaidPatienceMs = 30_000;

const longestWords = 300;

/** What the status says. `name` is how people call the receiver: "Webhook", "PagerDuty". */
export const judgeAnswer = (name: string, answer: OutgoingAnswer, now: Date): Verdict => {
  const { status } = answer;
  if (status >= 200 && status < 300) {
    return { state: 'success', details: `${name} accepted the event (status code: ${status}).` };
  }
  const retryAfterMs =
    readRetryAfter(answer.headers['retry-after'], now) ??
    (status === 429 ? unsaidPatienceMs : undefined);
  return {
    state: 'failed',
    details: refusal(name, answer),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    ...(status === 410 ? { gone: true } : {}),
  };
};

const refusal = (name: string, { status, headers }: OutgoingAnswer) => {
  if (status < 300 || status >= 400) {
    return `${name} did not accept the event (status code: ${status}).`;
  }
  const { location = '' } = headers;
  const host = URL.canParse(location) ? new URL(location).host : '';
  const where = host === '' ? 'to another address' : `to ${host}`;
  return `${name} did not accept the event (status code: ${status}): it redirects ${where}, and redirects are not followed.`;
};

/** There was no answer. What is no failure of the way out is a defect, and thrown on. */
export const judgeFailure = (name: string, error: unknown): Verdict => {
  if (!(error instanceof OutgoingError)) throw error;
  return { state: 'failed', details: `The event did not reach ${name}. ${error.message}` };
};

/** How a receiver that answers with a body is understood. */
interface Understanding {
  /** Why it did not take the event after all although the status is 2xx; undefined when it did. */
  readonly objection?: (body: unknown) => string | undefined;
  /** What its body says of an error, to be quoted. */
  readonly words?: (body: unknown) => string | undefined;
  /** Never to be quoted, should the receiver repeat them. */
  readonly secrets?: readonly (string | undefined)[];
}

/** One request and what became of it, for receivers that are told with one. */
export const sendAndJudge = async (
  name: string,
  request: OutgoingRequest,
  sending: Sending,
  understanding: Understanding = {},
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
    const words = quoted(understanding.words?.(body), understanding.secrets);
    return words === '' ? verdict : { ...verdict, details: `${verdict.details} It says: ${words}` };
  }
  const objection = understanding.objection?.(body);
  if (objection === undefined) return verdict;
  return {
    state: 'failed',
    details: `${name} answered with status code ${answer.status} but did not accept the event. It says: ${quoted(objection, understanding.secrets)}`,
  };
};

/** Parts that went wrong on the way: the event was told, but not quite as it should have been. */
export const withFlaws = (verdict: Verdict, flaws: readonly (string | undefined)[]): Verdict => {
  const found = flaws.filter((flaw) => flaw !== undefined);
  if (found.length === 0) return verdict;
  return {
    ...verdict,
    state: verdict.state === 'success' ? 'successWithErrors' : verdict.state,
    details: [...found, verdict.details].join('\n'),
  };
};

/** JSON as far as it is; undefined otherwise. */
export const readJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** A receiver's own words: on one line, cut where they grow long, without secrets. */
export const quoted = (words = '', secrets: readonly (string | undefined)[] = []): string => {
  const mask = createMask(secrets.filter((secret) => secret !== undefined));
  const text = mask(words).replace(/\s+/g, ' ').trim();
  return text.length > longestWords ? `${text.slice(0, longestWords).toWellFormed()}…` : text;
};
