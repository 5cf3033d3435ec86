import { badData } from '../../../platform/errors.ts';
import { findProvider, providers } from '../providers/catalogue.ts';
import type { Parameters, Provider } from '../providers/provider.ts';
import type { IntegrationWish } from './integration-schema.ts';
import { filterOf } from './places.ts';
import type { IntegrationDraft } from './queries.ts';

/** The contract has refused names of nothing already; whoever calls past it hears the same. */
export function getProvider(name: string): Provider {
  const provider = findProvider(name);
  if (provider) return provider;
  const path = '/body/provider';
  const known = providers.map((each) => each.name).join(', ');
  throw badData([{ path, message: `${path} names no provider that there is: there are ${known}` }]);
}

/** Secrets are stored apart from the rest. */
export interface Parts {
  readonly plain: Parameters;
  readonly secrets: Parameters;
}

export function split(provider: Provider, parameters: Parameters): Parts {
  const secret = new Set(
    provider.parameters.filter(({ sensitive }) => sensitive).map(({ name }) => name),
  );
  const those = (isWanted: (name: string) => boolean): Parameters =>
    Object.fromEntries(Object.entries(parameters).filter(([name]) => isWanted(name)));
  return { plain: those((name) => !secret.has(name)), secrets: those((name) => secret.has(name)) };
}

/** A wish as it is stored; of what is ours alone, that stays which it leaves out. */
export const draftOf = (
  wish: IntegrationWish,
  { plain, secrets }: Parts,
  stays: Pick<
    IntegrationDraft,
    'tags' | 'inOrder' | 'retentionDays' | 'responsible' | 'namedAfter'
  >,
): IntegrationDraft => ({
  provider: wish.provider,
  description: wish.description ?? null,
  enabled: wish.enabled,
  parameters: plain,
  secretNames: Object.keys(secrets).sort(),
  events: [...new Set(wish.events)],
  projects: filterOf(wish.projects),
  environments: filterOf(wish.environments),
  tags: wish.tags?.map(({ type, value }) => ({ type, value })) ?? stays.tags,
  inOrder: wish.inOrder ?? stays.inOrder,
  retentionDays: wish.retentionDays ?? stays.retentionDays,
  responsible: stays.responsible,
  namedAfter: stays.namedAfter,
});
