import { dayMs } from '../../../platform/clock.ts';
import {
  type EarlierRemoval,
  oldEventsRemoved,
  type Removal,
  retentionSetting,
} from '../events.ts';
import { canonical, type Json, type JsonObject } from './canonical.ts';
import type { StoredEvent } from './chain.ts';
import { fault, type LogFault } from './diagnose.ts';
import { genesisHash } from './hash.ts';
import { isSignedBy } from './signed-by.ts';

/** The signed text of a removal: all its data in canonical JSON. */
export const removalText = (removal: JsonObject): string => {
  const { signature: _signature, ...statement } = removal;
  return `burgee-anchor-1\n${canonical(statement)}`;
};

interface Anchor {
  readonly id: number;
  readonly hash: Buffer;
}

const isText = (value: Json | undefined): value is string => typeof value === 'string';

export type KeyOf = (keyId: string) => string | undefined;

export interface RemovalRules {
  /** The public key with this id, if it belongs to this installation. */
  readonly keyOf: KeyOf;
  /** The current retention period in days. Undefined if it is not to be checked. */
  readonly keptDays?: number | 'forever' | undefined;
  /** Whether that period is only known from the database, where an attacker could have set it. */
  readonly isKeptBySetting?: boolean | undefined;
  /** The events up to this id were gone when the given checkpoint was made. */
  readonly vouchedThrough?: number | undefined;
}

/** Undefined if the removal has no signature, as in logs of older versions. */
export function signatureOf(
  statement: JsonObject,
  keyOf: KeyOf,
): 'right' | 'wrong' | 'of an unknown key' | undefined {
  const { keyId, signature } = statement;
  if (!isText(keyId) || !isText(signature)) return undefined;
  const key = keyOf(keyId);
  if (key === undefined) return 'of an unknown key';
  return isSignedBy(key, removalText(statement), signature) ? 'right' : 'wrong';
}

/** What a removal says about the removals before it. Anything that cannot be read counts as not signed. */
export function earlierOf({ earlier, removedThrough }: JsonObject): readonly EarlierRemoval[] {
  if (earlier === undefined) return [];
  const through = Number(removedThrough);
  if (!Array.isArray(earlier)) return [{ through, keyId: null }];
  return (earlier as readonly Json[]).map((each) => {
    const { through: id, keyId } = (each ?? {}) as JsonObject;
    return { through: typeof id === 'number' ? id : through, keyId: isText(keyId) ? keyId : null };
  });
}

const isRemoval = ({ type, data }: StoredEvent): boolean =>
  type === oldEventsRemoved.definition.type && data?.id === retentionSetting;

/** Checks what the log records about its own start. */
export function createRemovals(rules: RemovalRules) {
  const { keyOf, keptDays, isKeptBySetting = false, vouchedThrough = 0 } = rules;
  let last: StoredEvent | undefined;
  let lastIsSigned = false;

  const faultOf = (event: StoredEvent): LogFault | undefined => {
    if (!isRemoval(event) || !event.data) return undefined;
    const { id, data, createdAt } = event;
    last = event;
    const signature = signatureOf(data, keyOf);
    lastIsSigned = signature === 'right';
    const { removedThrough, removedUntil, days } = data as JsonObject & Partial<Removal>;
    if (signature === 'wrong') {
      return fault(
        'anchor',
        id,
        `Event ${id} records a removal of events, but its signature is wrong`,
      );
    }
    if (signature === undefined) return undefined;
    const keptMs = Date.parse(createdAt) - Date.parse(String(removedUntil));
    return keptMs > Number(days) * dayMs
      ? undefined
      : fault(
          'anchor',
          id,
          `Event ${id} records the removal of events up to ${removedThrough}, but the last of them was younger than ${days} days`,
        );
  };

  const faultOfAnchor = ({ id, hash }: Anchor): LogFault | undefined => {
    if (id === 0 && hash.equals(genesisHash) && !last) return undefined;
    if (last?.data?.removedThrough === id && last.data.hash === hash.toString('hex')) {
      return undefined;
    }
    return fault(
      'anchor',
      id,
      `The log begins after event ${id}, but no event records that retention removed the earlier ones`,
    );
  };

  /** Reasons to doubt the start of the log although it is consistent. */
  const doubts = (): string[] => {
    if (!last?.data) return [];
    const { removedThrough, keyId, days } = last.data as JsonObject & Partial<Removal>;
    const statement = `Event ${last.id} records that retention removed the events up to ${removedThrough}`;
    const found: string[] = [];
    if (!lastIsSigned) {
      found.push(
        keyId === undefined
          ? `${statement}, without a signature: anyone with write access to the database could have written it`
          : `${statement}, signed with the unknown key ${keyId}`,
      );
    }
    if (keptDays === 'forever') {
      found.push(
        `${statement}, but no retention is set here: neither by EVENT_RETENTION_DAYS nor in the settings`,
      );
    } else if (keptDays !== undefined && days !== undefined && days < keptDays) {
      found.push(
        `${statement} after ${days} days, but the configured retention is ${keptDays} days`,
      );
    } else if (keptDays !== undefined && isKeptBySetting) {
      found.push(
        `${statement}. The retention of ${keptDays} days is only in the database, where anyone with write access can set it: to confirm it, run this command with EVENT_RETENTION_DAYS=${keptDays}`,
      );
    }
    for (const { through, keyId: by } of earlierOf(last.data)) {
      if (through <= vouchedThrough || (by !== null && keyOf(by) !== undefined)) continue;
      found.push(
        `${statement}, but the events up to ${through} had been removed before, ${by === null ? 'without a valid signature' : `signed with the unknown key ${by}`}`,
      );
    }
    return found;
  };

  return {
    faultOf,
    faultOfAnchor,
    doubts,
    /** The newest removal, if its signature is valid. */
    signedLast: () => (lastIsSigned ? last : undefined),
    /** The last removed event, if the event is a removal with a valid signature. */
    signedEndOf: (event: StoredEvent): Anchor | undefined =>
      event === last && lastIsSigned && isText(event.data?.hash)
        ? { id: Number(event.data.removedThrough), hash: Buffer.from(event.data.hash, 'hex') }
        : undefined,
  };
}
