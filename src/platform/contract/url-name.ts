import { Type } from 'typebox';

const letters = "A-Z a-z 0-9 - _ . ~ ! * ' ( )";
/** Names that a URL path cannot contain. */
const unusable = ['.', '..'];

const escaped = (word: string) => word.replace(/[.*]/g, '\\$&');

/** A name that is part of a URL. It needs no percent-encoding and shadows no other path. */
export const urlName = (options: {
  description: string;
  reserved?: readonly string[];
  minLength?: 0 | 1;
}) => {
  const refused = [...unusable, ...(options.reserved ?? [])];
  return Type.String({
    minLength: options.minLength ?? 1,
    maxLength: 100,
    pattern: `^(?!(?:${refused.map(escaped).join('|')})$)[A-Za-z0-9\\-_.~!*'()]*$`,
    description: options.description,
    'x-fault': `must be 1 to 100 characters of ${letters}, and none of ${refused.join(', ')}`,
  });
};
