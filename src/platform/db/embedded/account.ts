import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { chown, mkdtemp, rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** The account that PostgreSQL runs under, where it is not the one of this process. */
export interface Account {
  readonly uid: number;
  readonly gid: number;
}

export const runsAsRoot = process.getuid?.() === 0;

const NOBODY: Account = { uid: 65534, gid: 65534 };
const EXECUTE = 0o1;

/** These accounts exist everywhere and own nothing; but other services may run under them, too. */
export function unprivilegedAccount(): Account {
  const accounts = readAccounts();
  return accounts.get('nobody') ?? accounts.get('daemon') ?? NOBODY;
}

/** Numbers that neither distributions nor systemd give to anybody. */
const FIRST_FREE = 60_706;
const LAST_FREE = 61_183;

/**
 * PostgreSQL refuses to run as root. It gets a number of its own instead, without an account being created: what
 * belongs to `nobody` is open to every other service that runs as `nobody`. The number follows from the folder,
 * so that two installations have two; it is kept by the files, which belong to it.
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

/** In a container with few numbers of its own the others cannot be used. */
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

/** Whether the account gets to the folder: it needs the right to pass through each one above it. */
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
    // macOS gives nobody the number -2, which spawn and chown read differently.
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
