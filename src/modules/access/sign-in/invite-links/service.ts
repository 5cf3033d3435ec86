import { dayMs } from '../../../../platform/clock.ts';
import type { Db, Tx } from '../../../../platform/db/database.ts';
import { badData, invalidOperation, notFound } from '../../../../platform/errors.ts';
import { pathId } from '../../../../platform/http/path-id.ts';
import { hashSecret, newSecret } from '../../../../platform/secret.ts';
import { personName, record } from '../../../events/index.ts';
import { roleIds } from '../../gate/index.ts';
import { findRootRole } from '../../roles/index.ts';
import { isPasswordSignInOff } from '../../settings/index.ts';
import {
  checkAndHashPassword,
  createPerson,
  type HashedPassword,
  type StoredAccount,
} from '../../users/index.ts';
import type { CreateInviteLink, InviteLink, InviteLinkChange, SignUp } from './contract.ts';
import { type InviteLinkData, inviteLinkCreated, inviteLinkUpdated, signedUp } from './events.ts';
import {
  findLink,
  insertLink,
  insertLinkUser,
  isUsable,
  type LinkName,
  listLinks,
  lockLink,
  lockUsableLink,
  type StoredLink,
  updateLink,
} from './queries.ts';

const what = 'invite link';
const masked = '*****';
const maxLifeMs = 31 * dayMs;

/** The response does not repeat the secret. */
const unknown = (text: string) => notFound(what, text.length > 10 ? masked : text);

const nameOf = (text: string): LinkName =>
  /^\d{1,10}$/.test(text) ? { id: pathId(what, text) } : { hash: hashSecret(text) };

function answerOf(link: StoredLink, baseUrl: string, secret = masked): InviteLink {
  const { roleId, roleName, roleType, roleDescription, createdByUserId: _, ...rest } = link;
  return {
    ...rest,
    secret,
    // No URL with a masked secret, which would look as if it worked.
    url: secret === masked ? null : `${baseUrl}/new-user?invite=${secret}`,
    expiresAt: link.expiresAt.toISOString(),
    createdAt: link.createdAt.toISOString(),
    role: { id: roleId, name: roleName, type: roleType, description: roleDescription },
    users: link.users.map(({ id, name, username, email }) => ({
      id,
      ...(name !== '' && { name }),
      ...(username !== null && { username }),
      ...(email !== null && { email }),
    })),
  };
}

const factsOf = (link: StoredLink): InviteLinkData => ({
  id: link.id,
  name: link.name,
  enabled: link.enabled,
  expiresAt: link.expiresAt.toISOString(),
  createdAt: link.createdAt.toISOString(),
  createdBy: link.createdBy,
  userId: link.createdByUserId,
  role: { id: link.roleId, name: link.roleName },
});

async function getLink(db: Db, text: string): Promise<StoredLink> {
  const link = await findLink(db, nameOf(text));
  if (!link) throw unknown(text);
  return link;
}

/** Limits the lifetime, so that no one can sign up with an old link. */
function expiryOf(tx: Tx, text: string): Date {
  const expiresAt = new Date(text);
  // A leap second is a valid date-time for the schema but not for Date. NaN fails this comparison.
  if (!(expiresAt.getTime() <= tx.now.getTime() + maxLifeMs)) {
    const path = '/body/expiresAt';
    throw badData([
      { path, message: `${path} must be at most one month from now; you sent ${text}` },
    ]);
  }
  return expiresAt;
}

export const listInviteLinks = async (db: Db, baseUrl: string): Promise<InviteLink[]> =>
  (await listLinks(db)).map((link) => answerOf(link, baseUrl));

export const getInviteLink = async (db: Db, text: string, baseUrl: string): Promise<InviteLink> =>
  answerOf(await getLink(db, text), baseUrl);

export async function createInviteLink(
  tx: Tx,
  input: CreateInviteLink,
  baseUrl: string,
): Promise<InviteLink> {
  const expiresAt = expiryOf(tx, input.expiresAt);
  if (expiresAt <= tx.now) {
    const path = '/body/expiresAt';
    throw badData([
      { path, message: `${path} must be in the future; you sent ${input.expiresAt}` },
    ]);
  }
  const secret = newSecret();
  const id = await insertLink(tx, {
    secretHash: hashSecret(secret),
    name: input.name,
    roleId: roleIds.viewer,
    expiresAt,
  });
  const link = await getLink(tx.db, String(id));
  record(tx, inviteLinkCreated({ data: factsOf(link) }));
  return answerOf(link, baseUrl, secret);
}

export async function changeInviteLink(
  tx: Tx,
  text: string,
  change: InviteLinkChange,
  baseUrl: string,
): Promise<InviteLink> {
  if (!(await lockLink(tx, nameOf(text)))) throw unknown(text);
  const link = await getLink(tx.db, text);
  const changed: StoredLink = {
    ...link,
    enabled: change.enabled ?? link.enabled,
    expiresAt: change.expiresAt === undefined ? link.expiresAt : expiryOf(tx, change.expiresAt),
  };
  await updateLink(tx, changed);
  record(tx, inviteLinkUpdated({ data: factsOf(changed), preData: factsOf(link) }));
  return answerOf(changed, baseUrl);
}

/** The same error for unknown, expired and disabled links. */
export async function validateInviteLink(db: Db, secret: string, now: Date): Promise<void> {
  if (!(await isUsable(db, hashSecret(secret), now))) throw unknown(masked);
}

type PreparedSignUp = Omit<SignUp, 'password'> & { readonly password: HashedPassword };

/** Hash before the transaction, which would otherwise hold its connection during the hashing. */
export async function prepareSignUp(
  db: Db,
  secret: string,
  input: SignUp,
  now: Date,
): Promise<PreparedSignUp> {
  await validateInviteLink(db, secret, now);
  if (await isPasswordSignInOff(db)) {
    throw invalidOperation('Sign-up is unavailable: password sign-in is disabled');
  }
  return { ...input, password: await checkAndHashPassword(input.password, input) };
}

export async function signUp(
  tx: Tx,
  secret: string,
  { username, email, name, password }: PreparedSignUp,
): Promise<StoredAccount> {
  const link = await lockUsableLink(tx, hashSecret(secret));
  if (!link) throw unknown(masked);
  const person = await createPerson(tx, {
    username,
    email,
    name,
    password,
    rootRole: link.roleId,
  });
  await insertLinkUser(tx, link.id, person.id);
  const role = await findRootRole(tx.db, link.roleId);
  record(
    tx,
    signedUp({
      data: {
        id: link.id,
        name: link.name,
        userId: person.id,
        userName: personName(person),
        roleName: role?.name ?? String(link.roleId),
      },
    }),
  );
  return person;
}
