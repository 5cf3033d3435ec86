import type { Actor } from '../../../platform/db/database.ts';
import type { Integration } from '../contract/integration.ts';
import type { ProviderAnswer } from '../contract/provider.ts';
import { stars } from '../delivery/masking.ts';
import type { IntegrationFacts } from '../events.ts';
import { findProvider } from '../providers/catalogue.ts';
import type { Parameters, Provider } from '../providers/provider.ts';
import type { GlancedIntegration, StoredIntegration } from './queries.ts';

/** Those of its projects whose existence the actor may not know; one that is gone was no secret. */
export const hiddenProjects = (
  { sees }: Pick<Actor, 'sees'>,
  { projects, knownProjects }: Pick<StoredIntegration, 'projects' | 'knownProjects'>,
): string[] =>
  sees === 'all' ? [] : projects.filter((id) => knownProjects.includes(id) && !sees.has(id));

/** Whether an integration is about nothing but what the actor may not know. */
export const isHidden = (
  actor: Pick<Actor, 'sees'>,
  integration: Pick<StoredIntegration, 'projects' | 'knownProjects'>,
): boolean =>
  integration.projects.length > 0 &&
  hiddenProjects(actor, integration).length === integration.projects.length;

/** What the log tells of an integration. */
export const factsOf = (integration: StoredIntegration): IntegrationFacts => ({
  id: integration.id,
  provider: integration.provider,
  description: integration.description,
  enabled: integration.enabled,
  events: integration.events,
  projects: integration.projects,
  environments: integration.environments,
  tags: integration.tags,
  inOrder: integration.inOrder,
  retentionDays: integration.retentionDays,
  tellsPrivate: integration.tellsPrivate,
  paused: integration.pausedAt !== null,
  createdAt: integration.createdAt.toISOString(),
});

/** In the order of the form. What became a secret with a new version is one, however it was stored. */
function shownParameters({ provider, parameters, secretNames }: StoredIntegration): Parameters {
  const definitions = findProvider(provider)?.parameters ?? [];
  const secret = new Set([
    ...secretNames,
    ...definitions.filter(({ sensitive }) => sensitive).map(({ name }) => name),
  ]);
  const stored = new Set([...Object.keys(parameters), ...secretNames]);
  const ordered = new Set([...definitions.map(({ name }) => name), ...stored]);
  return Object.fromEntries(
    [...ordered]
      .filter((name) => stored.has(name))
      .map((name) => [name, secret.has(name) ? stars : (parameters[name] ?? '')]),
  );
}

const later = (a: Date, b: Date | null): Date => (b && b > a ? b : a);

function deliveryOf(integration: GlancedIntegration, now: Date): Integration['delivery'] {
  const { pending, oldestPendingAt, nextAt, enabled, pausedAt, givenUp, lastError } = integration;
  const heldUntil =
    integration.heldUntil && integration.heldUntil > now ? integration.heldUntil : null;
  const sends = enabled && pausedAt === null;
  return {
    pending,
    givenUp,
    ...(lastError && { lastError }),
    ...(oldestPendingAt && { oldestPendingAt: oldestPendingAt.toISOString() }),
    ...(nextAt && sends && { nextAttemptAt: later(nextAt, heldUntil).toISOString() }),
    ...(heldUntil && { heldUntil: heldUntil.toISOString() }),
  };
}

/** An integration as this actor is shown it. */
export function answerOf(
  integration: GlancedIntegration,
  actor: Pick<Actor, 'sees'>,
  now: Date,
): Integration {
  const { pausedAt, trouble, isTroubleSeen } = integration;
  const hidden = hiddenProjects(actor, integration);
  return {
    id: integration.id,
    provider: integration.provider,
    description: integration.description,
    enabled: integration.enabled,
    parameters: shownParameters(integration),
    events: integration.events,
    projects: integration.projects.filter((id) => !hidden.includes(id)),
    environments: integration.environments,
    tags: integration.tags,
    inOrder: integration.inOrder,
    retentionDays: integration.retentionDays,
    tellsPrivate: integration.tellsPrivate,
    createdAt: integration.createdAt.toISOString(),
    paused: pausedAt !== null,
    ...(pausedAt && { pausedAt: pausedAt.toISOString() }),
    ...(trouble && isTroubleSeen && { trouble }),
    delivery: deliveryOf(integration, now),
  };
}

export const providerAnswer = (provider: Provider): ProviderAnswer => ({
  name: provider.name,
  displayName: provider.displayName,
  description: provider.description,
  documentationUrl: provider.documentationUrl,
  ...(provider.howTo !== undefined && { howTo: provider.howTo }),
  ...(provider.deprecated !== undefined && { deprecated: provider.deprecated }),
  parameters: provider.parameters.map((parameter) => ({ ...parameter })),
  events: [...provider.events],
  tagTypes: (provider.tagTypes ?? []).map((type) => ({ ...type })),
});
