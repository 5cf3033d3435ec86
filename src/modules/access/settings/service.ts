import type { Db, Tx } from '../../../platform/db/database.ts';
import { invalidOperation } from '../../../platform/errors.ts';
import type { Settings } from '../../../platform/module.ts';
import type { Retention } from './contract.ts';
import { distinctOrigins } from './origins.ts';
import { getSettingForUpdate, readSetting, removeSetting, writeSetting } from './store.ts';

/** The ids are those of the reference product, which readers of the log know. */
const maintenance = 'maintenance.mode';
const frontend = 'unleash.frontend';
const simpleSignIn = 'unleash.auth.simple';
export const oidcSetting = 'unleash.enterprise.auth.oidc';

type Switch = { readonly enabled: boolean };

export async function isInMaintenance(db: Db): Promise<boolean> {
  const stored = await readSetting<Switch>(db, maintenance);
  return stored?.enabled === true;
}

export const setMaintenance = (tx: Tx, { enabled }: Switch): Promise<void> =>
  writeSetting(tx, maintenance, { enabled });

/** The origins from which browsers may use the frontend API. By default all. */
export async function frontendOrigins(db: Db): Promise<readonly string[]> {
  const stored = await readSetting<{ readonly frontendApiOrigins: string[] }>(db, frontend);
  return stored?.frontendApiOrigins ?? ['*'];
}

export const setFrontendOrigins = (tx: Tx, origins: readonly string[]): Promise<void> =>
  writeSetting(tx, frontend, { frontendApiOrigins: distinctOrigins(origins) });

/** The setting for the retention period. */
const retentionDaysSetting = 'burgee.event-retention';

/** The retention period set by an administrator, in days. Undefined means for ever. */
export async function findRetentionDays(db: Db): Promise<number | undefined> {
  const stored = await readSetting<{ readonly eventDays: number }>(db, retentionDaysSetting);
  return stored?.eventDays;
}

type OperatorSettings = Pick<Settings, 'eventRetentionDays'>;

/** The environment variable has precedence over the setting. */
export async function getRetention(
  db: Db,
  { eventRetentionDays }: OperatorSettings,
): Promise<Retention> {
  if (eventRetentionDays !== undefined) {
    return { eventDays: eventRetentionDays, setBy: 'environment' };
  }
  const eventDays = await findRetentionDays(db);
  return eventDays === undefined
    ? { eventDays: null, setBy: 'default' }
    : { eventDays, setBy: 'setting' };
}

export async function changeRetention(
  tx: Tx,
  operator: OperatorSettings,
  eventDays: number | null,
): Promise<Retention> {
  if (operator.eventRetentionDays !== undefined) {
    throw invalidOperation(
      'EVENT_RETENTION_DAYS is set on the server and overrides this setting. Remove it to change event retention here',
    );
  }
  if (eventDays === null) await removeSetting(tx, retentionDaysSetting);
  else await writeSetting(tx, retentionDaysSetting, { eventDays });
  return getRetention(tx.db, operator);
}

/** Whether people can sign in with OpenID Connect only. */
export async function isPasswordSignInOff(db: Db): Promise<boolean> {
  const stored = await readSetting<{ readonly disabled: boolean }>(db, simpleSignIn);
  return stored?.disabled === true;
}

/** Both switches lock the OpenID Connect setting first, so that one way to sign in stays open. */
export async function switchPasswordSignIn(tx: Tx, disabled: boolean): Promise<void> {
  if (disabled) {
    const oidc = await getSettingForUpdate<Switch>(tx, oidcSetting);
    if (oidc?.value.enabled !== true) {
      throw invalidOperation('This would lock everyone out. Enable OpenID Connect first');
    }
  }
  await writeSetting(tx, simpleSignIn, { disabled });
}
