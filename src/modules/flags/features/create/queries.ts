import { sql } from 'kysely';
import { effectiveStrategy } from '../../../catalogue/projects/index.ts';
import { type RuleRow, rulesInSql, rulesOf, type subjectsOf } from '../../strategies/index.ts';

interface GroundRow extends RuleRow {
  readonly defaultStickiness: string;
  readonly defaultStrategies: readonly {
    readonly environment: string;
    readonly stored: Parameters<typeof effectiveStrategy>[0];
  }[];
}

/**
 * What a project has to say to what a feature begins with, and the rules for strategies, for the statement that holds
 * the project. None of its environments goes before the transaction ends.
 */
export const groundInSql = (subjects: ReturnType<typeof subjectsOf>) => sql<GroundRow>`
  p.default_stickiness as "defaultStickiness",
  (select coalesce(json_agg(json_build_object(
      'environment', own.environment, 'stored', own.default_strategy)), '[]')
    from project_environments own where own.project = p.id) as "defaultStrategies",
  ${rulesInSql(subjects)}`;

export const groundOf = (row: GroundRow) => ({
  rules: rulesOf(row),
  defaultStickiness: row.defaultStickiness,
  /** What switching on adds where there is no enabled strategy, by environment. */
  defaultStrategies: new Map(
    row.defaultStrategies.map(({ environment, stored }) => [
      environment,
      effectiveStrategy(stored, row.defaultStickiness),
    ]),
  ),
});
