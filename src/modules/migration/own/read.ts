import { sql } from 'kysely';
import type { Db } from '../../../platform/db/database.ts';
import { grouped } from '../../../platform/grouped.ts';
import type { ChangeRequestRules } from '../../catalogue/projects/index.ts';
import { type CompleteFeature, readFeatures } from '../../flags/features/index.ts';
import type {
  AccessDocument,
  ApplicationDocument,
  FeatureDocument,
  Installation,
  OwnerDocument,
  ProjectDocument,
  RulesDocument,
  Source,
  StrategyDocument,
} from '../document.ts';
import { readAccess } from './access.ts';
import { creatorOf, dated } from './creation.ts';

/** Everything that this installation has, in the form in which other installations are read. `db` is a snapshot. */
export async function readOwn(db: Db, source: Source): Promise<Installation> {
  const segments = await db
    .selectFrom('segments')
    .select(['id', 'name', 'description', 'project', 'constraints'])
    .select(['created_at', 'created_by', 'created_by_user_id'])
    .orderBy('name')
    .execute();
  const segmentNames = new Map(segments.map(({ id, name }) => [id, name]));
  const strategyTypes = await db
    .selectFrom('strategy_types')
    .where('built_in', '=', false)
    .select(['name', 'title', 'description', 'deprecated', 'parameters'])
    .orderBy('name')
    .execute();
  const contextFields = await db
    .selectFrom('context_fields')
    .select(['name', 'description', 'stickiness', 'sort_order as sortOrder'])
    .select(['legal_values as legalValues', 'created_at'])
    .orderBy('name')
    .execute();
  const integrations = await db
    .selectFrom('integrations')
    .where('deleted_at', 'is', null)
    .select(['id', 'provider', 'description', 'enabled', 'parameters', 'created_at'])
    .select(['events', 'projects', 'environments'])
    .select(['tags', 'in_order as inOrder', 'retention_days as retentionDays'])
    .orderBy('id')
    .execute();
  const environments = await db
    .selectFrom('environments')
    .select([
      'name',
      'type',
      'enabled',
      'sort_order as sortOrder',
      'required_approvals as requiredApprovals',
    ])
    .orderBy('name')
    .execute();
  const tags = await db.selectFrom('tags').select(['type', 'value']).execute();
  const { accounts, groups, roles, access, logins, rulesOf } = await readAccess(db);
  return {
    format: 'burgee-installation-1',
    source,
    environments: environments.map(({ requiredApprovals, ...environment }) => ({
      ...environment,
      ...(requiredApprovals !== null && { requiredApprovals }),
    })),
    featureTypes: await db
      .selectFrom('feature_types')
      .select(['id', 'name', 'description', 'lifetime_days as lifetimeDays'])
      .execute(),
    contextFields: contextFields.map(dated),
    tagTypes: await db
      .selectFrom('tag_types')
      .select(['name', 'description', 'icon', 'color'])
      .orderBy('name')
      .execute(),
    tags,
    strategyTypes: strategyTypes.map(({ description, parameters, ...type }) => ({
      ...type,
      description: description ?? '',
      parameters: parameters.map((parameter) => ({
        name: parameter.name,
        type: parameter.type,
        description: parameter.description ?? '',
        required: parameter.required ?? false,
      })),
    })),
    segments: segments.map(({ created_by, created_by_user_id, ...segment }) => ({
      ...dated(segment),
      createdBy: creatorOf(created_by, created_by_user_id, logins),
    })),
    projects: await readProjects(db, segmentNames, access, rulesOf),
    features: (await readFeatures(db, 'all'))
      .map((feature) => featureOf(feature, segmentNames, logins))
      .sort(byName),
    roles,
    accounts,
    groups,
    tokens: await readTokens(db),
    integrations: integrations.map(dated),
    applications: await readApplications(db),
  };
}

async function readApplications(db: Db): Promise<ApplicationDocument[]> {
  const applications = await db
    .selectFrom('applications')
    .select(['app_name as name', 'description', 'url', 'icon', 'color'])
    .orderBy('app_name')
    .execute();
  const { rows: reach } = await sql<{ app: string; project: string; environments: string[] }>`
    select app_name as app, project, array_agg(environment order by environment) as environments
    from application_reach group by 1, 2 order by 1, 2`.execute(db);
  const { rows: used } = await sql<{ app: string; name: string; environments: string[] }>`
    select app_name as app, feature_name as name,
      array_agg(environment order by environment) as environments
    from application_features group by 1, 2 order by 1, 2`.execute(db);
  const usageOf = grouped(reach, ({ app }) => app);
  const featuresOf = grouped(used, ({ app }) => app);
  return applications.map((application) => ({
    ...application,
    usage: (usageOf.get(application.name) ?? []).map(({ app: _, ...each }) => each),
    features: (featuresOf.get(application.name) ?? []).map(({ app: _, ...each }) => each),
  }));
}

const strategyOf = (
  strategy: Omit<StrategyDocument, 'segments'> & { readonly segments: readonly number[] },
  segmentNames: ReadonlyMap<number, string>,
): StrategyDocument => ({
  name: strategy.name,
  title: strategy.title || null,
  disabled: strategy.disabled,
  sortOrder: strategy.sortOrder,
  parameters: strategy.parameters,
  constraints: strategy.constraints,
  variants: strategy.variants,
  segments: strategy.segments.flatMap((id) => segmentNames.get(id) ?? []).sort(),
});

async function readProjects(
  db: Db,
  segmentNames: ReadonlyMap<number, string>,
  access: ReadonlyMap<string, readonly AccessDocument[]>,
  rulesOf: (rules: ChangeRequestRules) => RulesDocument,
): Promise<ProjectDocument[]> {
  const projects = await db.selectFrom('projects').selectAll().orderBy('id').execute();
  const memberships = grouped(
    await db
      .selectFrom('project_environments')
      .select([
        'project',
        'environment',
        'default_strategy',
        'change_requests_enabled as changeRequestsEnabled',
        'required_approvals as requiredApprovals',
        'change_request_rules as rules',
      ])
      .orderBy('environment')
      .execute(),
    ({ project }) => project,
  );
  return projects.map((project) => ({
    id: project.id,
    name: project.name,
    description: project.description,
    mode: project.mode,
    defaultStickiness: project.default_stickiness,
    featureLimit: project.feature_limit,
    featureNaming:
      project.feature_naming_pattern === null
        ? null
        : {
            pattern: project.feature_naming_pattern,
            example: project.feature_naming_example,
            description: project.feature_naming_description,
          },
    linkTemplates: project.link_templates,
    archived: project.archived_at !== null,
    archivedAt: project.archived_at?.toISOString() ?? null,
    createdAt: project.created_at.toISOString(),
    ours: {
      autoStale: project.auto_stale,
      asksBeforeProduction: project.asks_before_production,
      budget: { maxStale: project.max_stale, minHealth: project.min_health },
    },
    environments: (memberships.get(project.id) ?? []).map(
      ({ default_strategy, ...membership }) => ({
        name: membership.environment,
        ...(membership.changeRequestsEnabled && {
          requiredApprovals: membership.requiredApprovals ?? 1,
          ...(membership.rules && { rules: rulesOf(membership.rules) }),
        }),
        defaultStrategy:
          default_strategy &&
          strategyOf(
            {
              ...default_strategy,
              title: default_strategy.title || null,
              disabled: default_strategy.disabled ?? false,
              sortOrder: default_strategy.sortOrder ?? 0,
              segments: default_strategy.segments ?? [],
            },
            segmentNames,
          ),
      }),
    ),
    access: access.get(project.id) ?? [],
  }));
}

/** By name, as JavaScript compares texts. */
const byName = (one: { readonly name: string }, other: { readonly name: string }): number =>
  one.name < other.name ? -1 : 1;

const featureOf = (
  feature: CompleteFeature,
  segmentNames: ReadonlyMap<number, string>,
  logins: ReadonlyMap<number, string>,
): FeatureDocument => ({
  name: feature.name,
  project: feature.project,
  type: feature.type,
  description: feature.description,
  stale: feature.stale,
  impressionData: feature.impressionData,
  archived: feature.archivedAt !== null,
  createdAt: feature.createdAt,
  createdBy: creatorOf(feature.creator.name, feature.creator.id, logins),
  archivedAt: feature.archivedAt,
  ...(feature.archivedAt === null && { lifecycle: lifecycleOf(feature) }),
  tags: feature.tags.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)),
  links: feature.links.map(({ url, title }) => ({ url, title })),
  owner: ownerOf(feature.owner, logins),
  expiresAt: feature.expiresAt,
  dependencies: feature.dependencies
    .map(({ variants, ...dependency }) => ({ ...dependency, variants: [...variants].sort() }))
    .sort((a, b) => (a.feature < b.feature ? -1 : 1)),
  environments: feature.environments
    .filter(
      ({ enabled, strategies, variants }) =>
        enabled || strategies.length > 0 || variants.length > 0,
    )
    .map(({ name, enabled, strategies, variants }) => ({
      name,
      enabled,
      strategies: strategies.map((strategy) => strategyOf(strategy, segmentNames)),
      variants,
    }))
    .sort(byName),
});

function ownerOf(
  owner: CompleteFeature['owner'],
  logins: ReadonlyMap<number, string>,
): OwnerDocument | null {
  if (!owner) return null;
  const name = owner.type === 'user' ? logins.get(owner.id) : owner.name;
  return name === undefined ? null : { type: owner.type, name };
}

function lifecycleOf({
  lifecycle,
}: CompleteFeature): NonNullable<FeatureDocument['lifecycle']> | null {
  if (!lifecycle) return null;
  const { stage, enteredStageAt: enteredAt, status } = lifecycle;
  return stage === 'initial' || stage === 'archived' ? null : { stage, status, enteredAt };
}

const readTokens = async (db: Db) => {
  const tokens = await db
    .selectFrom('api_tokens')
    .where('revoked_at', 'is', null)
    .where('type', '<>', 'admin')
    .select(['name', 'type', 'environment', 'projects', 'expires_at', 'alias', 'created_at'])
    .orderBy('id')
    .execute();
  return tokens.map(({ type, environment, expires_at, ...token }) => ({
    ...dated(token),
    type: type === 'frontend' ? ('frontend' as const) : ('client' as const),
    environment: environment ?? '',
    projects: token.projects.length > 0 ? token.projects : ['*'],
    expiresAt: expires_at?.toISOString() ?? null,
    secret: null,
  }));
};
