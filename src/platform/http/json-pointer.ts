/** Escapes a key as a token of a JSON pointer (RFC 6901). */
export const escapeToken = (key: string): string => key.replaceAll('~', '~0').replaceAll('/', '~1');

/** Returns the keys of a JSON pointer, outermost first. */
export const tokensOf = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));

/** Returns the value at a JSON pointer, or undefined. */
export function valueAt(document: unknown, tokens: readonly string[]): unknown {
  let value = document;
  for (const token of tokens) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, token)) {
      return undefined;
    }
    value = (value as Readonly<Record<string, unknown>>)[token];
  }
  return value;
}
