import type { Db } from '../../../../platform/db/database.ts';
import { notFound } from '../../../../platform/errors.ts';
import { effectiveStrategy } from './default-strategy.ts';
import type { DefaultStrategy } from './default-strategy-schema.ts';
import {
  findProjectEnvironment,
  listCountedEnvironments,
  type ProjectEnvironment,
} from './queries.ts';

export const withDefaultStrategy = <
  E extends Pick<ProjectEnvironment, 'storedStrategy' | 'defaultStickiness'>,
>({
  storedStrategy,
  defaultStickiness,
  ...environment
}: E) => ({
  ...environment,
  defaultStrategy: effectiveStrategy(storedStrategy, defaultStickiness),
});

export async function listEnvironmentsOf(db: Db, project: string, now: Date) {
  const environments = await listCountedEnvironments(db, project, now);
  return environments.map(
    ({ changeRequestsEnabled, requiredApprovals, rules, ...environment }) => ({
      ...withDefaultStrategy(environment),
      visible: true,
    }),
  );
}

export async function getDefaultStrategy(
  db: Db,
  { project, environment }: { project: string; environment: string },
): Promise<DefaultStrategy> {
  const found = await findProjectEnvironment(db, project, environment);
  if (!found) throw notFound('environment', environment);
  return withDefaultStrategy(found).defaultStrategy;
}
