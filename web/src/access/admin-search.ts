const textIn = (value: unknown): string | undefined => {
  const text = typeof value === 'number' ? String(value) : value;
  return typeof text === 'string' && text !== '' ? text : undefined;
};

const numberIn = (value: unknown): number | undefined => {
  const number = Number(value);
  return Number.isSafeInteger(number) && number > 0 ? number : undefined;
};

const found = <Value>(values: readonly Value[], raw: unknown): Value | undefined =>
  values.find((value) => value === raw);

/** Leaves out what is undefined. */
const said = <Search extends object>(
  search: {
    readonly [Name in keyof Search]: Search[Name] | undefined;
  },
): Search =>
  Object.fromEntries(
    Object.entries(search).filter(([, value]) => value !== undefined),
  ) as unknown as Search;

/** The search parameters after a change, without those that are undefined. */
export const changedSearch = <Search extends object>(
  before: Search,
  next: { readonly [Name in keyof Search]?: Search[Name] | undefined },
): Search =>
  said<Search>({ ...before, ...next } as { readonly [Name in keyof Search]: Search[Name] });

export interface UsersSearch {
  readonly query?: string;
  readonly role?: number;
  readonly show?: 'inactive' | 'never';
  readonly invite?: true;
}

export const readUsersSearch = (raw: Record<string, unknown>): UsersSearch =>
  said<UsersSearch>({
    query: textIn(raw.query),
    role: numberIn(raw.role),
    show: found(['inactive', 'never'] as const, raw.show),
    invite: raw.invite === true ? true : undefined,
  });

export interface PersonSearch {
  /** The scope; without it, the instance. */
  readonly project?: string;
  readonly query?: string;
}

export const readPersonSearch = (raw: Record<string, unknown>): PersonSearch =>
  said<PersonSearch>({ project: textIn(raw.project), query: textIn(raw.query) });

export interface RolesSearch {
  readonly create?: true;
}

export const readRolesSearch = (raw: Record<string, unknown>): RolesSearch =>
  raw.create === true ? { create: true } : {};

export interface RoleSearch {
  /** The role to compare with. */
  readonly compare?: number;
  readonly all?: true;
}

export const readRoleSearch = (raw: Record<string, unknown>): RoleSearch =>
  said<RoleSearch>({
    compare: numberIn(raw.compare),
    all: raw.all === true ? true : undefined,
  });

export interface TokensSearch {
  readonly query?: string;
  readonly type?: 'client' | 'frontend' | 'admin';
  readonly create?: true;
}

export const readTokensSearch = (raw: Record<string, unknown>): TokensSearch =>
  said<TokensSearch>({
    query: textIn(raw.query),
    type: found(['client', 'frontend', 'admin'] as const, raw.type),
    create: raw.create === true ? true : undefined,
  });
