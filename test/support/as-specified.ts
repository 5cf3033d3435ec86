/**
 * A feature, or a part of one, in the format of part 2 of the specification, which only the operations of part 4
 * return. Other operations return null for unset properties and descriptions.
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
