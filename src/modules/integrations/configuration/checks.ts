import type { Fault } from '../../../platform/errors.ts';
import type { Checks } from '../../../platform/http/checked.ts';
import { listSimilar } from '../../../platform/similar-words.ts';
import { findProvider, providers } from '../providers/catalogue.ts';
import type { Provider } from '../providers/provider.ts';
import type { configurationContract } from './contract.ts';
import { splitParameters } from './input.ts';
import { stars } from './integration-schema.ts';
import {
  given,
  keepsSecret,
  parameterFault,
  parameterFaults,
  pathOf,
  providerFaults,
  type SentParameters,
  toTexts,
} from './parameters.ts';

/** The fields of a body that passed its schema. */
interface CheckedRequest {
  readonly body: {
    readonly provider?: string;
    readonly parameters?: SentParameters;
    readonly events?: readonly string[];
  };
}

/** A few are enough to learn from, and each is compared with all names. */
const maxUnknown = 5;

function eventFaults(provider: Provider, events: readonly string[]): Fault[] {
  const types: ReadonlySet<string> = new Set(provider.events);
  return [...events.entries()]
    .filter(([, type]) => !types.has(type))
    .slice(0, maxUnknown)
    .map(([index, type]) => {
      const path = `/body/events/${index}`;
      const like = listSimilar(type, provider.events).join(', ');
      return {
        path,
        message: `${path} names '${type.slice(0, 60)}', which ${provider.name} does not support; similar types are ${like}`,
      };
    });
}

/** Faults that are found without reading the database. */
function faultsOf(
  { body }: CheckedRequest,
  faultsWith: (provider: Provider, parameters: SentParameters) => Fault[],
): Fault[] {
  if (body.provider === undefined) return [];
  const provider = findProvider(body.provider);
  if (!provider) {
    const path = '/body/provider';
    const names = providers.map(({ name }) => name).join(', ');
    return [{ path, message: `${path} is not a provider; providers are ${names}` }];
  }
  return [
    ...(body.parameters ? faultsWith(provider, body.parameters) : []),
    ...eventFaults(provider, body.events ?? []),
  ];
}

/** Which secrets a change keeps is known only after reading the database. */
const changeFaults = (request: CheckedRequest): Fault[] => faultsOf(request, parameterFaults);

const creationFaults = (request: CheckedRequest): Fault[] =>
  faultsOf(request, (provider, parameters) => {
    const sent = toTexts(parameters);
    const masked = provider.parameters
      .filter((definition) => keepsSecret(definition, sent[definition.name]))
      .map(({ name }) =>
        parameterFault(name, `cannot be ${stars}, because no secret is stored yet`),
      );
    const faults = [...parameterFaults(provider, parameters), ...masked];
    return faults.length > 0 ? faults : providerFaults(provider, given(sent));
  });

/** A preview checks only parameters that messages are composed from: no secrets, and nothing is missing. */
export const previewFaults = (request: CheckedRequest): Fault[] =>
  faultsOf(request, (provider, parameters) => {
    const { plain } = splitParameters(provider, given(toTexts(parameters)));
    const paths = new Set(Object.keys(plain).map(pathOf));
    const faults = parameterFaults(provider, plain).filter(({ path = '' }) => paths.has(path));
    return faults.length > 0
      ? faults
      : providerFaults(provider, plain).filter(({ path = '' }) => paths.has(path));
  });

export const checks = {
  createIntegration: creationFaults,
  updateIntegration: changeFaults,
} satisfies Checks<typeof configurationContract>;
