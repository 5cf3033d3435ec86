import { readFileSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/** The account that PostgreSQL runs under, where it is not the one of this process. */
export interface Account {
  readonly uid: number;
  readonly gid: number;
}

export const runsAsRoot = process.getuid?.() === 0;

const NOBODY: Account = { uid: 65534, gid: 65534 };
const EXECUTE = 0o1;

/** PostgreSQL refuses to run as root. These accounts exist everywhere and own nothing. */
export function unprivilegedAccount(): Account {
  const accounts = readAccounts();
  return accounts.get('nobody') ?? accounts.get('daemon') ?? NOBODY;
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
