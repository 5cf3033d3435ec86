import type { Db, Tx } from './db/database.ts';

type Work<Subject> = (tx: Tx, subject: Subject) => Promise<void>;

/**
 * An operation of one module in which other modules take part, within the same transaction. The module that runs it
 * defines the hook; higher modules, which it may not import, handle it.
 */
export interface Hook<Subject> {
  readonly name: string;
  /**
   * Data of a higher module may reference data of lower ones, so copying starts with the lowest and deleting with the
   * highest.
   */
  readonly order: 'lowest first' | 'highest first';
  readonly handledBy: (work: Work<Subject>) => HookHandler;
}

export interface HookHandler {
  readonly hook: string;
  /** Takes the subject of the hook with this name; `handledBy` has checked the type. */
  readonly work: Work<never>;
}

export function defineHook<Subject>(name: string, order: Hook<Subject>['order']): Hook<Subject> {
  return { name, order, handledBy: (work) => ({ hook: name, work }) };
}

export type RunHook = <Subject>(hook: Hook<Subject>, tx: Tx, subject: Subject) => Promise<void>;

/** Runs the handlers one after the other. Modules are listed lowest first. */
export function hookRunner(
  modules: readonly { readonly hooks?: readonly HookHandler[] }[],
): RunHook {
  const handlers = modules.flatMap(({ hooks = [] }) => hooks);
  return async (hook, tx, subject) => {
    const own = handlers.filter(({ hook: name }) => name === hook.name);
    if (hook.order === 'highest first') own.reverse();
    for (const { work } of own) await (work as Work<typeof subject>)(tx, subject);
  };
}

type Answer<Question, Result> = (db: Db, question: Question) => Promise<Result>;

/**
 * A question of one module that a higher module answers. The module that asks defines the lookup; the higher one, which
 * it may not import, answers it.
 */
export interface Lookup<Question, Result> {
  readonly name: string;
  readonly answeredBy: (answer: Answer<Question, Result>) => LookupAnswer;
}

export interface LookupAnswer {
  readonly lookup: string;
  /** Has the question and result types of the lookup with this name; `answeredBy` has checked them. */
  readonly answer: Answer<never, unknown>;
}

export function defineLookup<Question, Result>(name: string): Lookup<Question, Result> {
  return { name, answeredBy: (answer) => ({ lookup: name, answer }) };
}

export type LookUp = <Question, Result>(
  lookup: Lookup<Question, Result>,
  db: Db,
  question: Question,
) => Promise<Result>;

/** Requires exactly one answer for every lookup. */
export function lookupRunner(
  modules: readonly { readonly lookups?: readonly LookupAnswer[] }[],
): LookUp {
  const answers = new Map<string, LookupAnswer['answer']>();
  for (const { lookup, answer } of modules.flatMap(({ lookups = [] }) => lookups)) {
    if (answers.has(lookup)) throw new Error(`Two modules answer the lookup '${lookup}'`);
    answers.set(lookup, answer);
  }
  return async <Question, Result>(lookup: Lookup<Question, Result>, db: Db, question: Question) => {
    const answer = answers.get(lookup.name) as Answer<Question, Result> | undefined;
    if (!answer) throw new Error(`No module answers the lookup '${lookup.name}'`);
    return answer(db, question);
  };
}
