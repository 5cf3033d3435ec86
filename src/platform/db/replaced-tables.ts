import {
  DefaultQueryExecutor,
  DummyDriver,
  Kysely,
  PostgresDialect,
  type RawBuilder,
  type RootOperationNode,
  sql,
} from 'kysely';
import type { Database, Db } from './database.ts';

/**
 * A table and the query that statements read instead of it. Within the query, the names of tables listed before it mean
 * their queries, and all others, its own included, the tables themselves.
 */
export interface ReplacedTable {
  readonly name: string;
  readonly rows: RawBuilder<unknown>;
  /** Computed once for each statement, because statements look for its rows one by one without an index for that. */
  readonly isComputedOnce?: true;
}

/** Kysely's constructor requires a dialect. An executor with its own connections never uses it. */
const unusedDialect = new PostgresDialect({
  pool: () => Promise.reject(new Error('the executor has its connections')),
});

const wordsOf = (text: string): ReadonlySet<string> => new Set(text.match(/[a-z_]+/g));

/**
 * A handle on the same connections whose statements read other rows instead of those of some tables: each statement is
 * preceded by common table expressions with the names of the tables that it mentions.
 */
export function replaceTables(db: Db, tables: readonly ReplacedTable[]): Db {
  const executor = db.getExecutor();
  const queryId = { queryId: 'replaced tables' };
  const textOf = (node: RootOperationNode) => executor.compileQuery(node, queryId).sql;
  const described = tables.map(({ name, rows, isComputedOnce }) => {
    const node = rows.toOperationNode();
    return { name, node, isComputedOnce, words: wordsOf(textOf(node)) };
  });

  /** Those that a statement mentions, and those that their queries mention in turn. */
  const mentionedIn = (text: string) => {
    const words = new Set(wordsOf(text));
    return described
      .toReversed()
      .filter((table) => {
        if (!words.has(table.name)) return false;
        for (const word of table.words) words.add(word);
        return true;
      })
      .reverse();
  };

  const replaced = (node: RootOperationNode): RootOperationNode => {
    const text = textOf(node);
    const mentioned = mentionedIn(text);
    if (mentioned.length === 0) return node;
    // PostgreSQL refuses a second WITH directly within the first.
    const statement = text.trimStart().startsWith('with ')
      ? sql`select * from (${operand(node)}) statement`
      : sql`(${operand(node)})`;
    const expressions = mentioned.map(
      // Otherwise PostgreSQL computes all rows of a table that a statement mentions twice.
      ({ name, node: rows, isComputedOnce }) =>
        sql`${sql.id(name)} as ${sql.raw(isComputedOnce ? '' : 'not')} materialized (${operand(rows)})`,
    );
    return sql`with ${sql.join(expressions)} ${statement}`.toOperationNode();
  };

  return new Kysely<Database>({
    config: { dialect: unusedDialect },
    dialect: unusedDialect,
    driver: new DummyDriver(),
    executor: new DefaultQueryExecutor(
      { compileQuery: (node, id) => executor.compileQuery(replaced(node), id) },
      executor.adapter,
      executor,
    ),
  });
}

const operand = (node: RootOperationNode) => ({ toOperationNode: () => node });
