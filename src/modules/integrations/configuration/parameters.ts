import type { Fault } from '../../../platform/errors.ts';
import type { ParameterDefinition, Parameters, Provider } from '../providers/provider.ts';
import { stars } from './integration-schema.ts';

/** As a request sends them. */
export type SentParameters = Readonly<Record<string, string | number | boolean>>;

const maxLength = 10_000;
const maxUrlLength = 2_000;

const pointer = (key: string) => key.replaceAll('~', '~0').replaceAll('/', '~1');

const pathOf = (name: string) => `/body/parameters/${pointer(name.slice(0, 100))}`;

/** What is wrong with a parameter. Never what was sent: it may be a secret. */
export const parameterFault = (name: string, words: string): Fault => {
  const path = pathOf(name);
  return { path, message: `${path} ${words}` };
};

export const isEmpty = (text: string | undefined): boolean =>
  text === undefined || text.trim() === '';

export const texts = (sent: SentParameters): Parameters =>
  Object.fromEntries(Object.entries(sent).map(([name, value]) => [name, String(value)]));

/** Whether this asks for the stored secret to stay. */
export const isKept = ({ sensitive }: ParameterDefinition, text: string | undefined): boolean =>
  sensitive && text === stars;

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

/** The words for a text that is not of the kind that its parameter asks for. */
function wrongKind({ type, sensitive }: ParameterDefinition, text: string): string | undefined {
  if (text.length > maxLength) return `is longer than ${maxLength} characters`;
  if (type === 'url' && !isWebAddress(text)) {
    return `must be an address that begins with http:// or https://, without blanks, of at most ${maxUrlLength} characters`;
  }
  // Everybody may read it, and nobody encrypts it.
  if (type === 'url' && !sensitive && holdsSecrets(text)) {
    return 'must not hold a user name, a password or a query: this address is not kept secret';
  }
  if (type === 'number' && !isNumber(text)) return 'must be a number';
  if (type === 'boolean' && !['true', 'false'].includes(text)) return 'must be true or false';
  return undefined;
}

/** We make it ourselves where nobody sends one. */
export const signingSecret = 'signingSecret';
/** Signs beside the new one while receivers learn it. */
export const previousSigningSecret = 'previousSigningSecret';

/** Clients of the reference product know nothing of them: left out, they stay. */
export const staysWhenLeftOut = (name: string): boolean =>
  name === signingSecret || name === previousSigningSecret;

export const hasSigningSecret = ({ parameters }: Provider): boolean =>
  parameters.some(({ name }) => name === signingSecret);

/** Everything about parameters that can be told without looking at what is stored. */
export function parameterFaults(provider: Provider, sent: SentParameters): Fault[] {
  const given = texts(sent);
  const definitions = new Map(provider.parameters.map((each) => [each.name, each]));
  const known = [...definitions.keys()].join(', ');
  const wrong = Object.entries(given).flatMap(([name, text]): Fault[] => {
    const definition = definitions.get(name);
    if (!definition) {
      return [parameterFault(name, `is no parameter of ${provider.name}, which takes ${known}`)];
    }
    if (isEmpty(text) || isKept(definition, text)) return [];
    const words = wrongKind(definition, text);
    return words === undefined ? [] : [parameterFault(name, words)];
  });
  const missing = provider.parameters
    .filter(({ name, required }) => required && !staysWhenLeftOut(name) && isEmpty(given[name]))
    .map(({ name }) => parameterFault(name, `is missing: ${provider.name} needs it`));
  return [...wrong, ...missing];
}

/** What the provider itself says, in sentences of its own. */
export const providerFaults = (provider: Provider, parameters: Parameters): Fault[] =>
  (provider.check?.(parameters) ?? []).map(({ parameter, message }) => {
    const path = pathOf(parameter);
    return { path, message: `${path}: ${message}` };
  });

/** Without what is empty. */
export const given = (parameters: Parameters): Parameters =>
  Object.fromEntries(Object.entries(parameters).filter(([, text]) => !isEmpty(text)));
