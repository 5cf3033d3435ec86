import { defineEvent } from './define.ts';

/** The id under which retention stands in the log; `verify` looks for it. */
export const retentionSetting = 'events.retention';

/** The setting in which an administrator says for how many days events are kept. */
export const retentionDaysSetting = 'burgee.event-retention';

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

/** Retention removed the oldest events. Where the kept log begins stands in the chain itself. */
export const oldEventsRemoved = defineEvent<{ id: string; removedThrough: number; hash: string }>({
  type: 'setting-updated',
  label: 'Old events removed',
  summary: ({ user, data, bold }) =>
    `${user} removed the events up to ${bold(data.removedThrough)}, as the retention period asks`,
});

/** From here on checkpoints are signed with another key. */
export const signingKeyChanged = defineEvent<{ id: string; keyId: string }>({
  type: 'setting-updated',
  label: 'Signing key changed',
  summary: ({ user, data, bold }) =>
    `${user} made ${bold(data.keyId)} the key that signs checkpoints`,
});
