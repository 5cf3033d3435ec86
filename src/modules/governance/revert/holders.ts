import { isDeepStrictEqual } from 'node:util';
import type { Kind, States, Subject, Thing } from '../../history/index.ts';

const holders = { 'project-user': 'account', 'project-group': 'group' } as const;

const kindOfHolder = (kind: Kind): 'account' | 'group' | undefined =>
  kind === 'project-user' || kind === 'project-group' ? holders[kind] : undefined;

const roleOf = (id: number | null | undefined): Subject[] =>
  id == null ? [] : [{ kind: 'role', key: `${id}` }];

const kindsOfOwner = { user: 'account', group: 'group' } as const;

const ownerOf = (state: unknown) => (state as States['feature'] | undefined)?.owner ?? null;

const ownersIn = (state: unknown): Subject[] => {
  const owner = ownerOf(state);
  return owner ? [{ kind: kindsOfOwner[owner.type], key: `${owner.id}` }] : [];
};

/** The accounts, groups, and roles that a state refers to, which may have been deleted. */
export function referencesIn({ kind, part }: Thing, state: unknown): Subject[] {
  const holder = kindOfHolder(kind);
  if (holder) return [{ kind: holder, key: part }, ...((state ?? []) as number[]).flatMap(roleOf)];
  if (state === undefined) return [];
  if (kind === 'feature') return ownersIn(state);
  if (kind === 'group-user') return [{ kind: 'account', key: part }];
  return kind === 'group' || kind === 'account' ? roleOf((state as States['group']).rootRole) : [];
}

/** A part of a state that can't come back. */
interface Gone {
  readonly field: string;
  readonly wanted: unknown;
  readonly now: unknown;
  readonly reason: string;
}

const was: Readonly<Partial<Record<Kind, string>>> = {
  account: 'The account was deleted',
  group: 'The group was deleted',
  role: 'The role was deleted',
};

/** The state to return to, as far as what it refers to exists, and what is missing. */
export function withoutGone(
  thing: Thing,
  wanted: unknown,
  now: unknown,
  exists: (subject: Subject) => boolean,
): { readonly state: unknown; readonly gone: readonly Gone[] } {
  if (thing.kind === 'feature') return withoutGoneOwner(wanted, now, exists);
  const held = new Set(referencesIn(thing, now).map(({ kind, key }) => `${kind} ${key}`));
  const missing = referencesIn(thing, wanted)
    .filter(({ kind, key }) => kind !== 'role' || !held.has(`${kind} ${key}`))
    .filter((subject) => !exists(subject));
  const [first] = missing;
  if (!first) return { state: wanted, gone: [] };
  const reason = was[first.kind] ?? '';
  if (first.kind !== 'role') {
    return { state: now, gone: [{ field: '', wanted, now, reason }] };
  }
  if (kindOfHolder(thing.kind)) {
    const lost = new Set(missing.map(({ key }) => Number(key)));
    const state = (wanted as number[]).filter((role) => !lost.has(role));
    return { state, gone: [{ field: 'roles', wanted, now: state, reason }] };
  }
  const current = (now as States['group'] | undefined)?.rootRole ?? null;
  return {
    state: { ...(wanted as States['group']), rootRole: current },
    gone: [
      { field: 'rootRole', wanted: (wanted as States['group']).rootRole, now: current, reason },
    ],
  };
}

/** A feature comes back without an owner that is gone. */
function withoutGoneOwner(
  wanted: unknown,
  now: unknown,
  exists: (subject: Subject) => boolean,
): ReturnType<typeof withoutGone> {
  const current = ownerOf(now);
  const missing = ownersIn(wanted).find((subject) => !exists(subject));
  if (!missing || isDeepStrictEqual(ownerOf(wanted), current)) return { state: wanted, gone: [] };
  return {
    state: { ...(wanted as States['feature']), owner: current },
    gone: [
      {
        field: 'owner',
        ...{ wanted: ownerOf(wanted), now: current, reason: was[missing.kind] ?? '' },
      },
    ],
  };
}
