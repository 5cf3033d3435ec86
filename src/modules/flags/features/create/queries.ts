import { sql } from 'kysely';
import { effectiveStrategy } from '../../../catalogue/projects/index.ts';
import type { FurtherColumns } from '../assemble/queries.ts';
import { type RuleNames, type RuleRow, ruleColumns, rulesFromRow } from '../strategies/rules.ts';

interface ProjectDefaultsRow extends RuleRow {
  readonly defaultStickiness: string;
  readonly defaultStrategies: readonly {
    readonly environment: string;
    readonly stored: Parameters<typeof effectiveStrategy>[0];
  }[];
}

/** The data that completes and validates strategies and variants of the project `p`. */
export const projectDefaultColumns = (names: RuleNames): FurtherColumns<ProjectDefaultsRow> =>
  sql<ProjectDefaultsRow>`
  p.default_stickiness as "defaultStickiness",
  (select coalesce(json_agg(json_build_object(
      'environment', own.environment, 'stored', own.default_strategy)), '[]')
    from project_environments own where own.project = p.id) as "defaultStrategies",
  ${ruleColumns(names)}`;

export const projectDefaultsFromRow = (row: ProjectDefaultsRow) => ({
  rules: rulesFromRow(row),
  defaultStickiness: row.defaultStickiness,
  /** By environment. Switching a feature on adds it where there is no enabled strategy. */
  defaultStrategies: new Map(
    row.defaultStrategies.map(({ environment, stored }) => [
      environment,
      effectiveStrategy(stored, row.defaultStickiness),
    ]),
  ),
});
