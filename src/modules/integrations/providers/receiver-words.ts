/** What the body of an answer says of an error, in whichever of the usual keys it does. */
export const errorWords = (body: unknown): string | undefined => {
  if (typeof body !== 'object' || body === null) return undefined;
  const { message, error, errors } = body as Record<string, unknown>;
  const words = [message, error, ...(Array.isArray(errors) ? errors : [errors])].flatMap(textOf);
  return words.length === 0 ? undefined : words.join(' – ');
};

const textOf = (value: unknown): string[] => {
  if (typeof value === 'string') return value === '' ? [] : [value];
  if (typeof value !== 'object' || value === null) return [];
  const { error, message } = value as Record<string, unknown>;
  return [error, message].filter((words) => typeof words === 'string');
};
