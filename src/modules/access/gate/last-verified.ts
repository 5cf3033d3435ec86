import { setTimeout as pause } from 'node:timers/promises';
import { isOutage } from '../../../platform/db/outage.ts';
import type { VerifiedCredential } from './credentials.ts';

/**
 * API tokens as last read from the database, for outages of the database. Each notice of a change invalidates all of
 * them. They are read again at once with one statement, and until then none is accepted. A token that was revoked
 * before an outage is therefore not accepted during it.
 *
 * A reconnection is no notice: they are read again, too, but stay accepted until then. A database that comes back for a
 * moment and is lost again would otherwise leave every SDK without a valid token for the rest of the outage.
 */
export interface LastVerified {
  /** Marks the start of a look-up. Its result only counts if no notice comes before its end. */
  readonly begin: () => number;
  readonly note: (key: string, found: VerifiedCredential | undefined, startedAt: number) => void;
  readonly find: (key: string) => VerifiedCredential | undefined;
  /** A token was changed or revoked. */
  readonly doubt: () => void;
  /** A notice may have been missed. */
  readonly verify: () => void;
}

interface VerifiedToken {
  readonly credential: VerifiedCredential;
  readonly tokenId: number;
  readonly notice: number;
  /** Monotonic time. */
  readonly atMs: number;
}

/**
 * No token is accepted longer than this after it was verified. 48 hours, so that a token used on the day before an
 * outage is accepted on the first day of it.
 */
const maxAgeMs = 48 * 3_600_000;
export const maxTokens = 10_000;
/**
 * With frequent notices the database spends at most a tenth of its time on this. That is soon enough, because an
 * instance is notified of its own changes twice, by its commit and by the notification.
 */
const pauseShare = 10;
const minPauseMs = 50;
const retryMs = 1_000;

/** The id of an API token. People and personal tokens need the database anyway. */
const tokenIdOf = ({ identity, seen }: VerifiedCredential): number | undefined =>
  identity.tokenScope ? seen[0]?.id : undefined;

export function createLastVerified(
  lookUp: (ids: readonly number[]) => Promise<ReadonlyMap<number, VerifiedCredential>>,
): LastVerified {
  /** Not a `Cache`: the token that was verified longest ago is removed first, whether it was used since or not. */
  const verified = new Map<string, VerifiedToken>();
  let notices = 0;
  let verifiedAtNotice = 0;
  /** Whether a notice may have been missed since the last verification began. */
  let mayHaveMissed = false;
  let verifying = false;

  function store(
    key: string,
    credential: VerifiedCredential,
    tokenId: number,
    notice: number,
  ): void {
    // At the end of the map, because the first entry is dropped first.
    verified.delete(key);
    verified.set(key, { credential, tokenId, notice, atMs: performance.now() });
    if (verified.size <= maxTokens) return;
    for (const oldest of verified.keys()) {
      verified.delete(oldest);
      return;
    }
  }

  async function verifyAgain(): Promise<void> {
    const notice = notices;
    mayHaveMissed = false;
    const before = [...verified];
    const found = await lookUp([...new Set(before.map(([, { tokenId }]) => tokenId))]);
    for (const [key, entry] of before) {
      // A request may have verified it more recently.
      if (verified.get(key) !== entry) continue;
      const credential = found.get(entry.tokenId);
      if (credential) store(key, credential, entry.tokenId, notice);
      else verified.delete(key);
    }
    verifiedAtNotice = notice;
  }

  async function verifyUntilCurrent(): Promise<void> {
    verifying = true;
    while ((mayHaveMissed || verifiedAtNotice !== notices) && verified.size > 0) {
      const began = performance.now();
      const failure = await verifyAgain().then(
        () => undefined,
        (error: unknown) => ({ error }),
      );
      if (failure) mayHaveMissed = true;
      // Other errors do not go away: requests look up their tokens themselves, and get the error.
      if (failure && !isOutage(failure.error)) break;
      const pauseMs = Math.max(minPauseMs, pauseShare * (performance.now() - began));
      await pause(failure ? retryMs : pauseMs, undefined, { ref: false });
    }
    verifying = false;
  }

  const verifySoon = () => {
    if (!verifying && verified.size > 0) void verifyUntilCurrent();
  };

  return {
    begin: () => notices,
    note(key, found, startedAt) {
      const tokenId = found && tokenIdOf(found);
      if (!found || tokenId === undefined) verified.delete(key);
      else store(key, found, tokenId, startedAt);
    },
    find(key) {
      const entry = verified.get(key);
      if (!entry || entry.notice !== notices) return undefined;
      return performance.now() - entry.atMs <= maxAgeMs ? entry.credential : undefined;
    },
    doubt() {
      notices += 1;
      verifySoon();
    },
    verify() {
      mayHaveMissed = true;
      verifySoon();
    },
  };
}
