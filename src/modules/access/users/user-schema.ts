import { type Static, Type } from 'typebox';
import { instant, maxInteger, named, nameText } from '../../../platform/contract/schema.ts';

export const PersonNameSchema = nameText({
  minLength: 0,
  maxLength: 255,
  description: 'Display name',
});

export const UsernameSchema = Type.String({
  minLength: 1,
  maxLength: 255,
  pattern: '^[^\\s\\p{C}]+( +[^\\s\\p{C}]+)*$',
  'x-fault': 'must be 1 to 255 characters, with spaces only between other characters',
  description: 'Sign-in name; case-insensitive',
});

/** No whitespace, brackets or commas, because the address goes into the header of a mail. */
export const EmailSchema = Type.String({
  maxLength: 254,
  pattern: '^[^\\s\\p{C}@<>()\\[\\]\\\\,;:"]+@[\\p{L}\\p{N}-]+(\\.[\\p{L}\\p{N}-]+)*$',
  'x-fault': 'must be an email address such as ada@example.com',
  description: 'Address for sign-in and mail; case-insensitive',
});

/** Only an upper bound for reading. The policy has the rules for passwords. */
export const PasswordSchema = Type.String({
  maxLength: 1000,
  writeOnly: true,
  format: 'password',
  description:
    '10 to 200 characters, at least 5 different ones; must not be common or contain the name of the user',
});

export const UserSchema = named(
  'userSchema',
  Type.Object({
    id: Type.Integer({ description: 'Positive for accounts, negative for API tokens' }),
    name: Type.Optional(Type.String()),
    username: Type.Optional(Type.String()),
    email: Type.Optional(Type.String()),
    imageUrl: Type.Optional(Type.String({ description: 'URL of the avatar' })),
    rootRole: Type.Optional(Type.Integer({ description: 'ID of a root role' })),
    createdAt: Type.Optional(instant),
    seenAt: Type.Optional(
      Type.String({ format: 'date-time', description: 'Omitted if never seen' }),
    ),
    accountType: Type.Optional(Type.String({ description: 'User or Service Account' })),
    isAPI: Type.Optional(Type.Boolean({ description: 'Whether the actor is an API token' })),
  }),
);
export type User = Static<typeof UserSchema>;

/** The public fields of a person. */
export const UserBasicsSchema = Type.Object({
  id: Type.Integer(),
  name: Type.Optional(Type.String()),
  username: Type.Optional(Type.String()),
  email: Type.Optional(Type.String()),
  imageUrl: Type.String(),
});
export type UserBasics = Static<typeof UserBasicsSchema>;

/** A role in a request, by id or name. */
export const RoleIdOrNameSchema = Type.Unsafe<number | string>({
  type: ['integer', 'string'],
  minimum: 1,
  maximum: maxInteger,
  maxLength: 200,
  description: 'ID or name of a root role',
});

/** A person in a request, by id or login name. */
export const PersonIdOrLoginSchema = Type.Unsafe<number | string>({
  type: ['integer', 'string'],
  minimum: 1,
  maximum: maxInteger,
  minLength: 1,
  maxLength: 255,
  description: 'ID of a user, as a number or text; or a username or email address',
});

export const userId = Type.Integer({ minimum: 1, maximum: maxInteger });
