import type { Fault } from '../../../platform/errors.ts';
import type { ParameterDefinition, Parameters, Provider } from '../providers/provider.ts';
import { stars } from './integration-schema.ts';

/** Parameters as sent in a request. */
export type SentParameters = Readonly<Record<string, string | number | boolean>>;

const maxLength = 10_000;
const maxUrlLength = 2_000;

const pointer = (key: string) => key.replaceAll('~', '~0').replaceAll('/', '~1');

/** Where a request has a parameter. */
export const pathOf = (name: string) => `/body/parameters/${pointer(name.slice(0, 100))}`;

/** A fault of a parameter. Its message never repeats the value, which may be a secret. */
export const parameterFault = (name: string, words: string): Fault => {
  const path = pathOf(name);
  return { path, message: `${path} ${words}` };
};

export const isEmpty = (text: string | undefined): boolean =>
  text === undefined || text.trim() === '';

export const toTexts = (sent: SentParameters): Parameters =>
  Object.fromEntries(Object.entries(sent).map(([name, value]) => [name, String(value)]));

/** Whether the request keeps the stored secret. */
export const keepsSecret = (
  { sensitive }: ParameterDefinition,
  text: string | undefined,
): boolean => sensitive && text === stars;

const isWebAddress = (text: string): boolean =>
  text.length <= maxUrlLength &&
  /^https?:\/\//i.test(text) &&
  !/\s/.test(text) &&
  URL.canParse(text);

const holdsSecrets = (text: string): boolean => {
  const { username, password, search } = new URL(text);
  return username !== '' || password !== '' || search !== '';
};

const isNumber = (text: string): boolean => /^-?\d+(?:\.\d+)?$/.test(text);

/** The message for a value of the wrong type. */
function typeFault({ type, sensitive }: ParameterDefinition, text: string): string | undefined {
  if (text.length > maxLength) return `is longer than ${maxLength} characters`;
  if (type === 'url' && !isWebAddress(text)) {
    return `must be a URL that begins with http:// or https://, without spaces, of at most ${maxUrlLength} characters`;
  }
  // This URL is stored unencrypted and returned to readers.
  if (type === 'url' && !sensitive && holdsSecrets(text)) {
    return 'must not contain a username, password, or query, because this URL is not stored as a secret';
  }
  if (type === 'number' && !isNumber(text)) return 'must be a number';
  if (type === 'boolean' && !['true', 'false'].includes(text)) return 'must be true or false';
  return undefined;
}

/** Generated if the request has none. */
export const signingSecret = 'signingSecret';
/** Also signs, while receivers are switched to the new secret. */
export const previousSigningSecret = 'previousSigningSecret';

/** Clients of Unleash do not send these parameters, so omitting them keeps them. */
export const isKeptWhenOmitted = (name: string): boolean =>
  name === signingSecret || name === previousSigningSecret;

export const hasSigningSecret = ({ parameters }: Provider): boolean =>
  parameters.some(({ name }) => name === signingSecret);

/** Faults of parameters that are found without the stored values. */
export function parameterFaults(provider: Provider, sent: SentParameters): Fault[] {
  const nonEmpty = toTexts(sent);
  const definitions = new Map(provider.parameters.map((each) => [each.name, each]));
  const names = [...definitions.keys()].join(', ');
  const wrong = Object.entries(nonEmpty).flatMap(([name, text]): Fault[] => {
    const definition = definitions.get(name);
    if (!definition) {
      return [
        parameterFault(name, `is not a parameter of ${provider.name}, which supports ${names}`),
      ];
    }
    if (isEmpty(text) || keepsSecret(definition, text)) return [];
    const words = typeFault(definition, text);
    return words === undefined ? [] : [parameterFault(name, words)];
  });
  const missing = provider.parameters
    .filter(({ name, required }) => required && !isKeptWhenOmitted(name) && isEmpty(nonEmpty[name]))
    .map(({ name }) => parameterFault(name, `is missing: ${provider.name} requires it`));
  return [...wrong, ...missing];
}

/** Faults found by the provider, in its own words. */
export const providerFaults = (provider: Provider, parameters: Parameters): Fault[] =>
  (provider.check?.(parameters) ?? []).map(({ parameter, message }) => {
    const path = pathOf(parameter);
    return { path, message: `${path}: ${message}` };
  });

/** Without empty values. */
export const given = (parameters: Parameters): Parameters =>
  Object.fromEntries(Object.entries(parameters).filter(([, text]) => !isEmpty(text)));
