import { dayMs } from '../../../platform/clock.ts';
import { oldEventsRemoved, type Removal, retentionSetting } from '../events.ts';
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

export interface RemovalRules {
  /** The public key with this id, if it belongs to this installation. */
  readonly keyOf: (keyId: string) => string | undefined;
  /** The current retention period in days. Undefined if it is not to be checked. */
  readonly keptDays?: number | 'for ever' | undefined;
}

const isRemoval = ({ type, data }: StoredEvent): boolean =>
  type === oldEventsRemoved.definition.type && data?.id === retentionSetting;

const isText = (value: Json | undefined): value is string => typeof value === 'string';

/** Checks what the log records about its own start. */
export function createRemovals({ keyOf, keptDays }: RemovalRules) {
  let last: StoredEvent | undefined;
  let lastIsSigned = false;

  /** Undefined if the removal has no signature, as in logs of older versions. */
  const signatureOf = (
    statement: JsonObject,
  ): 'right' | 'wrong' | 'of an unknown key' | undefined => {
    const { keyId, signature } = statement;
    if (!isText(keyId) || !isText(signature)) return undefined;
    const key = keyOf(keyId);
    if (key === undefined) return 'of an unknown key';
    return isSignedBy(key, removalText(statement), signature) ? 'right' : 'wrong';
  };

  const faultOf = (event: StoredEvent): LogFault | undefined => {
    if (!isRemoval(event) || !event.data) return undefined;
    const { id, data, createdAt } = event;
    last = event;
    const signature = signatureOf(data);
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
          ? `${statement}, without a signature: anybody with write access to the database could have written it`
          : `${statement}, signed with the unknown key ${keyId}`,
      );
    }
    if (keptDays === 'for ever') {
      found.push(
        `${statement}, but no retention is set here: neither by EVENT_RETENTION_DAYS nor in the settings`,
      );
    } else if (keptDays !== undefined && days !== undefined && days < keptDays) {
      found.push(
        `${statement} after ${days} days, but the configured retention is ${keptDays} days`,
      );
    }
    return found;
  };

  return {
    faultOf,
    faultOfAnchor,
    doubts,
    /** The last removed event, if the event is a removal with a valid signature. */
    signedEndOf: (event: StoredEvent): Anchor | undefined =>
      event === last && lastIsSigned && isText(event.data?.hash)
        ? { id: Number(event.data.removedThrough), hash: Buffer.from(event.data.hash, 'hex') }
        : undefined,
  };
}
