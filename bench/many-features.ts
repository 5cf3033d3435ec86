import type pg from 'pg';
import { gatherAuthors } from './gather-authors.ts';

interface FeatureInput {
  readonly project: string;
  readonly features: number;
  /** Events of users per feature. */
  readonly eventsPerFeature: number;
}

export const featureOf = (project: string, nth: number): string =>
  `${project}-feature-${String(nth).padStart(5, '0')}`;

/**
 * Fills a project with three environments and realistic features: tagged, with a strategy and a constraint in each
 * environment, half of them enabled, a seventh stale. Written directly to the database, because a thousand single
 * requests take longer than all measurements on them; the events have no chain.
 */
export async function fillProject(pool: pg.Pool, wish: FeatureInput): Promise<void> {
  const { project, features, eventsPerFeature } = wish;
  const environments = ['development', 'staging', 'production'];
  const run = (text: string, ...values: unknown[]) => pool.query(text, values);
  await run(
    `insert into environments (name, type, enabled, sort_order, created_at)
     values ('staging', 'test', true, 150, now()) on conflict do nothing`,
  );
  await run(
    `insert into projects (id, name, description, mode, default_stickiness, created_at, updated_at)
     values ($1, $1, '', 'open', 'default', now(), now()) on conflict do nothing`,
    project,
  );
  await run(
    `insert into project_environments (project, environment)
     select $1, environment from unnest($2::text[]) environment on conflict do nothing`,
    project,
    environments,
  );
  await run(
    `insert into features (name, project, type, description, impression_data, stale, created_by, created_by_user_id, created_at)
     select $1 || '-feature-' || lpad(n::text, 5, '0'), $1, (array['release', 'experiment', 'operational', 'kill-switch'])[1 + n % 4],
       'What feature ' || n || ' is for', false, n % 7 = 0, 'admin', -2000, now() - n * interval '1 hour'
     from generate_series(1, $2::int) n`,
    project,
    features,
  );
  await run(
    `insert into feature_lifecycles (feature_name, stage, entered_at)
     select name, 'initial', created_at from features where project = $1`,
    project,
  );
  await run(
    `insert into feature_environments (feature_name, environment, enabled, variants, last_seen_at)
     select name, environment, hashtext(name) % 2 = 0, '[]',
       case when environment = 'production' then now() - interval '1 minute' end
     from features, unnest($2::text[]) environment where project = $1`,
    project,
    environments,
  );
  await run(
    `insert into feature_strategies
       (id, feature_name, environment, name, disabled, sort_order, parameters, constraints, variants, created_at)
     select gen_random_uuid()::text, name, environment, 'flexibleRollout', false, 0,
       ('{"rollout":"50","stickiness":"default","groupId":"' || name || '"}')::json,
       '[{"contextName":"userId","operator":"IN","values":["1","2","3"],"inverted":false,"caseInsensitive":false}]', '[]', now()
     from features, unnest($2::text[]) environment where project = $1`,
    project,
    environments,
  );
  await run(
    `insert into tags (type, value, created_at) values ('simple', 'bench', now()) on conflict do nothing`,
  );
  await run(
    `insert into feature_tags (feature_name, type, value, created_at)
     select name, 'simple', 'bench', now() from features where project = $1`,
    project,
  );
  await run(
    `insert into events (id, created_at, type, created_by, created_by_user_id, project, environment, feature_name,
       data, pre_data, tags, label, summary, actor_seal, hash)
     select (select max(id) from events) + n, now(),
       (array['feature-environment-enabled', 'feature-strategy-update', 'feature-tagged', 'feature-created'])[1 + n % 4],
       'user' || n % 2, n % 2 + 1, $1, 'development',
       $1 || '-feature-' || lpad((1 + n % $2::int)::text, 5, '0'),
       '{"description":"What somebody wrote about it, in some words"}', null, '[]', 'Label', 'A summary', '\\x00', '\\x00'
     from generate_series(1, $2::int * $3::int) n`,
    project,
    features,
    eventsPerFeature,
  );
  await run(
    `insert into event_days (day, first_id, last_id)
     select (created_at at time zone 'UTC')::date, min(id), max(id) from events group by 1
     on conflict (day) do update set last_id = excluded.last_id`,
  );
  await run(gatherAuthors);
  await run('vacuum analyze');
}
