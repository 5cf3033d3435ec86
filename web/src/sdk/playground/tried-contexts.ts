import { ownKey } from '../../own-storage.ts';
import { type PlaygroundContext, readContexts } from './contexts.ts';

const keyOf = (userId: number) => ownKey(userId, 'playground contexts');

/** Remembers the contexts that the user tries in the playground. Previews of change requests evaluate them, too. */
export function rememberTried(userId: number, contexts: readonly PlaygroundContext[]): void {
  const given = contexts.filter((context) => Object.keys(context).length > 0);
  try {
    if (given.length > 0) localStorage.setItem(keyOf(userId), JSON.stringify(given));
  } catch {
    // Without storage, previews have generated contexts only.
  }
}

/** The contexts that the user tried last. */
export function readTried(userId: number): readonly PlaygroundContext[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(keyOf(userId)) ?? '[]');
    const { contexts = [] } = { contexts: [], ...readContexts(stored) };
    return contexts.filter((context) => Object.keys(context).length > 0);
  } catch {
    return [];
  }
}
