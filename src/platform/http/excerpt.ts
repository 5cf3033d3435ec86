const maxCharacters = 80;

/** Appends the JSON of a value, and stops soon after the text is long enough. */
function append(text: string, value: unknown): string {
  if (text.length > maxCharacters) return text;
  if (typeof value === 'string') return text + JSON.stringify(value.slice(0, maxCharacters + 1));
  if (typeof value !== 'object' || value === null) return text + (JSON.stringify(value) ?? 'null');
  const isList = Array.isArray(value);
  // Reads only the first items of a list, which may have 10,000.
  const keys = isList ? [...value.slice(0, maxCharacters).keys()] : Object.keys(value);
  let longer = text + (isList ? '[' : '{');
  for (const [index, key] of keys.entries()) {
    if (longer.length > maxCharacters) return longer;
    if (index > 0) longer += ',';
    if (!isList) longer = `${append(longer, key)}:`;
    longer = append(longer, (value as Readonly<Record<string, unknown>>)[key]);
  }
  return longer + (isList ? ']' : '}');
}

/**
 * Returns the beginning of a value as JSON, for a message. It serialises no more than it returns: a body of 1 MiB
 * nested 100 levels deep, with a fault in each, would otherwise be serialised 100 times.
 */
export function excerpt(value: unknown): string {
  if (value === undefined) return 'undefined';
  const text = append('', value);
  return text.length > maxCharacters ? `${text.slice(0, maxCharacters - 3)}...` : text;
}
