import { type Kysely, sql } from 'kysely';

const roles = {
  Admin: 'Full access',
  Editor: 'Manage shared resources, create projects, and work in open projects',
  Viewer: 'Read-only access to everything except private projects',
  Owner: 'Full access to the project, including members',
  Member: "Create and manage the project's features",
};

const strategyTypes: Readonly<Record<string, string>> = {
  flexibleRollout: 'Enabled for a percentage of users',
  default: 'Enabled for everyone',
  remoteAddress: 'Enabled for specific IP addresses',
  applicationHostname: 'Enabled on specific hosts',
  userWithId: 'Enabled for specific users. Use a constraint on userId instead.',
  gradualRolloutUserId: 'Enabled for a percentage of users',
  gradualRolloutSessionId: 'Enabled for a percentage of sessions',
  gradualRolloutRandom: 'Enabled for a percentage of requests',
};

const parameters: Readonly<Record<string, string>> = {
  rollout: 'Rollout percentage',
  percentage: 'Rollout percentage',
  stickiness: 'Context field that keeps users in the same rollout group',
  groupId: 'Features with the same group ID reach the same users',
  IPs: 'IP addresses or CIDR ranges',
  hostNames: 'Hostnames',
  userIds: 'User IDs',
};

const featureTypes = {
  release: 'Hide unfinished work until it is released to everyone',
  experiment: 'Compare variants to find the best one',
  operational: 'Support a technical change, such as a migration',
  'kill-switch': 'Disable part of the system when it causes problems',
  permission: 'Control who can use part of the product',
};

/** New texts for the built-in roles, strategy types and feature types, which can't be edited. */
// biome-ignore lint/suspicious/noExplicitAny: a migration knows the schema of its own day, not today's
export async function up(db: Kysely<any>): Promise<void> {
  for (const [name, description] of Object.entries(roles)) {
    await sql`
      update roles set description = ${description}
      where name = ${name} and type in ('root', 'project')`.execute(db);
  }
  for (const [id, description] of Object.entries(featureTypes)) {
    await sql`update feature_types set description = ${description} where id = ${id}`.execute(db);
  }
  const { rows } = await sql<{ name: string; parameters: { name: string; description: string }[] }>`
    select name, parameters from strategy_types where built_in`.execute(db);
  for (const type of rows) {
    const described = type.parameters.map((parameter) => ({
      ...parameter,
      description: parameters[parameter.name] ?? parameter.description,
    }));
    await sql`
      update strategy_types
      set description = coalesce(${strategyTypes[type.name] ?? null}, description),
        parameters = ${JSON.stringify(described)}::json
      where name = ${type.name}`.execute(db);
  }
  await sql`
    update strategy_types set title = 'Gradual rollout (random)'
    where name = 'gradualRolloutRandom' and built_in`.execute(db);
}
