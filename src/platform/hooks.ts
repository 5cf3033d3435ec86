import type { Tx } from './db/database.ts';

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
