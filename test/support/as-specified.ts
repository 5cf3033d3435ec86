/**
 * A feature, or a part of one, in the form of part 2 of the specification. Its four operations answer so; elsewhere
 * what is unset is null, and a description too.
 */
// biome-ignore lint/suspicious/noExplicitAny: an answer, of which each test knows what it holds
export function asSpecified(value: any): any {
  if (Array.isArray(value)) return value.map(asSpecified);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .map(([key, item]) => [key, key === 'description' ? (item ?? '') : asSpecified(item)])
      .filter(([, item]) => item !== null),
  );
}
