import { namesAt } from './claim-path.ts';

type Claims = Readonly<Record<string, unknown>>;

/** Whom a provider says somebody is. */
export interface Identity {
  readonly issuer: string;
  /** The provider and its name for the person: what we know them by. */
  readonly subject: string;
  readonly name: string | undefined;
  readonly username: string | undefined;
  readonly email: string | undefined;
  /** Whether the address is theirs; undefined: the provider does not say. */
  readonly emailVerified: boolean | undefined;
  readonly groups: readonly string[];
}

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;

/** Some providers write it as text. */
const yesOrNo = (value: unknown): boolean | undefined => {
  if (value === true || value === 'true') return true;
  return value === undefined || value === null ? undefined : false;
};

/** An address, and what the same source says of it. */
function emailIn(claims: Claims) {
  return { email: textOf(claims.email), emailVerified: yesOrNo(claims.email_verified) };
}

/** Whether the token alone leaves something open that the provider can be asked about. */
export const isIncomplete = (token: Claims, groupPath: string | undefined): boolean => {
  const { email, emailVerified } = emailIn(token);
  return (
    email === undefined ||
    emailVerified === undefined ||
    (groupPath !== undefined && namesAt(token, groupPath) === undefined)
  );
};

const longestName = 200;

/** What the signed token says goes before what the provider answered when it was asked. */
export function identityOf(
  token: Claims & { readonly iss: string; readonly sub: string },
  asked: Claims,
  groupPath: string | undefined,
): Identity {
  const claims = { ...asked, ...token };
  const sources = [emailIn(token), emailIn(asked)];
  const address =
    sources.find(({ email, emailVerified }) => email && emailVerified === true) ??
    sources.find(({ email }) => email) ??
    emailIn({});
  const fullName = [textOf(claims.given_name), textOf(claims.family_name)]
    .filter((part) => part !== undefined)
    .join(' ');
  return {
    issuer: token.iss,
    subject: `${token.iss} ${token.sub}`,
    // Control characters have no place in a name, and the rest of a very long one is no loss.
    name: (textOf(claims.name) ?? textOf(fullName))?.replace(/\p{C}/gu, '').slice(0, longestName),
    username: textOf(claims.preferred_username),
    ...address,
    groups: groupPath === undefined ? [] : (namesAt(claims, groupPath) ?? []),
  };
}
