import { type RawBuilder, sql } from 'kysely';
import type { Actor } from '../../platform/actor.ts';
import type { ReplacedTable } from '../../platform/db/replaced-tables.ts';
import type { Kind } from './states.ts';

/** The moment whose rows are read, and who reads them. */
interface PastReader {
  readonly eventId: number;
  /** The time of the moment. */
  readonly at: Date;
  readonly sees: Actor['sees'];
}

type Rows = RawBuilder<unknown>;

const instant = (property: string) => sql.raw(`(s.state ->> '${property}')::timestamptz`);
const text = (property: string) => sql.raw(`s.state ->> '${property}'`);
const flag = (property: string) => sql.raw(`(s.state ->> '${property}')::boolean`);
const whole = (property: string) => sql.raw(`(s.state ->> '${property}')::int`);
const json = (property: string) => sql.raw(`(s.state -> '${property}')::json`);
const unknownTime = sql`null::timestamptz`;

/** The event that led to the first state of a thing, if it is still in the log. */
const firstEvent = (kind: Kind, type: string) => sql`
  left join lateral (
    select e.created_at, e.created_by, e.created_by_user_id from events e
    where e.type = ${sql.lit(type)} and e.id = (
      select min(first.from_id) from history_states first
      where first.kind = ${sql.lit(kind)} and first.key = s.key)
  ) creation on present.id is null`;

/**
 * What statements read instead of each table to see its rows as they were after an event. The rows that the actor
 * doesn't see today, or that belonged to an earlier project with the same ID, are left out. Favorites, sightings, usage
 * and tokens have no past, so these tables are empty. Users have the names of today, and those who were deleted since
 * are left out by everyone who reads users.
 */
export function pastTables({ eventId, at, sees }: PastReader): readonly ReplacedTable[] {
  const isCurrent = (alias: string) =>
    sql`int8range(${sql.raw(alias)}.from_id, ${sql.raw(alias)}.to_id) @> ${eventId}::bigint`;
  const states = (kind: Kind): Rows => sql`(
    select states.key, states.part, states.state, states.from_id from history_states states
    where states.kind = ${sql.lit(kind)} and ${isCurrent('states')}) s`;
  const ifLimited = (condition: Rows): Rows => (sees === 'all' ? sql`true` : condition);
  const isSeen = (project: string): Rows =>
    sql`${sql.raw(project)} = any(${sees === 'all' ? [] : [...sees]}::text[])`;
  const isSameProject = (project: string): Rows => sql`not exists (
    select from projects later
    where later.id = ${sql.raw(project)} and later.first_event_id > ${eventId})`;
  const ofVisibleFeature = ifLimited(sql`s.key in (select visible.name from features visible)`);
  const ofVisibleProject = ifLimited(sql`s.key in (select visible.id from projects visible)`);
  const eventTime = (id: Rows): Rows => sql`(select e.created_at from events e where e.id = ${id})`;
  const empty = (name: string): ReplacedTable => ({
    name,
    rows: sql`select * from ${sql.id(name)} where false`,
  });

  /** The first of the states without interruption up to the current one. */
  const heldSince = (kind: Kind): Rows => sql`(
    select min(held.from_id) from history_states held
    where held.kind = ${sql.lit(kind)} and held.key = s.key and held.part = s.part
      and held.from_id <= s.from_id and not exists (
        select from history_states later
        where later.kind = held.kind and later.key = held.key and later.part = held.part
          and later.from_id > held.from_id and later.from_id <= s.from_id
          and not exists (
            select from history_states before
            where before.kind = held.kind and before.key = held.key and before.part = held.part
              and before.to_id = later.from_id)))`;

  const projectRoles = (
    name: 'project_user_roles' | 'project_group_roles',
    kind: Kind,
    holder: string,
  ): ReplacedTable => ({
    name,
    rows: sql`
      select s.key as project, s.part::int as ${sql.id(holder)}, role.id::int as role_id,
        coalesce(present.granted_at, ${eventTime(heldSince(kind))}, ${at}::timestamptz) as granted_at
      from ${states(kind)} cross join jsonb_array_elements_text(s.state) role(id)
      left join ${sql.id(name)} present
        on present.project = s.key and present.${sql.id(holder)} = s.part::int
        and present.role_id = role.id::int and present.granted_at <= ${at}::timestamptz
      where ${ofVisibleProject}`,
  });

  /** The last event up to the moment that changed something of a project. */
  const lastChange = (project: string, kinds: readonly Kind[]): Rows => sql`(
    select max(greatest(changed.from_id, case when changed.to_id <= ${eventId} then changed.to_id end))
    from history_states changed
    where changed.kind = any(${kinds}::text[]) and changed.key = ${sql.raw(project)}
      and changed.from_id <= ${eventId})`;

  return [
    {
      name: 'features',
      rows: sql`
        select s.key as name, ${text('project')} as project, ${text('type')} as type,
          ${text('description')} as description, ${flag('impressionData')} as impression_data,
          ${flag('stale')} as stale,
          coalesce(present.created_by, creation.created_by, '') as created_by,
          coalesce(present.created_by_user_id, creation.created_by_user_id, 0) as created_by_user_id,
          ${instant('createdAt')} as created_at, ${instant('archivedAt')} as archived_at,
          case when s.state -> 'owner' ->> 'type' = 'user'
            then (s.state -> 'owner' ->> 'id')::int end as owner_user_id,
          case when s.state -> 'owner' ->> 'type' = 'group'
            then (s.state -> 'owner' ->> 'id')::int end as owner_group_id,
          ${instant('expiresAt')} as expires_at
        from ${states('feature')}
        left join features present on present.name = s.key and present.created_at = ${instant('createdAt')}
        left join lateral (
          select e.created_by, e.created_by_user_id from events e
          where present.name is null
            and e.feature_name = s.key and e.type = 'feature-created' and e.id <= ${eventId}
          order by e.id desc limit 1
        ) creation on true
        where ${ifLimited(sql`${isSeen("s.state ->> 'project'")}
          and ${isSameProject("s.state ->> 'project'")}
          and not exists (
            select from features today where today.name = s.key and not ${isSeen('today.project')})`)}`,
    },
    {
      name: 'segments',
      rows: sql`
        select s.key::int as id, ${text('name')} as name, ${text('description')} as description,
          ${text('project')} as project, ${json('constraints')} as constraints,
          coalesce(present.created_by, creation.created_by, '') as created_by,
          coalesce(present.created_by_user_id, creation.created_by_user_id, 0) as created_by_user_id,
          ${instant('createdAt')} as created_at
        from ${states('segment')}
        left join segments present on present.id = s.key::int
        ${firstEvent('segment', 'segment-created')}
        where ${ifLimited(sql`(${text('project')} is null
            or ${isSeen("s.state ->> 'project'")} and ${isSameProject("s.state ->> 'project'")})
          and (present.project is null or ${isSeen('present.project')})`)}`,
    },
    {
      name: 'projects',
      rows: sql`
        select s.key as id, ${text('name')} as name, ${text('description')} as description,
          ${text('mode')} as mode, ${text('defaultStickiness')} as default_stickiness,
          ${whole('featureLimit')} as feature_limit,
          s.state -> 'featureNaming' ->> 'pattern' as feature_naming_pattern,
          s.state -> 'featureNaming' ->> 'example' as feature_naming_example,
          s.state -> 'featureNaming' ->> 'description' as feature_naming_description,
          ${json('linkTemplates')} as link_templates, ${flag('autoStale')} as auto_stale,
          ${flag('asksBeforeProduction')} as asks_before_production,
          (s.state -> 'budget' ->> 'maxStale')::int as max_stale,
          (s.state -> 'budget' ->> 'minHealth')::int as min_health,
          coalesce((
            select today.first_event_id from projects today
            where today.id = s.key and today.first_event_id <= ${eventId}), 0) as first_event_id,
          ${instant('createdAt')} as created_at,
          coalesce(present.updated_at,
            ${eventTime(lastChange('s.key', ['project', 'project-environment']))},
            ${instant('createdAt')}) as updated_at,
          ${instant('archivedAt')} as archived_at
        from ${states('project')}
        left join projects present on present.id = s.key and present.updated_at <= ${at}::timestamptz
        where ${ifLimited(sql`${isSeen('s.key')} and ${isSameProject('s.key')}`)}`,
    },
    {
      name: 'project_access_changes',
      rows: sql`
        select p.id as project, coalesce((
          -- Retention removes the states that have ended, and with them when a role was taken away.
          select today.changed_at from project_access_changes today
          where today.project = p.id and today.changed_at <= ${at}::timestamptz
        ), (
          -- A deleted group loses its roles, which is no change of the projects.
          select e.created_at from history_states changed
          join events e on e.id in (changed.from_id, changed.to_id) and e.type <> 'group-deleted'
          where changed.kind in ('project-user', 'project-group') and changed.key = p.id
            and e.id <= ${eventId}
          order by e.id desc limit 1)) as changed_at
        from projects p`,
    },
    {
      name: 'project_environments',
      rows: sql`
        select s.key as project, s.part as environment,
          nullif(s.state -> 'defaultStrategy', 'null')::json as default_strategy,
          ${flag('changeRequestsEnabled')} as change_requests_enabled,
          nullif(s.state -> 'changeRequestRules', 'null') as change_request_rules,
          ${whole('requiredApprovals')} as required_approvals
        from ${states('project-environment')} where ${ofVisibleProject}`,
    },
    projectRoles('project_user_roles', 'project-user', 'user_id'),
    projectRoles('project_group_roles', 'project-group', 'group_id'),
    {
      name: 'feature_environments',
      rows: sql`
        select s.key as feature_name, s.part as environment, ${flag('enabled')} as enabled,
          ${json('variants')} as variants, ${unknownTime} as last_seen_at
        from ${states('feature-environment')} where ${ofVisibleFeature}`,
    },
    {
      name: 'feature_strategies',
      rows: sql`
        select own.strategy ->> 'id' as id, s.key as feature_name, s.part as environment,
          own.strategy ->> 'name' as name, own.strategy ->> 'title' as title,
          (own.strategy ->> 'disabled')::boolean as disabled,
          (own.strategy ->> 'sortOrder')::int as sort_order,
          (own.strategy -> 'parameters')::json as parameters,
          (own.strategy -> 'constraints')::json as constraints,
          (own.strategy -> 'variants')::json as variants,
          -- Those with the same sort order are in the order of their creation.
          'epoch'::timestamptz + own.nth * interval '1 second' as created_at
        from ${states('feature-environment')}
        cross join jsonb_array_elements(s.state -> 'strategies') with ordinality own(strategy, nth)
        where ${ofVisibleFeature}`,
    },
    {
      name: 'feature_strategy_segments',
      isComputedOnce: true,
      rows: sql`
        select own.strategy ->> 'id' as strategy_id, used.id::int as segment_id
        from ${states('feature-environment')}
        cross join jsonb_array_elements(s.state -> 'strategies') own(strategy)
        cross join jsonb_array_elements_text(own.strategy -> 'segments') used(id)
        where ${ofVisibleFeature}`,
    },
    {
      name: 'feature_tags',
      rows: sql`
        select s.key as feature_name, tag.type, tag.value, ${unknownTime} as created_at
        from ${states('feature')}
        cross join jsonb_to_recordset(s.state -> 'tags') tag(type text, value text)
        where ${ofVisibleFeature}`,
    },
    {
      name: 'feature_links',
      rows: sql`
        select link.own ->> 'id' as id, s.key as feature_name, link.own ->> 'url' as url,
          link.own ->> 'title' as title, link.nth::int as sort_order
        from ${states('feature')}
        cross join jsonb_array_elements(s.state -> 'links') with ordinality link(own, nth)
        where ${ofVisibleFeature}`,
    },
    {
      name: 'feature_dependencies',
      isComputedOnce: true,
      rows: sql`
        select s.key as child, parent.feature as parent, parent.enabled, parent.variants
        from ${states('feature')}
        cross join jsonb_to_recordset(s.state -> 'dependencies')
          parent(feature text, enabled boolean, variants text[])
        where ${ofVisibleFeature}`,
    },
    {
      name: 'feature_lifecycles',
      rows: sql`
        select stage.feature_name, stage.stage, stage.status, stage.status_value, stage.entered_at
        from feature_lifecycles stage join features f on f.name = stage.feature_name
        where stage.entered_at between f.created_at and ${at}::timestamptz`,
    },
    {
      name: 'feature_types',
      rows: sql`
        select s.key as id, ${text('name')} as name, ${text('description')} as description,
          ${whole('lifetimeDays')} as lifetime_days, present.sort_order
        from ${states('feature-type')} join feature_types present on present.id = s.key`,
    },
    {
      name: 'feature_ages',
      rows: sql`
        select f.name, f.project, f.type, f.stale, f.created_at, f.archived_at, t.lifetime_days,
          f.created_at + t.lifetime_days * interval '24 hours' as due_at
        from features f join feature_types t on t.id = f.type`,
    },
    {
      name: 'users',
      rows: sql`
        select present.id, present.kind, present.name, present.username, present.email,
          null::text as password_hash, ${unknownTime} as password_changed_at,
          null::text as external_subject, ${whole('rootRole')} as root_role, present.created_at,
          present.deleted_at
        from ${states('account')} join users present on present.id = s.key::int`,
    },
    {
      name: 'groups',
      rows: sql`
        select s.key::int as id, ${text('name')} as name, ${text('description')} as description,
          array(select jsonb_array_elements_text(s.state -> 'mappingsSSO')) as mappings_sso,
          ${whole('rootRole')} as root_role,
          coalesce(present.created_at, creation.created_at, ${at}::timestamptz) as created_at,
          coalesce(present.created_by, creation.created_by, '') as created_by,
          coalesce(present.created_by_user_id, creation.created_by_user_id) as created_by_user_id
        from ${states('group')}
        left join groups present on present.id = s.key::int
        ${firstEvent('group', 'group-created')}`,
    },
    {
      name: 'group_users',
      rows: sql`
        select s.key::int as group_id, s.part::int as user_id,
          coalesce(present.joined_at, e.created_at, ${at}::timestamptz) as joined_at,
          coalesce(present.added_by, e.created_by, '') as added_by,
          coalesce(present.added_by_user_id, e.created_by_user_id) as added_by_user_id
        from ${states('group-user')}
        left join group_users present on present.group_id = s.key::int
          and present.user_id = s.part::int and present.joined_at <= ${at}::timestamptz
        left join events e on e.id = s.from_id`,
    },
    {
      name: 'feature_owners',
      rows: sql`
        select f.name as feature_name, 'user' as type, u.id,
          coalesce(nullif(u.name, ''), u.email, u.username, u.id::text) as name
        from features f join users u on u.id = f.owner_user_id
        where u.kind = 'person' and u.deleted_at is null
        union all
        select f.name, 'group', g.id, g.name
        from features f join groups g on g.id = f.owner_group_id`,
    },
    {
      name: 'roles',
      rows: sql`
        select s.key::int as id, ${text('name')} as name, ${text('description')} as description,
          ${text('type')} as type, ${unknownTime} as created_at, ${unknownTime} as updated_at
        from ${states('role')}`,
    },
    {
      name: 'role_permissions',
      rows: sql`
        select s.key::int as role_id, held.name as permission, held.environment
        from ${states('role')}
        cross join jsonb_to_recordset(s.state -> 'permissions') held(name text, environment text)`,
    },
    {
      name: 'environments',
      rows: sql`
        select s.key as name, ${text('type')} as type, ${flag('enabled')} as enabled,
          ${flag('protected')} as protected, ${whole('sortOrder')} as sort_order,
          ${whole('requiredApprovals')} as required_approvals, ${unknownTime} as created_at
        from ${states('environment')}`,
    },
    {
      name: 'context_fields',
      rows: sql`
        select s.key as name, ${text('description')} as description,
          ${flag('stickiness')} as stickiness, ${whole('sortOrder')} as sort_order,
          ${json('legalValues')} as legal_values, ${instant('createdAt')} as created_at
        from ${states('context-field')}`,
    },
    {
      name: 'strategy_types',
      rows: sql`
        select s.key as name, ${text('title')} as title, ${text('description')} as description,
          ${json('parameters')} as parameters, not ${flag('editable')} as built_in,
          ${flag('deprecated')} as deprecated,
          -- Only built-in types, which no one can delete, have a place of their own.
          coalesce(present.sort_order, 9999) as sort_order, ${unknownTime} as created_at
        from ${states('strategy-type')} left join strategy_types present on present.name = s.key`,
    },
    {
      name: 'tag_types',
      rows: sql`
        select s.key as name, ${text('description')} as description, ${text('icon')} as icon,
          ${text('color')} as color, ${unknownTime} as created_at
        from ${states('tag-type')}`,
    },
    {
      name: 'tags',
      rows: sql`
        select s.key as type, s.part as value, ${unknownTime} as created_at,
          -- For whom a tag was created that is gone is unknown; the empty text is no one's project.
          case when present.type is null then '' else present.born_in end as born_in
        from ${states('tag')}
        left join tags present on present.type = s.key and present.value = s.part`,
    },
    {
      name: 'settings',
      rows: sql`
        select s.key as id, s.state as value, null::bytea as secret, ${unknownTime} as created_at,
          ${unknownTime} as updated_at
        from ${states('setting')}`,
    },
    {
      name: 'events',
      rows: sql`select * from events where id <= ${eventId}`,
    },
    ...['feature_favorites', 'project_favorites', 'feature_authors', 'last_seen', 'api_tokens'].map(
      empty,
    ),
  ];
}
