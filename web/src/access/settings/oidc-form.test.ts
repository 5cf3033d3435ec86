import { expect, test } from 'vitest';
import { formOf, oidcChanges, savedTitle } from './oidc-form.ts';

const saved = formOf({
  enabled: false,
  autoCreate: false,
  enableGroupSyncing: false,
  addGroupsScope: false,
  enablePkce: true,
  defaultRootRole: 'Viewer',
  defaultRootRoleId: 3,
  secret: '*****',
});

test('changes to single sign-on show old and new values, but never the secret', () => {
  const edited = {
    ...saved,
    enabled: true,
    clientId: 'burgee',
    defaultRootRoleId: 2,
    secret: 'hunter2',
  };
  const changed = ['enabled', 'clientId', 'defaultRootRoleId', 'secret'] as const;
  expect(oidcChanges(saved, edited, changed, (id) => (id === 2 ? 'Editor' : 'Viewer'))).toEqual([
    'single sign-on disabled → enabled',
    'client ID none → burgee',
    'default root role Viewer → Editor',
    'client secret',
  ]);
});

test('a notification says that single sign-on was enabled or disabled only if that changed', () => {
  const [on, off] = [{ enabled: true }, { enabled: false }];
  expect(savedTitle(on, on)).toBe('Single sign-on settings saved');
  expect(savedTitle(off, off)).toBe('Single sign-on settings saved');
  expect(savedTitle(off, on)).toBe('Single sign-on enabled');
  expect(savedTitle(on, off)).toBe('Single sign-on disabled');
});
