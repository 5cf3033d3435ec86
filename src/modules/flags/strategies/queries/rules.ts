import { sql } from 'kysely';
import type { Db } from '../../../../platform/db/database.ts';
import type { Legal } from '../../../catalogue/context-fields/index.ts';
import type { StrategyParameter } from '../../../catalogue/strategy-types/index.ts';

/** What there may be rules about. */
export interface Subjects {
  /** Names of types of strategies. */
  readonly types: readonly string[];
  /** Names of context fields. */
  readonly fields: readonly string[];
}

/** What types of strategies and context fields ask of strategies. */
export interface Rules {
  /** The parameters of those types that there are. */
  readonly types: ReadonlyMap<string, readonly StrategyParameter[]>;
  /** Of those fields that have any. */
  readonly legalValues: Legal;
}

export interface RuleRow {
  readonly strategyTypes: readonly { name: string; parameters: readonly StrategyParameter[] }[];
  readonly legalValues: readonly { name: string; values: readonly { value: string }[] }[];
}

/** The columns of a `RuleRow`, for a statement that reads more beside them: a trip saved for every strategy. */
export const rulesInSql = ({ types, fields }: Subjects) => sql`
  (select coalesce(json_agg(json_build_object('name', t.name, 'parameters', t.parameters)), '[]')
    from strategy_types t where t.name = any(${types}::text[])) as "strategyTypes",
  (select coalesce(json_agg(json_build_object('name', c.name, 'values', c.legal_values)), '[]')
    from context_fields c
    where c.name = any(${fields}::text[]) and json_array_length(c.legal_values) > 0) as "legalValues"`;

export const rulesOf = ({ strategyTypes, legalValues }: RuleRow): Rules => ({
  types: new Map(strategyTypes.map(({ name, parameters }) => [name, parameters])),
  legalValues: new Map(legalValues.map(({ name, values }) => [name, values])),
});

export async function readRules(db: Db, subjects: Subjects): Promise<Rules> {
  if (subjects.types.length + subjects.fields.length === 0) {
    return { types: new Map(), legalValues: new Map() };
  }
  const { rows } = await sql<RuleRow>`select ${rulesInSql(subjects)}`.execute(db);
  const [row] = rows;
  if (!row) throw new Error('a statement without a table has one row');
  return rulesOf(row);
}
