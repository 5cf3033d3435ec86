import { defineEvent } from '../../events/index.ts';

/** The value. For a setting with a secret only the names of the changed fields. */
type SettingData = Readonly<Record<string, unknown>>;

export const settingCreated = defineEvent<SettingData>({
  type: 'setting-created',
  summary: ({ user, data, bold }) => `${user} created the setting ${bold(data.id)}`,
});

export const settingUpdated = defineEvent<SettingData>({
  type: 'setting-updated',
  summary: ({ user, data, bold }) => `${user} changed the setting ${bold(data.id)}`,
});

export const settingDeleted = defineEvent<SettingData>({
  type: 'setting-deleted',
  summary: ({ user, data, bold }) => `${user} removed the setting ${bold(data.id)}`,
});
