/** One step of a JSON pointer (RFC 6901), written so that its slashes and tildes are part of the key. */
export const escapeToken = (key: string): string => key.replaceAll('~', '~0').replaceAll('/', '~1');

/** The keys that a JSON pointer names, from the outermost to the innermost. */
export const tokensOf = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));

/** What a JSON pointer leads to; undefined where nothing is. */
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
