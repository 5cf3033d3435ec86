import { defineEvent } from './record/define.ts';

/** The id under which retention stands in the log; `verify` looks for it. */
export const retentionSetting = 'events.retention';

/**
 * A person was erased from the log. No type of the specification says so; a user who is no longer
 * known is, of the 156, nearest to a user who was updated.
 */
export const personErased = defineEvent<{ id: number; erased: true; events: number }>({
  type: 'user-updated',
  label: 'Person erased',
  summary: ({ user, data, bold }) =>
    `${user} erased the person with the id ${bold(data.id)} from ${bold(data.events)} events`,
});

/** What retention says of a removal. Where the kept log begins stands in the chain itself, and is signed. */
export interface Removal {
  readonly id: typeof retentionSetting;
  /** The last of the removed events, and its hash. */
  readonly removedThrough: number;
  readonly hash: string;
  /** When that event was recorded, and for how many days events were to be kept. */
  readonly removedUntil: string;
  readonly days: number;
  /** The key that signed, and all keys of the installation: events about them may be among the removed ones. */
  readonly keyId: string;
  readonly keyIds: readonly string[];
  readonly signature: string;
}

/** Retention removed the oldest events. */
export const oldEventsRemoved = defineEvent<Removal>({
  type: 'setting-updated',
  label: 'Old events removed',
  summary: ({ user, data, bold }) =>
    `${user} removed the events up to ${bold(data.removedThrough)}, as the retention period asks`,
});

/** The id under which changes of the signing key stand in the log. */
export const signingKeySetting = 'events.signing-key';

/** From here on checkpoints are signed with this key. All keys are named, so that `verify` finds another one. */
export const signingKeyChanged = defineEvent<{
  id: typeof signingKeySetting;
  keyId: string;
  keyIds: readonly string[];
}>({
  type: 'setting-updated',
  label: 'Signing key changed',
  summary: ({ user, data, bold }) =>
    `${user} made ${bold(data.keyId)} the key that signs checkpoints`,
});
