/** Who can have roles in a project: an account (of a person or a service), or a group. */
export interface Holder {
  readonly kind: 'user' | 'group';
  readonly id: number;
}

/** One role that somebody has in a project. */
export interface Holding extends Holder {
  readonly role: number;
}

const keyOf = ({ kind, id, role }: Holding) => `${kind} ${id} ${role}`;

/** Those of the first list that are not in the second, each once. */
export function without<H extends Holding>(
  holdings: readonly H[],
  others: readonly Holding[],
): readonly H[] {
  const seen = new Set(others.map(keyOf));
  return holdings.filter((holding) => {
    const key = keyOf(holding);
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

export const isOf =
  ({ kind, id }: Holder) =>
  (holding: Holding): boolean =>
    holding.kind === kind && holding.id === id;

const ascending = (numbers: Iterable<number>) => [...numbers].sort((a, b) => a - b);

/** The ids of the roles that somebody has, in their order. */
export const rolesOf = (holdings: readonly Holding[], holder: Holder): number[] =>
  ascending(holdings.filter(isOf(holder)).map(({ role }) => role));

/** Each role with the ids of those who have it, all in their order. */
export const byRole = (holdings: readonly Holding[]) =>
  ascending(new Set(holdings.map(({ role }) => role))).map((role) => {
    const idsOf = (kind: Holder['kind']) =>
      ascending(
        holdings.filter((each) => each.role === role && each.kind === kind).map(({ id }) => id),
      );
    return { role, groups: idsOf('group'), users: idsOf('user') };
  });
