import { oneLine } from '../users/index.ts';
import { namesAt } from './claim-path.ts';

type Claims = Readonly<Record<string, unknown>>;

/** A person as the provider describes them. */
export interface Identity {
  readonly issuer: string;
  /** Issuer and subject, which identify the person. */
  readonly subject: string;
  readonly name: string | undefined;
  readonly username: string | undefined;
  readonly email: string | undefined;
  /** Undefined if the provider does not say whether the address is verified. */
  readonly emailVerified: boolean | undefined;
  readonly groups: readonly string[];
}

/** PostgreSQL cannot store NUL, and replaces lone surrogates. */
const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed();

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' && isStorable(value) ? value.trim() : undefined;

/** OpenID Connect allows 255 characters. An index of the database has room for 2,700 bytes of issuer and subject. */
const longestSubject = 255;

/** Throws if it cannot identify a person: an empty one could be anyone, and two may be equal once they are stored. */
export function checkSubject(subject: string): void {
  if (subject === '' || subject.length > longestSubject || !isStorable(subject)) {
    throw new Error('the subject of the ID token is not valid');
  }
}

/** Some providers send it as a string. */
const yesOrNo = (value: unknown): boolean | undefined => {
  if (value === true || value === 'true') return true;
  return value === undefined || value === null ? undefined : false;
};

/** The address, and whether the same source says that it is verified. */
function emailIn(claims: Claims) {
  return { email: textOf(claims.email), emailVerified: yesOrNo(claims.email_verified) };
}

/** Whether the token lacks something that the userinfo endpoint may have. */
export const isIncomplete = (token: Claims, groupPath: string | undefined): boolean => {
  const { email, emailVerified } = emailIn(token);
  return (
    email === undefined ||
    emailVerified === undefined ||
    (groupPath !== undefined && namesAt(token, groupPath) === undefined)
  );
};

const longestName = 200;

/** A name without the characters that names may not contain: no one is refused for how they are called. */
const nameOf = (value: unknown): string | undefined => {
  if (typeof value !== 'string') return undefined;
  const name = [...oneLine(value)].slice(0, longestName).join('').trim();
  return name === '' ? undefined : name;
};

/** Claims of the signed token have precedence over those of the userinfo endpoint. */
export function identityOf(
  token: Claims & { readonly iss: string; readonly sub: string },
  userInfo: Claims,
  groupPath: string | undefined,
): Identity {
  const claims = { ...userInfo, ...token };
  const sources = [emailIn(token), emailIn(userInfo)];
  const address =
    sources.find(({ email, emailVerified }) => email && emailVerified === true) ??
    sources.find(({ email }) => email) ??
    emailIn({});
  const fullName = [nameOf(claims.given_name), nameOf(claims.family_name)]
    .filter((part) => part !== undefined)
    .join(' ');
  return {
    issuer: token.iss,
    subject: `${token.iss} ${token.sub}`,
    name: nameOf(claims.name) ?? nameOf(fullName),
    username: textOf(claims.preferred_username),
    ...address,
    groups: groupPath === undefined ? [] : (namesAt(claims, groupPath) ?? []),
  };
}
