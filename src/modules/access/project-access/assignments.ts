/** An account (of a person or a service) or a group. */
export interface RoleHolder {
  readonly kind: 'user' | 'group';
  readonly id: number;
}

/** A role of an account or a group in a project. */
export interface RoleAssignment extends RoleHolder {
  readonly role: number;
}

const keyOf = ({ kind, id, role }: RoleAssignment) => `${kind} ${id} ${role}`;

/** The items of the first list that are not in the second, without duplicates. */
export function without<H extends RoleAssignment>(
  assignments: readonly H[],
  others: readonly RoleAssignment[],
): readonly H[] {
  const seen = new Set(others.map(keyOf));
  return assignments.filter((assignment) => {
    const key = keyOf(assignment);
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

export const belongsTo =
  ({ kind, id }: RoleHolder) =>
  (assignment: RoleAssignment): boolean =>
    assignment.kind === kind && assignment.id === id;

const ascending = (numbers: Iterable<number>) => [...numbers].sort((a, b) => a - b);

/** The ids of the roles of a holder, sorted. */
export const rolesOf = (assignments: readonly RoleAssignment[], holder: RoleHolder): number[] =>
  ascending(assignments.filter(belongsTo(holder)).map(({ role }) => role));

/** Each role with the ids of its holders, sorted. */
export const groupByRole = (assignments: readonly RoleAssignment[]) =>
  ascending(new Set(assignments.map(({ role }) => role))).map((role) => {
    const idsOf = (kind: RoleHolder['kind']) =>
      ascending(
        assignments.filter((each) => each.role === role && each.kind === kind).map(({ id }) => id),
      );
    return { role, groups: idsOf('group'), users: idsOf('user') };
  });
