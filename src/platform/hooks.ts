import type { Db, Tx } from './db/database.ts';

type Work<Subject> = (tx: Tx, subject: Subject) => Promise<void>;

/**
 * Something that one module does and others take part in, within the same transaction. The module that does it offers
 * the hook; those above it, which it may not import, handle it.
 */
export interface Hook<Subject> {
  readonly name: string;
  /** What a module keeps may point at what those below it keep: the first to copy is the last to delete. */
  readonly order: 'lowest first' | 'highest first';
  readonly handledBy: (work: Work<Subject>) => HookHandler;
}

export interface HookHandler {
  readonly hook: string;
  /** Its subject is that of the hook with this name: `handledBy` has checked it. */
  readonly work: Work<never>;
}

export function defineHook<Subject>(name: string, order: Hook<Subject>['order']): Hook<Subject> {
  return { name, order, handledBy: (work) => ({ hook: name, work }) };
}

export type RunHook = <Subject>(hook: Hook<Subject>, tx: Tx, subject: Subject) => Promise<void>;

/** Runs the handlers of modules that are listed lowest first, one after the other. */
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
 * Something that one module reads and a module above it knows. The module that reads it offers the lookup; the module
 * above, which it may not import, answers it.
 */
export interface Lookup<Question, Result> {
  readonly name: string;
  readonly answeredBy: (answer: Answer<Question, Result>) => LookupAnswer;
}

export interface LookupAnswer {
  readonly lookup: string;
  /** Question and result are those of the lookup with this name: `answeredBy` has checked them. */
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

/** Every lookup has one answer, among those of all modules. */
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
