export interface Tag {
  readonly type: string;
  readonly value: string;
}

export const tagText = ({ type, value }: Tag): string => `${type}:${value}`;

/** Reads `type:value`; a text without a type is a simple tag. */
export function readTag(text: string): Tag {
  const trimmed = text.trim();
  const colon = trimmed.indexOf(':');
  return colon < 0
    ? { type: 'simple', value: trimmed }
    : { type: trimmed.slice(0, colon).trim(), value: trimmed.slice(colon + 1).trim() };
}

export const isTag = ({ type, value }: Tag): boolean =>
  [type, value].every((part) => part.length >= 2 && part.length <= 50);
