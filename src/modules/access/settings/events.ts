import { defineEvent, type Words } from '../../events/index.ts';

/** The value. For a setting with a secret the value without it, and the names of the changed fields. */
type SettingData = Readonly<Record<string, unknown>>;

/** The settings as the UI calls them, by id. */
const settingNames: Readonly<Record<string, string>> = {
  'maintenance.mode': 'maintenance mode',
  'unleash.frontend': 'CORS origin',
  'unleash.auth.simple': 'password sign-in',
  'unleash.enterprise.auth.oidc': 'single sign-on',
  'burgee.event-retention': 'event retention',
};

const named = ({ data, bold }: Words): string => {
  const id = String(data.id);
  return Object.hasOwn(settingNames, id) ? `${settingNames[id]}` : bold(id);
};

/** What a switch does to its setting; undefined for settings of another kind. */
const switchedTo = ({ data }: Words): string | undefined => {
  if (data.id === 'maintenance.mode') return data.enabled ? 'enabled' : 'disabled';
  if (data.id === 'unleash.auth.simple') return data.disabled ? 'disabled' : 'enabled';
  return undefined;
};

export const settingCreated = defineEvent<SettingData>({
  type: 'setting-created',
  summary: (words) =>
    `${words.user} ${switchedTo(words) ?? 'configured'} ${named(words)}${switchedTo(words) ? '' : ' settings'}`,
});

export const settingUpdated = defineEvent<SettingData>({
  type: 'setting-updated',
  summary: (words) =>
    `${words.user} ${switchedTo(words) ?? 'updated'} ${named(words)}${switchedTo(words) ? '' : ' settings'}`,
});

export const settingDeleted = defineEvent<SettingData>({
  type: 'setting-deleted',
  summary: (words) => `${words.user} reset ${named(words)} settings`,
});
