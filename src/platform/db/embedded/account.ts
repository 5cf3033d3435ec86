import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { chown, mkdtemp, rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** The account that PostgreSQL runs under, if it differs from this process's account. */
export interface Account {
  readonly uid: number;
  readonly gid: number;
}

export const runsAsRoot = process.getuid?.() === 0;

const NOBODY: Account = { uid: 65534, gid: 65534 };
const EXECUTE = 0o1;

/** Finds an account that exists everywhere and owns nothing. Other services may run under it too. */
export function unprivilegedAccount(): Account {
  const accounts = readAccounts();
  return accounts.get('nobody') ?? accounts.get('daemon') ?? NOBODY;
}

/** User ids that neither distributions nor systemd assign. */
const FIRST_FREE = 60_706;
const LAST_FREE = 61_183;

/**
 * Returns the account for PostgreSQL, which refuses to run as root. It gets its own user id without an account being
 * created: files of `no one` are open to every other service that runs as `no one`. The id is derived from the folder,
 * so that two installations differ, and is stored as the owner of the files.
 */
export async function ownAccount(folder: string): Promise<Account> {
  const shared = unprivilegedAccount();
  if (process.platform !== 'linux') return shared;
  const taken = new Set([...readAccounts().values()].flatMap(({ uid, gid }) => [uid, gid]));
  const count = LAST_FREE - FIRST_FREE + 1;
  const wanted = createHash('sha256').update(folder).digest().readUInt32BE() % count;
  for (let step = 0; step < count; step += 1) {
    const id = FIRST_FREE + ((wanted + step) % count);
    if (!taken.has(id)) return (await canGiveTo(id, folder)) ? { uid: id, gid: id } : shared;
  }
  return shared;
}

/** Tests whether a file can be given to the user id. In a container with few ids, most of them are unusable. */
async function canGiveTo(id: number, folder: string): Promise<boolean> {
  try {
    const probe = await mkdtemp(join(folder, '.account-'));
    try {
      await chown(probe, id, id);
      return true;
    } finally {
      await rmdir(probe);
    }
  } catch {
    return false;
  }
}

/** Returns whether the account can reach the folder: it needs search permission on every parent. */
export function canReach(account: Account, folder: string): boolean {
  const { uid, gid, mode } = statSync(folder);
  const shift = uid === account.uid ? 6 : gid === account.gid ? 3 : 0;
  if (((mode >> shift) & EXECUTE) === 0) return false;
  const parent = dirname(folder);
  return parent === folder || canReach(account, parent);
}

function readAccounts(): Map<string, Account> {
  const accounts = new Map<string, Account>();
  for (const line of readPasswd().split('\n')) {
    const [name, , uid, gid] = line.split(':');
    // On macOS the id of `no one` is -2, which spawn and chown interpret differently.
    if (name && Number(uid) > 0 && Number(gid) > 0) {
      accounts.set(name, { uid: Number(uid), gid: Number(gid) });
    }
  }
  return accounts;
}

function readPasswd(): string {
  try {
    return readFileSync('/etc/passwd', 'utf8');
  } catch {
    return '';
  }
}
