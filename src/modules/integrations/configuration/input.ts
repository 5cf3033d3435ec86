import { badData } from '../../../platform/errors.ts';
import { findProvider, providers } from '../providers/catalogue.ts';
import type { Parameters, Provider } from '../providers/provider.ts';
import { toFilter } from './filters.ts';
import type { IntegrationInput } from './integration-schema.ts';
import type { IntegrationConfiguration } from './queries.ts';

/** The contract already refuses unknown providers. This gives other callers the same error. */
export function getProvider(name: string): Provider {
  const provider = findProvider(name);
  if (provider) return provider;
  const path = '/body/provider';
  const names = providers.map((each) => each.name).join(', ');
  throw badData([{ path, message: `${path} is not a provider; providers are ${names}` }]);
}

/** Secrets are stored separately. */
export interface SplitParameters {
  readonly plain: Parameters;
  readonly secrets: Parameters;
}

export function splitParameters(provider: Provider, parameters: Parameters): SplitParameters {
  const secret = new Set(
    provider.parameters.filter(({ sensitive }) => sensitive).map(({ name }) => name),
  );
  const those = (isWanted: (name: string) => boolean): Parameters =>
    Object.fromEntries(Object.entries(parameters).filter(([name]) => isWanted(name)));
  return { plain: those((name) => !secret.has(name)), secrets: those((name) => secret.has(name)) };
}

/** A request as it is stored. Fields that Unleash does not have keep their value if the request omits them. */
export const toConfiguration = (
  input: IntegrationInput,
  { plain, secrets }: SplitParameters,
  current: Pick<
    IntegrationConfiguration,
    'tags' | 'inOrder' | 'retentionDays' | 'responsible' | 'namedAfter'
  >,
): IntegrationConfiguration => ({
  provider: input.provider,
  description: input.description ?? null,
  enabled: input.enabled,
  parameters: plain,
  secretNames: Object.keys(secrets).sort(),
  events: [...new Set(input.events)],
  projects: toFilter(input.projects),
  environments: toFilter(input.environments),
  tags: input.tags?.map(({ type, value }) => ({ type, value })) ?? current.tags,
  inOrder: input.inOrder ?? current.inOrder,
  retentionDays: input.retentionDays ?? current.retentionDays,
  responsible: current.responsible,
  namedAfter: current.namedAfter,
});
