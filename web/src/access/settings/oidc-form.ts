import type { Response } from '../../api.ts';
import { fieldChange } from '../../ui/format.ts';

type Settings = Response<'GET /api/admin/auth/oidc/settings'>;

/** The settings as a form has them: an empty text instead of undefined. */
export const formOf = (settings: Settings) => ({
  enabled: settings.enabled,
  discoverUrl: settings.discoverUrl ?? '',
  clientId: settings.clientId ?? '',
  secret: settings.secret ?? '',
  enablePkce: settings.enablePkce,
  autoCreate: settings.autoCreate,
  defaultRootRoleId: settings.defaultRootRoleId,
  emailDomains: settings.emailDomains ?? '',
  enableGroupSyncing: settings.enableGroupSyncing,
  groupJsonPath: settings.groupJsonPath ?? '',
  addGroupsScope: settings.addGroupsScope,
  acrValues: settings.acrValues ?? '',
  idTokenSigningAlgorithm: settings.idTokenSigningAlgorithm ?? null,
});

export type OidcForm = ReturnType<typeof formOf>;

const labels: Readonly<Record<keyof OidcForm, string>> = {
  enabled: 'single sign-on',
  discoverUrl: 'issuer URL',
  clientId: 'client ID',
  secret: 'client secret',
  enablePkce: 'PKCE',
  autoCreate: 'auto-create users',
  defaultRootRoleId: 'default root role',
  emailDomains: 'allowed email domains',
  enableGroupSyncing: 'group sync',
  groupJsonPath: 'groups claim',
  addGroupsScope: 'groups scope',
  acrValues: 'ACR values',
  idTokenSigningAlgorithm: 'signing algorithm',
};

/** The changes of the form, with old and new values. The secret is never shown. */
export function oidcChanges(
  before: OidcForm,
  after: OidcForm,
  changed: readonly (keyof OidcForm)[],
  roleName: (id: number) => string,
): string[] {
  const text = (value: OidcForm[keyof OidcForm]): string => {
    if (typeof value === 'boolean') return value ? 'enabled' : 'disabled';
    if (typeof value === 'number') return roleName(value);
    return value || 'none';
  };
  return changed.map((field) =>
    field === 'secret'
      ? labels.secret
      : fieldChange(labels[field], text(before[field]), text(after[field])),
  );
}

/** What a save did. */
export function savedTitle(
  before: Pick<OidcForm, 'enabled'>,
  after: Pick<OidcForm, 'enabled'>,
): string {
  if (before.enabled === after.enabled) return 'Single sign-on settings saved';
  return after.enabled ? 'Single sign-on enabled' : 'Single sign-on disabled';
}
