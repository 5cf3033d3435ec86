import { dayMs } from '../../../platform/clock.ts';
import type { Json } from './canonical.ts';
import type { StoredEvent } from './chain.ts';
import type { AnyCheckpoint } from './checkpoint.ts';
import { earlierOf } from './removals.ts';

/** The end of a log, as stored outside the installation: a checkpoint, or what a backup says. */
export type LogEnd = Pick<AnyCheckpoint, 'lastId' | 'hash'> &
  Partial<
    Pick<AnyCheckpoint, 'createdAt' | 'keyId'> & {
      readonly anchorId: number;
      readonly anchorHash: string;
      readonly keyIn: 'database' | 'file';
    }
  >;

interface Found {
  /** The last event that was removed. */
  readonly anchorId: number;
  /** The newest removal, if its signature is valid. */
  readonly removal: StoredEvent | undefined;
  /** Whether the log still has the event of the checkpoint. */
  readonly isEndInLog: boolean;
}

interface Trust {
  /** Whether someone passed the keys. Otherwise only the key of the checkpoint counts. */
  readonly hasOwnKeys: boolean;
  /** The retention period that the operator confirms, in days. */
  readonly confirmedDays: number | undefined;
  readonly now: Date;
}

/**
 * Reasons to doubt that retention removed what a checkpoint covers. A removal that was made after the checkpoint proves
 * nothing by itself: with a key in the database, whoever can write to the database can sign one.
 */
export function doubtsOfCoverage(end: LogEnd, found: Found, trust: Trust): string[] {
  const from = (end.anchorId ?? 0) + 1;
  const through = Math.min(found.anchorId, end.lastId);
  if (through < from) return [];
  const { removal } = found;
  // The hash of an older checkpoint covers this removal too.
  const isCovered = end.anchorId === undefined && found.isEndInLog;
  if (isCovered && removal && removal.id <= end.lastId) return [];
  const doubt = (why: string) => [
    `The checkpoint covers the events ${from} to ${through}, which are no longer in the log, and ${why}`,
  ];
  if (!removal?.data) return doubt('no event with a valid signature records their removal');

  const { keyId, days } = removal.data;
  const isTrusted = (signer: Json | undefined) => trust.hasOwnKeys || signer === end.keyId;
  if (!isTrusted(keyId)) {
    return doubt(
      `event ${removal.id} records their removal with the key ${keyId}, not with the key ${end.keyId} of the checkpoint: pass your own copy of the keys with --public-key`,
    );
  }
  const earlier = earlierOf(removal.data).filter((each) => each.through >= from);
  const other = earlier.find((each) => each.keyId === null || !isTrusted(each.keyId));
  if (other) {
    return doubt(
      `${other.keyId === null ? 'no key' : `only the key ${other.keyId}`} signed the removal of those up to ${other.through}`,
    );
  }
  // Another key may have been in the database once, where someone could have copied it.
  const isByOneKey = [keyId, ...earlier.map((each) => each.keyId)].every((id) => id === end.keyId);
  if (end.keyIn === 'file' && isByOneKey) return [];
  const keptDays = trust.confirmedDays ?? Number(days);
  const ageMs = trust.now.getTime() - Date.parse(end.createdAt ?? '');
  if (ageMs > keptDays * dayMs) return [];
  const key =
    end.keyIn === undefined
      ? 'the checkpoint is of an older version and does not say whether its key is in the database'
      : end.keyIn === 'file'
        ? 'another key than that of the checkpoint signed it'
        : 'the key is in the database';
  return doubt(
    `it is younger than ${keptDays} days: event ${removal.id} records their removal, but ${key}, so anyone with write access to the database could have signed it`,
  );
}
