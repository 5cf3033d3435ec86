import { defineEvent } from '../../events/index.ts';

/** The value itself; of one that bears a secret only which of its fields changed. */
type SettingFacts = Readonly<Record<string, unknown>>;

export const settingCreated = defineEvent<SettingFacts>({
  type: 'setting-created',
  label: 'Setting created',
  summary: ({ user, data, bold }) => `${user} made the setting ${bold(data.id)}`,
});

export const settingUpdated = defineEvent<SettingFacts>({
  type: 'setting-updated',
  label: 'Setting updated',
  summary: ({ user, data, bold }) => `${user} changed the setting ${bold(data.id)}`,
});

export const settingDeleted = defineEvent<SettingFacts>({
  type: 'setting-deleted',
  label: 'Setting deleted',
  summary: ({ user, data, bold }) => `${user} removed the setting ${bold(data.id)}`,
});
