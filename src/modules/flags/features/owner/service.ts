import type { Db, Tx } from '../../../../platform/db/database.ts';
import { badData, type Fault } from '../../../../platform/errors.ts';
import { endFaults } from '../../../../platform/expiry.ts';
import type { SetOwner, ShownOwner } from './owner-schema.ts';
import { findGroup, findUser, holdGroup, listNamed, type Owner } from './queries.ts';

const kinds = { user: 'User', group: 'Group' } as const;

type FoundOwner = Owner | { readonly refusal: string };

/** The user or group, or why it can't be an owner in the project. */
export async function findOwner(
  tx: Tx,
  project: string,
  { type, id }: SetOwner,
): Promise<FoundOwner> {
  const found =
    type === 'user' ? await findUser(tx.db, id, project) : await holdGroup(tx, id, project);
  if (!found) return { refusal: `${kinds[type]} '${id}' not found` };
  if (!found.seesProject) {
    return { refusal: `${kinds[type]} '${found.name}' has no access to the project '${project}'` };
  }
  return { type, id, name: found.name };
}

export const ownerKey = ({ type, id }: SetOwner): string => `${type}:${id}`;

/** Looks each user and group up once, however many features it is to own. By `ownerKey`. */
export async function findOwners(
  tx: Tx,
  project: string,
  owners: readonly SetOwner[],
): Promise<ReadonlyMap<string, FoundOwner>> {
  const found = new Map<string, FoundOwner>();
  for (const owner of owners) {
    const key = ownerKey(owner);
    if (!found.has(key)) found.set(key, await findOwner(tx, project, owner));
  }
  return found;
}

/** Throws if the user or group can't be an owner in the project. */
export async function getOwner(
  tx: Tx,
  project: string,
  owner: SetOwner,
  path = '/body/owner',
): Promise<Owner> {
  const found = await findOwner(tx, project, owner);
  if ('refusal' in found) throw badData([{ path, message: found.refusal }]);
  return found;
}

interface NamedOwner {
  readonly type: SetOwner['type'];
  readonly name: string;
}

/** Users sign in with an address in upper or lower case. */
export const ownerNameKey = ({ type, name }: NamedOwner): string =>
  `${type} ${type === 'user' ? name.toLowerCase() : name}`;

/** Those that exist and see the project, by `ownerNameKey`. */
export async function findOwnersNamed(
  db: Db,
  project: string,
  owners: readonly NamedOwner[],
): Promise<ReadonlyMap<string, SetOwner>> {
  if (owners.length === 0) return new Map();
  const namesOf = (wanted: SetOwner['type']) => [
    ...new Set(owners.filter(({ type }) => type === wanted).map(({ name }) => name)),
  ];
  const found = await listNamed(db, {
    logins: namesOf('user').map((name) => name.toLowerCase()),
    groups: namesOf('group'),
  });
  const able = new Map<string, SetOwner>();
  for (const { type, id, name } of found) {
    const owner = await (type === 'user' ? findUser : findGroup)(db, id, project);
    if (owner?.seesProject) able.set(ownerNameKey({ type, name }), { type, id });
  }
  return able;
}

export const showOwner = ({ type, id, name }: Owner, baseUrl: string): ShownOwner =>
  type === 'user'
    ? { type, id, name, imageUrl: `${baseUrl}/avatars/${id}.svg` }
    : { type, id, name };

/** An expiry may be in the past. PostgreSQL has no year 0. */
export function expiresAtFaults(text: unknown, path = '/body/expiresAt'): Fault[] {
  if (typeof text !== 'string') return [];
  if (new Date(text).getTime() < 0) return [{ path, message: `${path} must be in 1970 or later` }];
  return endFaults(text, path);
}
