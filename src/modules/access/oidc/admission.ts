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
import { findExternalSubject, signedUpThemselves } from './queries.ts';
import type { Refusal } from './refusal.ts';
import { defaultRoleOf, type StoredOidc } from './service.ts';

type Admission =
  | { readonly userId: number; readonly keptIn: readonly string[] }
  | { readonly refusal: Refusal };

const refused = (refusal: Refusal) => ({ refusal });

/**
 * Somebody who is known here under the address that the provider vouches for. A name to sign in with
 * may look like an address and belong to somebody else.
 */
async function findByAddress(tx: Tx, { email, emailVerified }: Identity) {
  if (email === undefined || emailVerified !== true) return undefined;
  const person = await findPersonForSignIn(tx.db, email);
  return person?.email && loginNameOf(person.email) === loginNameOf(email) ? person : undefined;
}

async function create(tx: Tx, identity: Identity, rules: StoredOidc): Promise<number | Refusal> {
  const { email, emailVerified, username, name, subject } = identity;
  if (!rules.autoCreate) return 'account-unknown';
  // Domains are a promise that only a verified address keeps; without them the provider is trusted.
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
 * An account that somebody made under this address, whose owner has only come now: whoever made it may
 * be another, and must not stay in it.
 */
async function takeAway(tx: Tx, { id, username }: { id: number; username: string | null }) {
  await removePassword(tx, id);
  await removePersonalTokensOf(tx, { id, username });
}

async function findOrCreate(tx: Tx, identity: Identity, rules: StoredOidc) {
  const byAddress = await findByAddress(tx, identity);
  if (!byAddress) return create(tx, identity, rules);
  const subject = await findExternalSubject(tx.db, byAddress.id);
  // Not found a moment ago: another log-in of theirs has just created them.
  if (subject === identity.subject) return byAddress.id;
  // The provider means somebody else by this person: an address was given to another.
  if (subject?.startsWith(`${identity.issuer} `)) return 'account-taken' as const;
  if (await signedUpThemselves(tx.db, byAddress.id)) await takeAway(tx, byAddress);
  await setExternalSubject(tx, byAddress.id, identity.subject);
  return byAddress.id;
}

/**
 * Who somebody is here, of whom the provider has told who they are there. While the installation is
 * closed for changes, those who are known come in and nothing else happens.
 */
export async function admit(tx: Tx, identity: Identity, rules: StoredOidc): Promise<Admission> {
  const isClosed = await isInMaintenance(tx.db);
  const known = await findPersonByExternalSubject(tx.db, identity.subject);
  if (!known && isClosed) return refused('maintenance');
  const found = known?.id ?? (await findOrCreate(tx, identity, rules));
  if (typeof found === 'string') return refused(found);
  if (!rules.enableGroupSyncing || isClosed) return { userId: found, keptIn: [] };
  const { kept } = await syncExternalGroups(tx, found, identity.groups);
  return { userId: found, keptIn: kept };
}
