export interface Tag {
  readonly type: string;
  readonly value: string;
}

export const tagText = ({ type, value }: Tag): string => `${type}:${value}`;

/** Reads `type:value`; a text without a type is a simple tag. What is too short for the server is no tag. */
export function tagFromText(text: string): Tag | undefined {
  const trimmed = text.trim();
  const colon = trimmed.indexOf(':');
  const tag =
    colon < 0
      ? { type: 'simple', value: trimmed }
      : { type: trimmed.slice(0, colon).trim(), value: trimmed.slice(colon + 1).trim() };
  const isFine = [tag.type, tag.value].every((part) => part.length >= 2 && part.length <= 50);
  return isFine ? tag : undefined;
}
