import { createRequire } from 'node:module';
import { createSemaphore } from '../../../../platform/semaphore.ts';
import { StartError } from '../../../../platform/start-error.ts';

/**
 * Its native part is an optional package, one for each kind of machine. By require: where an import of a CommonJS
 * package fails, Node ends the process with its stack, whoever catches it.
 */
function loadArgon2(): typeof import('@node-rs/argon2') {
  try {
    return createRequire(import.meta.url)('@node-rs/argon2');
  } catch (error) {
    throw new StartError(
      'The native part of @node-rs/argon2, which hashes passwords, is not installed: run npm ci without --omit=optional.',
      { cause: error },
    );
  }
}

const { hash, verify } = loadArgon2();

interface PasswordCost {
  readonly memoryCost: number;
  readonly timeCost: number;
  readonly parallelism: number;
}

/** What OWASP recommends for argon2id, which is the library's usual algorithm. */
let cost: PasswordCost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Makes hashing cheap in tests, where it took a tenth of all time. Nothing else calls this. */
export const setPasswordCost = (chosen: PasswordCost): void => {
  cost = chosen;
};

/** A hash takes 20 ms and 19 MiB. Node has four threads for such work: one stays for files and names of hosts. */
const maxAtOnce = 3;
/** Whoever comes later would wait for more than 0.4 s: better told so at once. */
const maxWaiting = 60;

/** Bounds what guessing at passwords can take of the server. */
const hashing = createSemaphore(maxAtOnce, {
  maxWaiting,
  refusal: 'Too many passwords are being checked. Try again later',
  retryAfterSeconds: 2,
});

/** A password that was found good and hashed: what is stored of it. */
export interface HashedPassword {
  readonly hash: string;
}

/** Before a transaction, where one follows: it would hold its connection while it waits in line. */
export const hashPassword = async (password: string): Promise<HashedPassword> => ({
  hash: await hashing.run(() => hash(password, cost)),
});

/** A hash that no password has, at the same cost: verifying reads the cost from the hash. */
export const hashOfNobody = (): string =>
  `$argon2id$v=19$m=${cost.memoryCost},t=${cost.timeCost},p=${cost.parallelism}$EHf7R04MaclYF4ZNOzmdFA$Hgy8BJByqDvGr8o3bt+JRoQFOLjNHb1XqYIVz2kjxr4`;

/** Whether the password is the one; takes as long for a person who has none, or who does not exist. */
export async function verifyPassword(stored: string | null, password: string): Promise<boolean> {
  const matches = await hashing.run(() => verify(stored ?? hashOfNobody(), password));
  return stored !== null && matches;
}
