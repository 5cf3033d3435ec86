import { sql } from 'kysely';
import type { Db } from '../../../../platform/db/database.ts';
import type { Legal } from '../../../catalogue/context-fields/index.ts';
import type { StrategyParameter } from '../../../catalogue/strategy-types/index.ts';

/** The names of the strategy types and context fields whose rules are needed. */
export interface RuleNames {
  readonly types: readonly string[];
  readonly fields: readonly string[];
}

/** Requirements of strategy types and context fields for strategies. */
export interface Rules {
  /** The parameters of each type that exists. */
  readonly types: ReadonlyMap<string, readonly StrategyParameter[]>;
  /** Only of fields that have any. */
  readonly legalValues: Legal;
}

export async function readRules(db: Db, { types, fields }: RuleNames): Promise<Rules> {
  if (types.length + fields.length === 0) return { types: new Map(), legalValues: new Map() };
  const { rows } = await sql<{
    strategyTypes: readonly { name: string; parameters: readonly StrategyParameter[] }[];
    legalValues: readonly { name: string; values: readonly { value: string }[] }[];
  }>`
    select (select coalesce(json_agg(json_build_object('name', t.name, 'parameters', t.parameters)), '[]')
      from strategy_types t where t.name = any(${types}::text[])) as "strategyTypes",
    (select coalesce(json_agg(json_build_object('name', c.name, 'values', c.legal_values)), '[]')
      from context_fields c
      where c.name = any(${fields}::text[]) and json_array_length(c.legal_values) > 0) as "legalValues"`.execute(
    db,
  );
  const { strategyTypes = [], legalValues = [] } = rows[0] ?? {};
  return {
    types: new Map(strategyTypes.map(({ name, parameters }) => [name, parameters])),
    legalValues: new Map(legalValues.map(({ name, values }) => [name, values])),
  };
}
