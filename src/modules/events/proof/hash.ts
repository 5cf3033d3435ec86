import { randomBytes } from 'node:crypto';
import { canonical, type Json, type JsonObject, sha256 } from './canonical.ts';

/**
 * How an event is hashed. `tools/verify-events.mjs` says the same without our code, and
 * docs/proof.md in words; a change here is a new version of the format, never an edit.
 */
const chainVersion = 'burgee-event-1';

/** The hash before the first event. */
export const genesisHash = Buffer.alloc(32);

const saltBytes = 16;

/** While a person is known, a seal is the salt of the commitment; once erased, the commitment. */
export const isErased = (seal: Uint8Array) => seal.length !== saltBytes;

/** Salts yet to be given out: to ask for 16 bytes took 17 µs each time, and a change asks several times. */
let salts = Buffer.alloc(0);

export function newSeal(): Buffer {
  if (salts.length === 0) salts = randomBytes(256 * saltBytes);
  const salt = Buffer.from(salts.subarray(0, saltBytes));
  salts = salts.subarray(saltBytes);
  return salt;
}

const commitment = (salt: Uint8Array, personal: Json): Buffer => sha256(salt, canonical(personal));

/** What stands where the name of an erased person stood. */
export const erasedName = '[erased]';

/** The part of an event that its author's content hash covers. */
export interface Content {
  readonly type: string;
  readonly createdAt: string;
  readonly createdBy: string;
  readonly createdByUserId: number | null;
  readonly ip: string | null;
  readonly requestId: string | null;
  readonly project: string | null;
  readonly environment: string | null;
  readonly featureName: string | null;
  readonly data: JsonObject | null;
  readonly preData: JsonObject | null;
  readonly tags: Json;
  readonly actorSeal: Uint8Array;
  /** Keys of data and preData that say who somebody is, and the seal over their values. */
  readonly subjectKeys: readonly string[] | null;
  readonly subjectSeal: Uint8Array | null;
}

const split = (object: JsonObject | null, keys: ReadonlySet<string>) => {
  if (object === null) return { open: null, personal: null };
  // Nothing to take out: a copy would also make an object of an array.
  if (keys.size === 0) return { open: object, personal: {} };
  const entries = Object.entries(object);
  return {
    open: Object.fromEntries(entries.filter(([key]) => !keys.has(key))),
    personal: Object.fromEntries(entries.filter(([key]) => keys.has(key))),
  };
};

/** Name and address of the actor, as they are committed to. */
export const actorCommitment = (event: Pick<Content, 'createdBy' | 'ip' | 'actorSeal'>): Buffer =>
  isErased(event.actorSeal)
    ? Buffer.from(event.actorSeal)
    : commitment(event.actorSeal, { createdBy: event.createdBy, ip: event.ip });

/** The personal values in data and preData, as they are committed to. */
export const subjectCommitment = (
  event: Pick<Content, 'data' | 'preData' | 'subjectKeys' | 'subjectSeal'>,
): Buffer | null => {
  if (!event.subjectSeal || !event.subjectKeys) return null;
  if (isErased(event.subjectSeal)) return Buffer.from(event.subjectSeal);
  const keys = new Set(event.subjectKeys);
  return commitment(event.subjectSeal, {
    data: split(event.data, keys).personal,
    preData: split(event.preData, keys).personal,
  });
};

export function contentHash(event: Content): Buffer {
  const keys = new Set(event.subjectKeys ?? []);
  return sha256(
    canonical({
      type: event.type,
      createdAt: event.createdAt,
      createdByUserId: event.createdByUserId,
      requestId: event.requestId,
      project: event.project,
      environment: event.environment,
      featureName: event.featureName,
      data: split(event.data, keys).open,
      preData: split(event.preData, keys).open,
      tags: event.tags,
      actor: actorCommitment(event).toString('hex'),
      subjectKeys: event.subjectKeys,
      subject: subjectCommitment(event)?.toString('hex') ?? null,
    }),
  );
}

/** One link: the database computes the same in `append_events`, where the predecessor is known. */
export const linkHash = (id: number, previous: Uint8Array, content: Uint8Array): Buffer =>
  sha256(
    `${chainVersion}\n${id}\n${Buffer.from(previous).toString('hex')}\n${Buffer.from(content).toString('hex')}`,
  );
