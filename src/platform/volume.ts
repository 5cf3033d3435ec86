import { type Fault, invalidOperation } from './errors.ts';

/** Characters of one thing that the log tells whole, before and after: a page of a thousand such events can still be sent. */
const maxOfOne = 128 * 1024;

/** Characters that one transaction may write: its events hold them twice more, in one statement. */
const maxOfAll = 32 * 1024 * 1024;

const charactersOf = (value: unknown): number => JSON.stringify(value)?.length ?? 0;

export const volumeFaults = (value: unknown, path: string): Fault[] => {
  const characters = charactersOf(value);
  return characters > maxOfOne
    ? [
        {
          path,
          message: `${path} takes ${characters} characters, and at most ${maxOfOne} are kept`,
        },
      ]
    : [];
};

/** Refuses work on many things whose contents together are too much for one transaction. */
export function refuseTooMuch(things: readonly unknown[]): void {
  let characters = 0;
  for (const thing of things) {
    characters += charactersOf(thing);
    if (characters > maxOfAll) {
      throw invalidOperation(
        `This would write more than ${maxOfAll} characters at once: do it in several requests`,
      );
    }
  }
}
