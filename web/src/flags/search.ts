/** What the address of a list of features says. */
export interface FeatureSearch {
  readonly query?: string;
  readonly type?: string;
  readonly state?: string;
  readonly tag?: string;
  readonly status?: string;
  readonly archived?: boolean;
  readonly favoritesFirst?: boolean;
  readonly sortBy?: string;
  readonly sortOrder?: 'asc' | 'desc';
}

const text = (value: unknown): string | undefined =>
  typeof value === 'string' || typeof value === 'number' ? String(value) || undefined : undefined;

const dropEmpty = <T extends object>(value: T) =>
  Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };

/** Reads an address; what is wrong in it is left out. */
export const readFeatureSearch = (raw: Record<string, unknown>): FeatureSearch =>
  dropEmpty({
    query: text(raw.query),
    type: text(raw.type),
    state: text(raw.state),
    tag: text(raw.tag),
    status: text(raw.status),
    archived: raw.archived === true || undefined,
    favoritesFirst: raw.favoritesFirst === true || undefined,
    sortBy: text(raw.sortBy),
    sortOrder: raw.sortOrder === 'desc' ? ('desc' as const) : undefined,
  });

/** The same as the query of `GET /api/admin/search/features`. */
export const toQuery = (
  { type, state, tag, status, archived, favoritesFirst, ...rest }: FeatureSearch,
  project?: string,
) => ({
  ...rest,
  ...(project !== undefined && { project: `IS:${project}` }),
  ...(type !== undefined && { type: `IS:${type}` }),
  ...(state !== undefined && { state: `IS:${state}` }),
  ...(status !== undefined && { status: [status] }),
  ...(tag !== undefined && { tag: `INCLUDE:${tag}` }),
  ...(archived && { archived: 'IS:true' }),
  ...(favoritesFirst && { favoritesFirst: 'true' as const }),
  // Newest first, unless somebody sorted by something else.
  ...(rest.sortBy === undefined && { sortBy: 'createdAt', sortOrder: 'desc' as const }),
});
