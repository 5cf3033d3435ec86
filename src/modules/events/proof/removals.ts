import { oldEventsRemoved, type Removal, retentionSetting } from '../events.ts';
import { canonical, type Json, type JsonObject } from './canonical.ts';
import type { StoredEvent } from './chain.ts';
import { fault, type LogFault } from './diagnose.ts';
import { genesisHash } from './hash.ts';
import { isSignedBy } from './signed-by.ts';

const dayMs = 24 * 60 * 60 * 1000;

/** What is signed when retention removes events: all that the event says of it, in canonical JSON. */
export const removalText = (removal: JsonObject): string => {
  const { signature: _made, ...said } = removal;
  return `burgee-anchor-1\n${canonical(said)}`;
};

interface Anchor {
  readonly id: number;
  readonly hash: Buffer;
}

export interface RemovalRules {
  /** The public key with an id, where it is one of this installation. */
  readonly keyOf: (keyId: string) => string | undefined;
  /** For how many days events are to be kept now; undefined: not to be judged. */
  readonly keptDays?: number | 'for ever' | undefined;
}

const isRemoval = ({ type, data }: StoredEvent): boolean =>
  type === oldEventsRemoved.definition.type && data?.id === retentionSetting;

const isText = (value: Json | undefined): value is string => typeof value === 'string';

/** Judges what the log says of its own beginning. */
export function createRemovals({ keyOf, keptDays }: RemovalRules) {
  let last: StoredEvent | undefined;
  let lastIsSigned = false;

  /** Undefined where nobody signed, as before signatures were made. */
  const signatureOf = (said: JsonObject): 'right' | 'wrong' | 'of an unknown key' | undefined => {
    const { keyId, signature } = said;
    if (!isText(keyId) || !isText(signature)) return undefined;
    const key = keyOf(keyId);
    if (key === undefined) return 'of an unknown key';
    return isSignedBy(key, removalText(said), signature) ? 'right' : 'wrong';
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
        `Event ${id} says that events were removed, and its signature is wrong`,
      );
    }
    if (signature === undefined) return undefined;
    const keptMs = Date.parse(createdAt) - Date.parse(String(removedUntil));
    return keptMs > Number(days) * dayMs
      ? undefined
      : fault(
          'anchor',
          id,
          `Event ${id} says that events up to ${removedThrough} were removed, of which the last was younger than ${days} days`,
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
      `The log begins behind event ${id}, and no event in it says that retention removed what came before`,
    );
  };

  /** What makes the beginning of the log doubtful, though it fits. */
  const doubts = (): string[] => {
    if (!last?.data) return [];
    const { removedThrough, keyId, days } = last.data as JsonObject & Partial<Removal>;
    const said = `Event ${last.id} says that retention removed the events up to ${removedThrough}`;
    const found: string[] = [];
    if (!lastIsSigned) {
      found.push(
        keyId === undefined
          ? `${said}, without a signature: anybody who can write to the database could have done it`
          : `${said}, signed with the key ${keyId}, which is not among the known ones`,
      );
    }
    if (keptDays === 'for ever') {
      found.push(
        `${said}, but no retention is set here: neither EVENT_RETENTION_DAYS nor the setting`,
      );
    } else if (keptDays !== undefined && days !== undefined && days < keptDays) {
      found.push(`${said} after ${days} days, but events are to be kept for ${keptDays}`);
    }
    return found;
  };

  return {
    faultOf,
    faultOfAnchor,
    doubts,
    /** Where an event says that events were removed, and by a signature that is right: up to which. */
    signedEndOf: (event: StoredEvent): Anchor | undefined =>
      event === last && lastIsSigned && isText(event.data?.hash)
        ? { id: Number(event.data.removedThrough), hash: Buffer.from(event.data.hash, 'hex') }
        : undefined,
  };
}
