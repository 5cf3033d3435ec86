import { type RawBuilder, sql } from 'kysely';
import { instantText } from '../../platform/db/instant-text.ts';
import type { Kind } from './states.ts';
import type { CurrentState } from './world.ts';

/** The object of these columns, without those that are null. */
const given = (pairs: string) => sql.raw(`jsonb_strip_nulls(jsonb_build_object(${pairs}))`);

const features = sql`
  select feature.name as key, '' as part, jsonb_build_object(
    'name', feature.name,
    'project', feature.project,
    'type', feature.type,
    'description', feature.description,
    'stale', feature.stale,
    'impressionData', feature.impression_data,
    'createdAt', ${instantText('feature.created_at')},
    'archivedAt', ${instantText('feature.archived_at')},
    'owner', (
      select jsonb_build_object('type', owner.type, 'id', owner.id)
      from feature_owners owner where owner.feature_name = feature.name),
    'expiresAt', ${instantText('feature.expires_at')},
    'tags', (
      select coalesce(
        jsonb_agg(jsonb_build_object('type', tag.type, 'value', tag.value)
          order by tag.type collate "C", tag.value collate "C"), '[]')
      from feature_tags tag where tag.feature_name = feature.name),
    'links', (
      select coalesce(
        jsonb_agg(jsonb_build_object('id', link.id, 'url', link.url, 'title', link.title)
          order by link.sort_order), '[]')
      from feature_links link where link.feature_name = feature.name),
    'dependencies', (
      select coalesce(
        jsonb_agg(jsonb_build_object('feature', dependency.parent, 'enabled', dependency.enabled,
          'variants', dependency.variants) order by dependency.parent collate "C"), '[]')
      from feature_dependencies dependency where dependency.child = feature.name)
  ) as state
  from features feature`;

/** Of all features, or of these: a filter on the result would read the strategies of all. */
const strategies = (names?: readonly string[]) => sql`
  select strategy.feature_name, strategy.environment, jsonb_agg(jsonb_build_object(
    'id', strategy.id,
    'name', strategy.name,
    'title', strategy.title,
    'disabled', strategy.disabled,
    'sortOrder', strategy.sort_order,
    'parameters', strategy.parameters,
    'constraints', strategy.constraints,
    'variants', strategy.variants,
    'segments', array(
      select segment.segment_id from feature_strategy_segments segment
      where segment.strategy_id = strategy.id order by segment.segment_id)
  ) order by strategy.sort_order, strategy.created_at, strategy.id) as strategies
  from feature_strategies strategy
  ${names ? sql`where strategy.feature_name = any(${names}::text[])` : sql``}
  group by strategy.feature_name, strategy.environment`;

const featureStates = (names?: readonly string[]) =>
  names
    ? sql`(select * from feature_environments where feature_name = any(${names}::text[]))`
    : sql`feature_environments`;

const featureEnvironments = (names?: readonly string[]) => sql`
  select coalesce(state.feature_name, own.feature_name) as key,
    coalesce(state.environment, own.environment) as part,
    jsonb_build_object(
      'enabled', coalesce(state.enabled, false),
      'variants', coalesce(state.variants, '[]'),
      'strategies', coalesce(own.strategies, '[]')
    ) as state
  from ${featureStates(names)} state
  full join (${strategies(names)}) own
    on own.feature_name = state.feature_name and own.environment = state.environment
  where state.enabled or state.variants::text <> '[]' or own.strategies is not null`;

const segments = sql`
  select segment.id::text as key, '' as part, jsonb_build_object(
    'id', segment.id,
    'name', segment.name,
    'description', segment.description,
    'constraints', segment.constraints,
    'createdAt', ${instantText('segment.created_at')}
  ) || ${given("'project', segment.project")} as state
  from segments segment`;

const projects = sql`
  select project.id as key, '' as part, jsonb_build_object(
    'id', project.id,
    'name', project.name,
    'description', project.description,
    'mode', project.mode,
    'defaultStickiness', project.default_stickiness,
    'featureLimit', project.feature_limit,
    'linkTemplates', project.link_templates,
    'autoStale', project.auto_stale,
    'asksBeforeProduction', project.asks_before_production,
    'budget', jsonb_build_object('maxStale', project.max_stale, 'minHealth', project.min_health),
    'createdAt', ${instantText('project.created_at')},
    'archivedAt', ${instantText('project.archived_at')}
  ) || case when project.feature_naming_pattern is null then '{}' else
    jsonb_build_object('featureNaming', ${given(`
      'pattern', project.feature_naming_pattern,
      'example', project.feature_naming_example,
      'description', project.feature_naming_description`)}) end as state
  from projects project`;

const projectEnvironments = sql`
  select membership.project as key, membership.environment as part, jsonb_build_object(
    'defaultStrategy', membership.default_strategy,
    'changeRequestsEnabled', membership.change_requests_enabled,
    'requiredApprovals', membership.required_approvals,
    'changeRequestRules', membership.change_request_rules
  ) as state
  from project_environments membership`;

const environments = sql`
  select environment.name as key, '' as part, jsonb_build_object(
    'name', environment.name,
    'type', environment.type,
    'enabled', environment.enabled,
    'protected', environment.protected,
    'sortOrder', environment.sort_order
  ) || ${given("'requiredApprovals', environment.required_approvals")} as state
  from environments environment`;

const contextFields = sql`
  select field.name as key, '' as part, jsonb_build_object(
    'name', field.name,
    'description', field.description,
    'stickiness', field.stickiness,
    'sortOrder', field.sort_order,
    'legalValues', field.legal_values,
    'createdAt', ${instantText('field.created_at')}
  ) as state
  from context_fields field`;

const strategyTypes = sql`
  select type.name as key, '' as part, jsonb_build_object(
    'name', type.name,
    'description', type.description,
    'parameters', type.parameters,
    'editable', not type.built_in,
    'deprecated', type.deprecated
  ) || ${given("'title', type.title")} as state
  from strategy_types type`;

const tagTypes = sql`
  select type.name as key, '' as part, jsonb_build_object(
    'name', type.name, 'description', type.description, 'icon', type.icon, 'color', type.color
  ) as state
  from tag_types type`;

const tags = sql`
  select tag.type as key, tag.value as part,
    jsonb_build_object('type', tag.type, 'value', tag.value) as state
  from tags tag`;

const featureTypes = sql`
  select type.id as key, '' as part, jsonb_build_object(
    'id', type.id,
    'name', type.name,
    'description', type.description,
    'lifetimeDays', type.lifetime_days
  ) as state
  from feature_types type`;

const roles = sql`
  select role.id::text as key, '' as part, jsonb_build_object(
    'id', role.id,
    'name', role.name,
    'description', role.description,
    'type', role.type,
    'permissions', (
      select coalesce(jsonb_agg(
        ${given("'name', held.permission, 'environment', held.environment")}
        order by held.permission collate "C", held.environment collate "C" nulls first), '[]')
      from role_permissions held where held.role_id = role.id)
  ) as state
  from roles role`;

const groups = sql`
  select team.id::text as key, '' as part, jsonb_build_object(
    'id', team.id,
    'name', team.name,
    'description', team.description,
    'mappingsSSO', team.mappings_sso,
    'rootRole', team.root_role
  ) as state
  from groups team`;

const groupUsers = sql`
  select member.group_id::text as key, member.user_id::text as part, 
    jsonb_build_object('userId', member.user_id) as state
  from group_users member`;

const accounts = sql`
  select account.id::text as key, '' as part, jsonb_build_object(
    'id', account.id, 'kind', account.kind, 'rootRole', account.root_role
  ) as state
  from users account where account.deleted_at is null`;

const projectUsers = sql`
  select held.project as key, held.user_id::text as part,
    jsonb_agg(held.role_id order by held.role_id) as state
  from project_user_roles held group by held.project, held.user_id`;

const projectGroups = sql`
  select held.project as key, held.group_id::text as part,
    jsonb_agg(held.role_id order by held.role_id) as state
  from project_group_roles held group by held.project, held.group_id`;

const settings = sql`
  select setting.id as key, '' as part, to_jsonb(setting.value) as state from settings setting`;

const presentByKind: Readonly<Record<Kind, RawBuilder<unknown>>> = {
  feature: features,
  'feature-environment': featureEnvironments(),
  segment: segments,
  project: projects,
  'project-environment': projectEnvironments,
  environment: environments,
  'context-field': contextFields,
  'strategy-type': strategyTypes,
  'tag-type': tagTypes,
  tag: tags,
  'feature-type': featureTypes,
  role: roles,
  group: groups,
  'group-user': groupUsers,
  account: accounts,
  'project-user': projectUsers,
  'project-group': projectGroups,
  setting: settings,
};

export const kinds = Object.keys(presentByKind) as readonly Kind[];

/** Everything as it is now, in the form in which the history holds it: kind, key, part and state. */
export const presentStates: RawBuilder<unknown> = sql.join(
  Object.entries(presentByKind).map(
    ([kind, states]) => sql`select ${sql.lit(kind)} as kind, key, part, state from (${states}) own`,
  ),
  sql` union all `,
);

/** Those of one kind with these keys. */
export const presentOf = (kind: Kind, keys: readonly string[]): RawBuilder<CurrentState> => {
  const states = kind === 'feature-environment' ? featureEnvironments(keys) : presentByKind[kind];
  return sql<CurrentState>`
    select ${sql.lit(kind)} as kind, key, part, state from (${states}) own
    where key = any(${keys}::text[])`;
};
