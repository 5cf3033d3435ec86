import { randomBytes } from 'node:crypto';
import type { Tx } from '../../../../platform/db/database.ts';
import { StartError } from '../../../../platform/start-error.ts';
import { roleIds } from '../../gate/index.ts';
import { hasPerson, lockIndispensable } from '../accounts/administrator-queries.ts';
import { passwordFaults } from '../passwords/policy.ts';
import { createPerson } from '../user-admin/service.ts';
import { newPersonFaults } from '../user-admin/sign-in-names.ts';

export interface FirstAdministrator {
  readonly username: string;
  /** Undefined: one is made up. */
  readonly password: string | undefined;
}

const password = 'UNLEASH_DEFAULT_ADMIN_PASSWORD';
const username = 'UNLEASH_DEFAULT_ADMIN_USERNAME';

/** As an operator reads it: the settings are named, the password is not repeated. */
const refusal = (faults: readonly { readonly message: string }[]) =>
  new StartError(
    faults
      .map(({ message }) =>
        message.replaceAll('/body/password', password).replaceAll('/body/username', username),
      )
      .join('\n'),
  );

/**
 * Creates an administrator where there is nobody yet; answers the password if it was made up here, and
 * undefined otherwise. Of several instances that start at once, the others wait for the first.
 */
export async function ensureAdministrator(
  tx: Tx,
  wish: FirstAdministrator,
): Promise<string | undefined> {
  if (await hasPerson(tx.db)) return undefined;
  await lockIndispensable(tx);
  if (await hasPerson(tx.db)) return undefined;
  const person = { name: 'Administrator', username: wish.username };
  const faults = [
    ...newPersonFaults(person),
    ...(wish.password === undefined ? [] : passwordFaults(wish.password, person, '/body/password')),
  ];
  if (faults.length > 0) throw refusal(faults);
  const generated = randomBytes(15).toString('base64url');
  await createPerson(tx, {
    ...person,
    password: wish.password ?? generated,
    rootRole: roleIds.admin,
  });
  return wish.password === undefined ? generated : undefined;
}
