import type { Kind, StateChange, Subject } from '../../history/index.ts';

const kindOfHolder: Readonly<Partial<Record<Kind, Kind>>> = {
  'project-user': 'account',
  'project-group': 'group',
};

/** By kind and key. */
export const nameOfHolder = (kind: Kind, key: string): string => `${kind} ${key}`;

/** Who had roles in a project, and these roles, each as something that may not exist any more. */
export function holdersIn({ kind, part, before }: StateChange): Subject[] {
  const holder = kindOfHolder[kind];
  if (!holder || before === undefined) return [];
  const roles = (before as readonly number[]).map(
    (id): Subject => ({ kind: 'role', key: `${id}` }),
  );
  return [{ kind: holder, key: part }, ...roles];
}

/** The change without roles, and holders of roles, that don't exist any more. */
export function withoutGone(change: StateChange, existing: ReadonlySet<string>): StateChange {
  const holder = kindOfHolder[change.kind];
  if (!holder || change.before === undefined) return change;
  const roles = (change.before as readonly number[]).filter((id) =>
    existing.has(nameOfHolder('role', `${id}`)),
  );
  const isThere = existing.has(nameOfHolder(holder, change.part)) && roles.length > 0;
  return { ...change, before: isThere ? roles : undefined };
}
