import { createRequire } from 'node:module';
import { createSemaphore } from '../../../../platform/semaphore.ts';
import { StartError } from '../../../../platform/start-error.ts';

/**
 * The native part is an optional package for each platform. Loaded by require, because a failing import of a CommonJS
 * package ends the process even if the error is caught.
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

/** The OWASP recommendation for argon2id, which is the default algorithm of the library. */
let cost: PasswordCost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Makes hashing cheap in tests, where it took a tenth of the time. Nothing else calls this. */
export const setPasswordCost = (chosen: PasswordCost): void => {
  cost = chosen;
};

/** A hash takes 20 ms and 19 MiB. Node has four threads for such work, and one stays free for files and host names. */
const maxConcurrent = 3;
/** Further requests would wait for more than 0.4 s, so that they are refused at once. */
const maxWaiting = 60;

/** Limits what guessing passwords can cost the server. */
const hashing = createSemaphore(maxConcurrent, {
  maxWaiting,
  refusal: 'Too many passwords are being checked. Try again later',
  retryAfterSeconds: 2,
});

/** A password that passed the policy, as stored. */
export interface HashedPassword {
  readonly hash: string;
}

/** Call it before a transaction, which would otherwise hold its connection while this waits. */
export const hashPassword = async (password: string): Promise<HashedPassword> => ({
  hash: await hashing.run(() => hash(password, cost)),
});

/** A hash that matches no password. It has the same cost, because verifying reads the cost from the hash. */
export const hashOfNobody = (): string =>
  `$argon2id$v=19$m=${cost.memoryCost},t=${cost.timeCost},p=${cost.parallelism}$EHf7R04MaclYF4ZNOzmdFA$Hgy8BJByqDvGr8o3bt+JRoQFOLjNHb1XqYIVz2kjxr4`;

/** Takes as long for a person without a password, or who does not exist. */
export async function verifyPassword(stored: string | null, password: string): Promise<boolean> {
  const matches = await hashing.run(() => verify(stored ?? hashOfNobody(), password));
  return stored !== null && matches;
}
