import { counted } from '../../platform/counted.ts';
import { defineEvent } from './record/define.ts';

/** The setting id that retention events have. `verify` looks for it. */
export const retentionSetting = 'events.retention';

/**
 * A person was erased from the log. None of the 156 types of the specification means this; `user-updated` is the
 * nearest.
 */
export const personErased = defineEvent<{ id: number; erased: true; events: number }>({
  type: 'user-updated',
  label: 'Person erased',
  summary: ({ user, data, bold }) =>
    `${user} erased user ${bold(data.id)} from ${counted(Number(data.events), 'event')}`,
});

/**
 * What an event of retention records about a removal. The chain contains it, so that the start of the log is signed.
 */
export interface Removal {
  readonly id: typeof retentionSetting;
  /** The last removed event, and its hash. */
  readonly removedThrough: number;
  readonly hash: string;
  /** When that event was recorded, and how many days the retention period had. */
  readonly removedUntil: string;
  readonly days: number;
  /** The key that signed, and all keys of the installation. The removal may have deleted the events about them. */
  readonly keyId: string;
  readonly keyIds: readonly string[];
  readonly signature: string;
  /**
   * Earlier removals that another key signed, or none (null): up to which event, and the key. This key vouches only
   * for what was removed after them.
   */
  readonly earlier?: readonly EarlierRemoval[];
}

export interface EarlierRemoval {
  readonly through: number;
  readonly keyId: string | null;
}

export const oldEventsRemoved = defineEvent<Removal>({
  type: 'setting-updated',
  label: 'Old events removed',
  summary: ({ user, data, bold }) =>
    `${user} removed events up to ${bold(data.removedThrough)} (retention: ${counted(Number(data.days), 'day')})`,
});

/** The setting id that events about the signing key have. */
export const signingKeySetting = 'events.signing-key';

/**
 * From this event on, checkpoints are signed with this key. It lists all keys, so that `verify` detects an added one.
 */
export const signingKeyChanged = defineEvent<{
  id: typeof signingKeySetting;
  keyId: string;
  keyIds: readonly string[];
}>({
  type: 'setting-updated',
  label: 'Signing key changed',
  summary: ({ user, data, bold }) =>
    `${user} changed the checkpoint signing key to ${bold(data.keyId)}`,
});
