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
import { masked, type OidcInput, OidcInputSchema, type OidcSettings } from './contract.ts';

type Keys = readonly Buffer[];

/** As stored: the secret is stored apart, and the role is an id. */
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

/** The role of new users. Viewer if the configured role was deleted. */
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

/** Undefined if the input has no role. */
async function requestedRole(tx: Tx, input: OidcInput): Promise<Role | undefined> {
  const { defaultRootRole, defaultRootRoleId } = input;
  // Clients send 0 if no role is chosen.
  if (defaultRootRoleId) {
    return getRootRole(tx.db, defaultRootRoleId, '/body/defaultRootRoleId');
  }
  if (defaultRootRole) return getRootRole(tx.db, defaultRootRole, '/body/defaultRootRole');
  if (defaultRootRoleId === undefined && defaultRootRole === undefined) return undefined;
  return getRootRole(tx.db, roleIds.viewer, '/body/defaultRootRoleId');
}

const notStored = new Set(['secret', 'defaultRootRole', 'enableSingleSignOut']);

const isStoredField = (key: string): boolean =>
  !notStored.has(key) && Object.hasOwn(OidcInputSchema.properties, key);

/** Clients of the reference product send blanks to empty a field. */
const isBlank = (value: unknown) => typeof value === 'string' && value.trim() === '';

const isGiven = (value: unknown) => value !== null && value !== undefined && !isBlank(value);

/** Absent fields stay, empty ones are removed. */
function applyInput(before: StoredOidc, input: OidcInput, role: Role | undefined): StoredOidc {
  const { secret, defaultRootRole, defaultRootRoleId, ...fields } = input;
  const merged = { ...before, ...fields, ...(role && { defaultRootRoleId: role.id }) };
  // A body may have any other fields: 90,000 stored ones slowed down every log-in.
  const given = Object.entries(merged).filter(
    ([key, value]) => isStoredField(key) && isGiven(value),
  );
  // `Object.entries` loses the types. The contract has checked the input, and the rest was stored.
  return Object.fromEntries(given) as unknown as StoredOidc;
}

/** Faults for what is missing before people can sign in. */
function completenessFaults(after: StoredOidc, isSecretSet: boolean): Fault[] {
  const needs = (path: string, why: string): Fault => ({
    path: `/body/${path}`,
    message: `/body/${path} is required ${why}`,
  });
  const toSignIn = 'to enable sign-in through a provider';
  return [
    ...(after.enabled && !after.discoverUrl ? [needs('discoverUrl', toSignIn)] : []),
    ...(after.enabled && !after.clientId ? [needs('clientId', toSignIn)] : []),
    ...(after.enabled && !isSecretSet ? [needs('secret', toSignIn)] : []),
    ...(after.enableGroupSyncing && !after.groupJsonPath
      ? [needs('groupJsonPath', 'to read groups from the provider')]
      : []),
  ];
}

const originOf = (url: string) => new URL(url).origin;

/**
 * The secret after the change: a new one, none (null), or the stored one (undefined). A stored secret must not be sent
 * to another provider than the one it was entered for.
 */
function requestedSecret(before: StoredOidc, after: StoredOidc, { secret }: OidcInput) {
  if (secret && isBlank(secret)) return { text: null };
  if (secret && secret !== masked) return { text: secret };
  if (before.discoverUrl === undefined) return { text: undefined };
  if (after.discoverUrl === undefined) return { text: null };
  const isForAnother = originOf(before.discoverUrl) !== originOf(after.discoverUrl);
  return { text: undefined, isForAnother };
}

interface OidcChange {
  readonly before: StoredOidc;
  readonly after: StoredOidc;
  readonly hadSecret: boolean;
}

async function saveOidcSettings(
  tx: Tx,
  keys: Keys,
  { before, after, hadSecret }: OidcChange,
  input: OidcInput,
): Promise<OidcSettings> {
  const { text, isForAnother } = requestedSecret(before, after, input);
  const isSecretSet = text === undefined ? hadSecret : text !== null;
  const faults = completenessFaults(after, isSecretSet);
  if (isForAnother && isSecretSet) {
    const path = '/body/secret';
    faults.push({ path, message: `${path} must be entered again for a different provider` });
  }
  if (faults.length > 0) throw badData(faults);
  if (before.enabled && !after.enabled && (await isPasswordSignInOff(tx.db))) {
    throw invalidOperation('This would lock everyone out. Enable password sign-in first');
  }
  await writeSetting(tx, oidcSetting, after, { keys, text });
  return answerOf(tx.db, after, isSecretSet);
}

async function getOidcForUpdate(tx: Tx): Promise<Omit<OidcChange, 'after'>> {
  const held = await getSettingForUpdate<StoredOidc>(tx, oidcSetting);
  return { before: { ...unset, ...held?.value }, hadSecret: held?.hasSecret === true };
}

export async function changeOidcSettings(
  tx: Tx,
  keys: Keys,
  input: OidcInput,
): Promise<OidcSettings> {
  const held = await getOidcForUpdate(tx);
  const role = await requestedRole(tx, input);
  return saveOidcSettings(
    tx,
    keys,
    { ...held, after: applyInput(held.before, input, role) },
    input,
  );
}

/** Makes the settings what they were, by the same rules, with the present secret. */
export const restoreOidcSettings = async (tx: Tx, keys: Keys, after: object): Promise<unknown> =>
  saveOidcSettings(
    tx,
    keys,
    // It was stored before.
    { ...(await getOidcForUpdate(tx)), after: after as StoredOidc },
    {},
  );

/** Everything needed to sign in through the provider. */
export interface OidcConnection extends StoredOidc {
  readonly discoverUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

/** Undefined if OpenID Connect is off. */
export async function findConnection(db: Db, keys: Keys): Promise<OidcConnection | undefined> {
  const stored = await readSetting<StoredOidc>(db, oidcSetting);
  if (!stored?.enabled || !stored.discoverUrl || !stored.clientId) return undefined;
  const clientSecret = await readSecret(db, keys, oidcSetting);
  if (clientSecret === undefined) return undefined;
  const { discoverUrl, clientId } = stored;
  return { ...unset, ...stored, discoverUrl, clientId, clientSecret };
}
