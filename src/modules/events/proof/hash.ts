import { randomBytes } from 'node:crypto';
import { canonical, type Json, type JsonObject, sha256 } from './canonical.ts';

/**
 * The version of the hash format. `tools/verify-events.mjs` implements it independently, and docs/proof.md describes
 * it. A change of the format needs a new version.
 */
const chainVersion = 'burgee-event-1';

/** The hash before the first event. */
export const genesisHash = Buffer.alloc(32);

const saltBytes = 16;

/** A seal is the salt of the commitment. After an erasure it is the commitment itself. */
export const isErased = (seal: Uint8Array) => seal.length !== saltBytes;

export const newSeal = (): Buffer => randomBytes(saltBytes);

const commitment = (salt: Uint8Array, personal: Json): Buffer => sha256(salt, canonical(personal));

/** The name of an erased person. */
export const erasedName = '[erased]';

/** The fields that the content hash covers. */
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
  /** The keys of data and preData that identify a person, and the seal over their values. */
  readonly subjectKeys: readonly string[] | null;
  readonly subjectSeal: Uint8Array | null;
}

const split = (object: JsonObject | null, keys: ReadonlySet<string>) => {
  if (object === null) return { open: null, personal: null };
  // Nothing to remove. A copy would also turn an array into an object.
  if (keys.size === 0) return { open: object, personal: {} };
  const entries = Object.entries(object);
  return {
    open: Object.fromEntries(entries.filter(([key]) => !keys.has(key))),
    personal: Object.fromEntries(entries.filter(([key]) => keys.has(key))),
  };
};

/** The commitment to name and address of the actor. */
export const actorCommitment = (event: Pick<Content, 'createdBy' | 'ip' | 'actorSeal'>): Buffer =>
  isErased(event.actorSeal)
    ? Buffer.from(event.actorSeal)
    : commitment(event.actorSeal, { createdBy: event.createdBy, ip: event.ip });

/** The commitment to the personal values in data and preData. */
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

/** The hash of an event. `append_events` computes the same in the database, where the predecessor is known. */
export const linkHash = (id: number, previous: Uint8Array, content: Uint8Array): Buffer =>
  sha256(
    `${chainVersion}\n${id}\n${Buffer.from(previous).toString('hex')}\n${Buffer.from(content).toString('hex')}`,
  );
