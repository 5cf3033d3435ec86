import { randomBytes } from 'node:crypto';
import type { Tx } from '../../../../platform/db/database.ts';
import { StartError } from '../../../../platform/start-error.ts';
import { roleIds } from '../../gate/index.ts';
import { hasPerson, lockAdminAndOwnerRoles } from '../accounts/administrator-queries.ts';
import { passwordFaults } from '../passwords/policy.ts';
import { createPerson } from '../user-admin/service.ts';
import { newPersonFaults } from '../user-admin/sign-in-names.ts';

export interface FirstAdministrator {
  readonly username: string;
  /** Generated if undefined. */
  readonly password: string | undefined;
  /** An id that was reserved for the account. */
  readonly id?: number;
}

const password = 'UNLEASH_DEFAULT_ADMIN_PASSWORD';
const username = 'UNLEASH_DEFAULT_ADMIN_USERNAME';

/** Names the environment variables and does not repeat the password. */
const refusal = (faults: readonly { readonly message: string }[]) =>
  new StartError(
    faults
      .map(({ message }) =>
        message.replaceAll('/body/password', password).replaceAll('/body/username', username),
      )
      .join('\n'),
  );

/**
 * Creates an administrator if there is no person yet. Returns the password if it was generated. If several instances
 * start at the same time, the others wait for the first.
 */
export async function ensureAdministrator(
  tx: Tx,
  input: FirstAdministrator,
): Promise<string | undefined> {
  if (await hasPerson(tx.db)) return undefined;
  await lockAdminAndOwnerRoles(tx);
  if (await hasPerson(tx.db)) return undefined;
  const person = {
    name: 'Administrator',
    username: input.username,
    ...(input.id !== undefined && { id: input.id }),
  };
  const faults = [
    ...newPersonFaults(person),
    ...(input.password === undefined
      ? []
      : passwordFaults(input.password, person, '/body/password')),
  ];
  if (faults.length > 0) throw refusal(faults);
  const generated = randomBytes(15).toString('base64url');
  await createPerson(tx, {
    ...person,
    password: input.password ?? generated,
    rootRole: roleIds.admin,
  });
  return input.password === undefined ? generated : undefined;
}
