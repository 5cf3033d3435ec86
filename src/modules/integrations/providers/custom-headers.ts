import { readJson } from './judge.ts';
import type { Fault, ParameterDefinition } from './provider.ts';

/** The same field for every provider with custom headers. */
export const customHeadersParameter: ParameterDefinition = {
  name: 'customHeaders',
  displayName: 'Custom headers',
  description: 'Additional request headers: a JSON object with a string for each header.',
  placeholder: '{"X-Team": "blue"}',
  type: 'textfield',
  required: false,
  sensitive: true,
};

interface CustomHeaders {
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Why the configured headers cannot be used. */
  readonly problem?: string;
}

const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const printable = /^[\x20-\x7e]*$/;
const maxLength = 10_000;
/** Each value is searched for in every response. */
const maxHeaders = 50;

/** Headers of the transport, and those that Burgee sets. */
const reserved = new Set([
  'host',
  'content-length',
  'transfer-encoding',
  'connection',
  'keep-alive',
  'upgrade',
  'te',
  'trailer',
  'expect',
]);

const isReserved = (name: string) => reserved.has(name) || name.startsWith('webhook-');

/** Whether a text is a valid header value. */
export const isHeaderValue = (value: string): boolean => printable.test(value);

export const customHeaderFaults = (text: string | undefined): Fault[] => {
  const problem = findProblem(text) ?? tooMany(text);
  return problem === undefined ? [] : [{ parameter: 'customHeaders', message: problem }];
};

/** Parses the parameter `customHeaders`. If it is invalid, the event is sent without the headers. */
export const readCustomHeaders = (text: string | undefined): CustomHeaders => {
  const problem = findProblem(text);
  if (problem !== undefined) {
    return {
      headers: {},
      problem: `Invalid custom headers omitted: ${problem}`,
    };
  }
  return { headers: Object.fromEntries(entriesOf(text) ?? []) as Record<string, string> };
};

/** Checked only when headers are configured: stored ones stay. */
const tooMany = (text: string | undefined): string | undefined =>
  (entriesOf(text)?.length ?? 0) > maxHeaders
    ? `At most ${maxHeaders} headers are allowed.`
    : undefined;

const isUnset = (text: string | undefined): text is '' | undefined => !text?.trim();

/** Undefined: the text is no JSON object. */
const entriesOf = (text: string | undefined): [string, unknown][] | undefined => {
  const value = isUnset(text) ? {} : readJson(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return Object.entries(value).map(([name, content]) => [name.toLowerCase(), content]);
};

const findProblem = (text: string | undefined): string | undefined => {
  if ((text?.length ?? 0) > maxLength) return `At most ${maxLength} characters are allowed.`;
  const entries = entriesOf(text);
  if (entries === undefined) {
    return 'The value must be a JSON object with a string for each header, such as {"X-Team": "blue"}.';
  }
  const seen = new Set<string>();
  for (const [name, value] of entries) {
    if (!token.test(name)) return `${JSON.stringify(name)} is not a valid header name.`;
    if (isReserved(name)) return `Burgee sets the header "${name}" itself.`;
    if (seen.has(name)) return `The header "${name}" occurs twice.`;
    if (typeof value !== 'string') return `The value of the header "${name}" must be a string.`;
    if (!isHeaderValue(value)) {
      return `The value of the header "${name}" must contain only printable ASCII characters.`;
    }
    seen.add(name);
  }
  return undefined;
};
