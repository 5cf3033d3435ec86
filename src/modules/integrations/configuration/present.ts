import type { Actor } from '../../../platform/actor.ts';
import { joinAnd } from '../../../platform/joined.ts';
import type { IntegrationEventData } from '../events.ts';
import { findProvider } from '../providers/catalogue.ts';
import type { Parameters, Provider } from '../providers/provider.ts';
import type { ProviderAnswer } from '../providers/provider-schema.ts';
import type { Integration } from './integration-schema.ts';
import { stars } from './integration-schema.ts';
import type { IntegrationWithSummary, StoredIntegration } from './queries.ts';
import { type AccountVisibility, seesMore } from './responsible.ts';

type ProjectFilter = Pick<StoredIntegration, 'projects' | 'currentProjects' | 'deletedPrivate'>;

/** The projects in the filter whose existence is hidden from the actor. */
export const hiddenProjects = (
  { sees }: Pick<Actor, 'sees'>,
  { projects, currentProjects, deletedPrivate }: ProjectFilter,
): string[] =>
  sees === 'all'
    ? []
    : projects.filter((id) =>
        currentProjects.includes(id) ? !sees.has(id) : deletedPrivate.includes(id),
      );

/** Whether all projects in the filter are hidden from the actor. */
export const isHidden = (actor: Pick<Actor, 'sees'>, integration: ProjectFilter): boolean =>
  integration.projects.length > 0 &&
  hiddenProjects(actor, integration).length === integration.projects.length;

/** Projects that were deleted since the filter was set, even if another project has the id now. */
export const deletedProjects = ({
  projects,
  currentProjects,
}: Pick<StoredIntegration, 'projects' | 'currentProjects'>): string[] =>
  projects.filter((id) => !currentProjects.includes(id));

const deletedOf = (integration: StoredIntegration) => {
  const deleted = deletedProjects(integration);
  return deleted.length > 0 ? { deletedProjects: deleted } : {};
};

/** An integration as events store it. */
export const toEventData = (integration: StoredIntegration): IntegrationEventData => ({
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
  responsible: integration.responsible,
  ...deletedOf(integration),
  paused: integration.pausedAt !== null,
  createdAt: integration.createdAt.toISOString(),
});

/** In the order of the form. A parameter that became secret in a newer version is masked, however it was stored. */
function maskedParameters({ provider, parameters, secretNames }: StoredIntegration): Parameters {
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

function toDeliverySummary(
  integration: IntegrationWithSummary,
  now: Date,
): Integration['delivery'] {
  const { pending, oldestPendingAt, nextAt, enabled, pausedAt, givenUp, lastError } = integration;
  const { attempted, succeeded, lastAttemptAt } = integration;
  const heldUntil =
    integration.heldUntil && integration.heldUntil > now ? integration.heldUntil : null;
  const sends = enabled && pausedAt === null;
  return {
    pending,
    givenUp,
    ...(attempted > 0 && { successRate: succeeded / attempted }),
    ...(lastAttemptAt && { lastAttemptAt: lastAttemptAt.toISOString() }),
    ...(lastError && { lastError }),
    ...(oldestPendingAt && { oldestPendingAt: oldestPendingAt.toISOString() }),
    ...(nextAt && sends && { nextAttemptAt: later(nextAt, heldUntil).toISOString() }),
    ...(heldUntil && { heldUntil: heldUntil.toISOString() }),
  };
}

/**
 * What the integration does not send. Private projects are named only to readers who see them, since anything else
 * would reveal that they exist.
 */
function withheldOf(
  integration: StoredIntegration,
  { sees, isGone }: AccountVisibility,
  actor: Pick<Actor, 'sees'>,
): Integration['withheld'] {
  const isLimited = sees !== 'all';
  const privateProjects =
    sees === 'all' || isGone
      ? []
      : integration.currentProjects.filter(
          (id) => !sees.has(id) && (actor.sees === 'all' || actor.sees.has(id)),
        );
  const hidden = hiddenProjects(actor, integration);
  const deleted = deletedProjects(integration).filter((id) => !hidden.includes(id));
  const hasFilter = integration.projects.length > 0;
  const isPart = isLimited && (isGone || !hasFilter);
  if (!isPart && privateProjects.length + deleted.length === 0) return undefined;
  return {
    accountDeleted: isGone,
    privateProjects,
    otherPrivateProjects: isPart,
    eventsOutsideProjects: isLimited && !hasFilter,
    deletedProjects: deleted,
    sentIfSaved:
      isGone ||
      (seesMore(actor.sees, sees, integration.projects) &&
        !seesMore(sees, actor.sees, integration.projects)),
  };
}

function explainWithheld(
  { sees, isGone }: AccountVisibility,
  withheld: NonNullable<Integration['withheld']>,
): string {
  const sentences: string[] = [];
  if (isGone) {
    sentences.push(
      "The account that last saved this integration no longer exists, so events from private projects and outside projects aren't sent. Save it to send the events you can see.",
    );
  } else if (sees !== 'all') {
    sentences.push(
      'Sends events from private projects only if the account that last saved it can see them, and no events outside projects.',
    );
    const { privateProjects } = withheld;
    if (privateProjects.length > 0) {
      sentences.push(
        `That account can't see ${joinAnd(privateProjects)}, so their events aren't sent.`,
      );
    }
  }
  if (withheld.deletedProjects.length > 0) {
    sentences.push(
      `Deleted since the integration was saved: ${joinAnd(withheld.deletedProjects)}. Save it to send events from a new project with the same ID.`,
    );
  }
  return sentences.join(' ');
}

/** An integration as returned to this actor. */
export function toResponse(
  integration: IntegrationWithSummary,
  sight: AccountVisibility,
  actor: Pick<Actor, 'sees'>,
  now: Date,
): Integration {
  const { pausedAt, trouble, isTroubleVisible } = integration;
  const hidden = hiddenProjects(actor, integration);
  const withheld = withheldOf(integration, sight, actor);
  return {
    id: integration.id,
    provider: integration.provider,
    description: integration.description,
    enabled: integration.enabled,
    parameters: maskedParameters(integration),
    events: integration.events,
    projects: integration.projects.filter((id) => !hidden.includes(id)),
    environments: integration.environments,
    tags: integration.tags,
    inOrder: integration.inOrder,
    retentionDays: integration.retentionDays,
    ...(withheld && { notTold: explainWithheld(sight, withheld), withheld }),
    createdAt: integration.createdAt.toISOString(),
    paused: pausedAt !== null,
    ...(pausedAt && { pausedAt: pausedAt.toISOString() }),
    ...(trouble && isTroubleVisible && { trouble }),
    delivery: toDeliverySummary(integration, now),
  };
}

export const providerAnswer = (provider: Provider): ProviderAnswer => ({
  name: provider.name,
  displayName: provider.displayName,
  description: provider.description,
  documentationUrl: provider.documentationUrl,
  ...(provider.howTo !== undefined && { howTo: provider.howTo }),
  ...(provider.deprecated !== undefined && { deprecated: provider.deprecated }),
  ...(provider.installation && { installation: { ...provider.installation } }),
  alerts: (provider.alerts ?? []).map((alert) => ({ ...alert })),
  parameters: provider.parameters.map((parameter) => ({ ...parameter })),
  events: [...provider.events],
  tagTypes: (provider.tagTypes ?? []).map((type) => ({ ...type })),
});
