import type { Db, Tx } from '../../../platform/db/database.ts';
import { badData, type Fault, invalidOperation } from '../../../platform/errors.ts';
import { roleIds } from '../gate/index.ts';
import { findRootRole, getRootRole, type Role } from '../roles/index.ts';
import {
  getSettingForUpdate,
  hasSecret,
  isPasswordSignInOff,
  oidcSetting,
  readSecret,
  readSetting,
  writeSetting,
} from '../settings/index.ts';
import { masked, type OidcSettings, type OidcWish, OidcWishSchema } from './contract.ts';

type Keys = readonly Buffer[];

/** As it is stored: the secret lies elsewhere, and a role is an id. */
export type StoredOidc = Omit<OidcSettings, 'secret' | 'defaultRootRole' | 'defaultRootRoleId'> & {
  readonly defaultRootRoleId?: number;
};

const unset: StoredOidc = {
  enabled: false,
  autoCreate: false,
  enableGroupSyncing: false,
  addGroupsScope: false,
  enablePkce: true,
};

/** What a new user may do. A role that was deleted since leaves them what everybody may. */
export async function defaultRoleOf(db: Db, { defaultRootRoleId }: StoredOidc): Promise<Role> {
  const chosen =
    defaultRootRoleId === undefined ? undefined : await findRootRole(db, defaultRootRoleId);
  return chosen ?? getRootRole(db, roleIds.viewer, '/body/defaultRootRoleId');
}

async function answerOf(db: Db, stored: StoredOidc, isSecretSet: boolean): Promise<OidcSettings> {
  const role = await defaultRoleOf(db, stored);
  return {
    ...stored,
    ...(isSecretSet && { secret: masked }),
    defaultRootRole: role.name,
    defaultRootRoleId: role.id,
  };
}

export async function getOidcSettings(db: Db): Promise<OidcSettings> {
  const stored = await readSetting<StoredOidc>(db, oidcSetting);
  return answerOf(db, { ...unset, ...stored }, await hasSecret(db, oidcSetting));
}

/** The role that a wish names; undefined: it names none. */
async function wishedRole(tx: Tx, wish: OidcWish): Promise<Role | undefined> {
  const { defaultRootRole, defaultRootRoleId } = wish;
  // Clients send 0 where nobody chose a role.
  if (defaultRootRoleId) {
    return getRootRole(tx.db, defaultRootRoleId, '/body/defaultRootRoleId');
  }
  if (defaultRootRole) return getRootRole(tx.db, defaultRootRole, '/body/defaultRootRole');
  if (defaultRootRoleId === undefined && defaultRootRole === undefined) return undefined;
  return getRootRole(tx.db, roleIds.viewer, '/body/defaultRootRoleId');
}

const notStored = new Set(['secret', 'defaultRootRole', 'enableSingleSignOut']);

const isStoredField = (key: string): boolean =>
  !notStored.has(key) && Object.hasOwn(OidcWishSchema.properties, key);

/** A text of blanks is none: that is how clients of the reference product empty one. */
const isBlank = (value: unknown) => typeof value === 'string' && value.trim() === '';

const isGiven = (value: unknown) => value !== null && value !== undefined && !isBlank(value);

/** What a wish makes of the settings; what it leaves out stays, what it empties goes. */
function changed(before: StoredOidc, wish: OidcWish, role: Role | undefined): StoredOidc {
  const { secret, defaultRootRole, defaultRootRoleId, ...fields } = wish;
  const merged = { ...before, ...fields, ...(role && { defaultRootRoleId: role.id }) };
  // A body may hold any other field: stored, 90,000 of them slowed down everybody who came to sign in.
  const given = Object.entries(merged).filter(
    ([key, value]) => isStoredField(key) && isGiven(value),
  );
  // Entries lose which key has which type; the contract has checked the wish, and the rest was stored.
  return Object.fromEntries(given) as unknown as StoredOidc;
}

/** The words for a way in that leads nowhere. */
function incomplete(after: StoredOidc, isSecretSet: boolean): Fault[] {
  const needs = (path: string, why: string): Fault => ({
    path: `/body/${path}`,
    message: `/body/${path} is needed ${why}`,
  });
  const toSignIn = 'before people can sign in through a provider';
  return [
    ...(after.enabled && !after.discoverUrl ? [needs('discoverUrl', toSignIn)] : []),
    ...(after.enabled && !after.clientId ? [needs('clientId', toSignIn)] : []),
    ...(after.enabled && !isSecretSet ? [needs('secret', toSignIn)] : []),
    ...(after.enableGroupSyncing && !after.groupJsonPath
      ? [needs('groupJsonPath', 'to find the groups that the provider names')]
      : []),
  ];
}

const originOf = (url: string) => new URL(url).origin;

/**
 * The secret as a wish leaves it: a new one, none (null), or the one that is stored (undefined). It is
 * given to the provider it was entered for, and to no other that somebody puts in its place.
 */
function wishedSecret(before: StoredOidc, after: StoredOidc, { secret }: OidcWish) {
  if (secret && isBlank(secret)) return { text: null };
  if (secret && secret !== masked) return { text: secret };
  if (before.discoverUrl === undefined) return { text: undefined };
  if (after.discoverUrl === undefined) return { text: null };
  const isForAnother = originOf(before.discoverUrl) !== originOf(after.discoverUrl);
  return { text: undefined, isForAnother };
}

export async function changeOidcSettings(
  tx: Tx,
  keys: Keys,
  wish: OidcWish,
): Promise<OidcSettings> {
  const held = await getSettingForUpdate<StoredOidc>(tx, oidcSetting);
  const before = { ...unset, ...held?.value };
  const role = await wishedRole(tx, wish);
  const after = changed(before, wish, role);
  const { text, isForAnother } = wishedSecret(before, after, wish);
  const isSecretSet = text === undefined ? held?.hasSecret === true : text !== null;
  const faults = incomplete(after, isSecretSet);
  if (isForAnother && isSecretSet) {
    const path = '/body/secret';
    faults.push({ path, message: `${path} must be entered again for another provider` });
  }
  if (faults.length > 0) throw badData(faults);
  if (before.enabled && !after.enabled && (await isPasswordSignInOff(tx.db))) {
    throw invalidOperation(
      'Nobody could sign in: switch signing in with passwords on before you switch this off',
    );
  }
  await writeSetting(tx, oidcSetting, after, { keys, text });
  return answerOf(tx.db, after, isSecretSet);
}

/** A way in that is open: all that is needed to ask the provider. */
export interface OidcConnection extends StoredOidc {
  readonly discoverUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

/** Undefined while people do not sign in through a provider. */
export async function findConnection(db: Db, keys: Keys): Promise<OidcConnection | undefined> {
  const stored = await readSetting<StoredOidc>(db, oidcSetting);
  if (!stored?.enabled || !stored.discoverUrl || !stored.clientId) return undefined;
  const clientSecret = await readSecret(db, keys, oidcSetting);
  if (clientSecret === undefined) return undefined;
  const { discoverUrl, clientId } = stored;
  return { ...unset, ...stored, discoverUrl, clientId, clientSecret };
}
