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

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;

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
  const fullName = [textOf(claims.given_name), textOf(claims.family_name)]
    .filter((part) => part !== undefined)
    .join(' ');
  return {
    issuer: token.iss,
    subject: `${token.iss} ${token.sub}`,
    // Removes control characters and cuts very long names.
    name: (textOf(claims.name) ?? textOf(fullName))?.replace(/\p{C}/gu, '').slice(0, longestName),
    username: textOf(claims.preferred_username),
    ...address,
    groups: groupPath === undefined ? [] : (namesAt(claims, groupPath) ?? []),
  };
}
