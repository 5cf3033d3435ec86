import type { Tx } from '../../../platform/db/database.ts';
import { syncExternalGroups } from '../groups/index.ts';
import { removePersonalTokensOf } from '../personal-tokens/index.ts';
import { isInMaintenance } from '../settings/index.ts';
import {
  createPerson,
  findPersonByExternalSubject,
  findPersonForSignIn,
  loginNameOf,
  removePassword,
  setExternalSubject,
} from '../users/index.ts';
import { isInDomains } from './addresses.ts';
import type { Identity } from './identity.ts';
import { findExternalSubject, hasSignedUpByInvite } from './queries.ts';
import type { Refusal } from './refusal.ts';
import { defaultRoleOf, type StoredOidc } from './service.ts';

type Admission =
  | { readonly userId: number; readonly stillIn: readonly string[] }
  | { readonly refusal: Refusal };

const refused = (refusal: Refusal) => ({ refusal });

/**
 * Finds a person by an e-mail address that the provider has verified. A user name may look like an address and belong
 * to someone else.
 */
async function findByAddress(tx: Tx, { email, emailVerified }: Identity) {
  if (email === undefined || emailVerified !== true) return undefined;
  const person = await findPersonForSignIn(tx.db, email);
  return person?.email && loginNameOf(person.email) === loginNameOf(email) ? person : undefined;
}

async function create(tx: Tx, identity: Identity, rules: StoredOidc): Promise<number | Refusal> {
  const { email, emailVerified, username, name, subject } = identity;
  if (!rules.autoCreate) return 'account-unknown';
  // Only a verified address proves its domain. Without domains the provider is trusted.
  const isDoubtful = rules.emailDomains ? emailVerified !== true : emailVerified === false;
  if (email !== undefined && isDoubtful) return 'email-not-verified';
  if (!isInDomains(email, rules.emailDomains)) return 'email-domain-not-allowed';
  if (email === undefined && username === undefined) return 'account-incomplete';
  const role = await defaultRoleOf(tx.db, rules);
  const person = await createPerson(
    tx,
    {
      ...(email === undefined ? { username } : { email }),
      ...(name !== undefined && { name }),
      rootRole: role.id,
      externalSubject: subject,
    },
    { source: 'oidc' },
  );
  return person.id;
}

/**
 * Someone signed up with this address before its owner. They may be different people, so that the former must lose
 * access.
 */
async function revokeCreatorsAccess(
  tx: Tx,
  { id, username }: { id: number; username: string | null },
) {
  await removePassword(tx, id);
  await removePersonalTokensOf(tx, { id, username });
}

async function findOrCreate(tx: Tx, identity: Identity, rules: StoredOidc) {
  const byAddress = await findByAddress(tx, identity);
  if (!byAddress) return create(tx, identity, rules);
  const subject = await findExternalSubject(tx.db, byAddress.id);
  // A concurrent log-in has just created the person.
  if (subject === identity.subject) return byAddress.id;
  // The provider has given the address to another person.
  if (subject?.startsWith(`${identity.issuer} `)) return 'account-taken' as const;
  if (await hasSignedUpByInvite(tx.db, byAddress.id)) await revokeCreatorsAccess(tx, byAddress);
  await setExternalSubject(tx, byAddress.id, identity.subject);
  return byAddress.id;
}

/**
 * Finds or creates the account of a person who signed in at the provider. In maintenance mode only existing accounts
 * are admitted, and nothing is changed.
 */
export async function admit(tx: Tx, identity: Identity, rules: StoredOidc): Promise<Admission> {
  const isMaintenance = await isInMaintenance(tx.db);
  const existing = await findPersonByExternalSubject(tx.db, identity.subject);
  if (!existing && isMaintenance) return refused('maintenance');
  const found = existing?.id ?? (await findOrCreate(tx, identity, rules));
  if (typeof found === 'string') return refused(found);
  if (!rules.enableGroupSyncing || isMaintenance) return { userId: found, stillIn: [] };
  const { stillIn } = await syncExternalGroups(tx, found, identity.groups);
  return { userId: found, stillIn };
}
