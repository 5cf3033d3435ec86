import { describe, expect, test } from 'vitest';
import { apiTokenCreated } from '../src/modules/access/api-tokens/events.ts';
import {
  projectAccessAdded,
  projectGroupAdded,
  projectUserAdded,
  userRolesUpdated,
} from '../src/modules/access/project-access/events.ts';
import { serviceAccountCreated } from '../src/modules/access/service-accounts/events.ts';
import { settingDeleted, settingUpdated } from '../src/modules/access/settings/events.ts';
import { inviteLinkUpdated, signedUp } from '../src/modules/access/sign-in/invite-links/events.ts';
import { userCreated, userUpdated } from '../src/modules/access/users/events.ts';
import { featureTagged } from '../src/modules/catalogue/tags/feature-tags/events.ts';
import type { JsonObject } from '../src/modules/events/index.ts';
import { plainText, readSentence } from '../src/modules/events/index.ts';
import type { EventDraft } from '../src/modules/events/record/define.ts';
import { summarize } from '../src/modules/events/record/summary.ts';
import { featureDependencyAdded } from '../src/modules/flags/features/dependencies/events.ts';
import { featureEnvironmentEnabled } from '../src/modules/flags/features/environments/events.ts';
import { featureMetadataUpdated } from '../src/modules/flags/features/events.ts';
import { featureTypeUpdated } from '../src/modules/flags/features/feature-types/events.ts';
import { integrationUpdated } from '../src/modules/integrations/events.ts';

const markdownOf = (draft: EventDraft, user = 'Ada'): string =>
  summarize(draft.definition, user, draft as { data: JsonObject | null });
const sentence = (draft: EventDraft, user?: string): string =>
  plainText(readSentence(markdownOf(draft, user)));

/** Events have more data than their sentences need. */
const some = (data: object) => data as never;

const feature = { project: 'shop', featureName: 'dark-mode' };
const integration = { id: 3, provider: 'webhook', description: null, enabled: true };
const user = { id: 7, name: 'Bo', username: 'bo', email: 'bo@example.com', rootRole: 3 };

describe('the sentence of an event', () => {
  test.each<[EventDraft, string]>([
    [
      featureEnvironmentEnabled({ ...feature, environment: 'production' }),
      'Ada enabled dark-mode in production',
    ],
    [
      featureTagged({ ...feature, data: { type: 'team', value: 'web' } }),
      'Ada added tag team:web to dark-mode',
    ],
    [
      featureDependencyAdded({
        ...feature,
        data: { feature: 'base', enabled: true, variants: ['a', 'b'] },
      }),
      'Ada made dark-mode depend on base with variant a or b',
    ],
    [
      featureMetadataUpdated({
        ...feature,
        data: some({ type: 'release', description: 'x' }),
        preData: some({ type: 'experiment', description: 'x' }),
      }),
      'Ada changed the type of dark-mode from experiment to release',
    ],
    [
      featureMetadataUpdated({
        ...feature,
        data: some({ owner: { type: 'group', id: 3, name: 'Web' } }),
        preData: some({ owner: { type: 'user', id: 7 } }),
      }),
      'Ada changed the owner of dark-mode from user 7 to group Web',
    ],
    [
      featureMetadataUpdated({
        ...feature,
        data: some({ owner: { type: 'user', id: 7 } }),
        preData: some({}),
      }),
      'Ada made user 7 owner of dark-mode',
    ],
    [
      featureMetadataUpdated({
        ...feature,
        data: some({}),
        preData: some({ owner: { type: 'user', id: 7 } }),
      }),
      'Ada removed user 7 as owner of dark-mode',
    ],
    [
      featureMetadataUpdated({
        ...feature,
        data: some({ expiresAt: '2026-03-03T10:00:00.000Z' }),
        preData: some({}),
      }),
      'Ada set the expiry date of dark-mode to Mar 3, 2026',
    ],
    [
      featureMetadataUpdated({
        ...feature,
        data: some({ owner: { type: 'user', id: 7 }, expiresAt: '2026-03-03T10:00:00.000Z' }),
        preData: some({}),
      }),
      'Ada updated owner and expiry date of dark-mode',
    ],
    [
      featureMetadataUpdated({
        ...feature,
        data: some({
          review: { permanent: false, snoozedUntil: '2027-01-30T00:00:00.000Z', reason: 'Not yet' },
        }),
        preData: some({}),
      }),
      'Ada snoozed dark-mode until Jan 30, 2027: Not yet',
    ],
    [
      featureMetadataUpdated({
        ...feature,
        data: some({ type: 'release', description: 'new' }),
        preData: some({ type: 'release', description: 'old' }),
      }),
      'Ada updated the description of dark-mode',
    ],
    [
      featureMetadataUpdated({
        ...feature,
        data: some({ type: 'release', description: 'new', impressionData: true }),
        preData: some({ type: 'release', description: 'old', impressionData: false }),
      }),
      'Ada updated description and impression data of dark-mode',
    ],
    [
      featureTypeUpdated({ data: some({ name: 'Release', lifetimeDays: 1 }) }),
      'Ada set the expected lifetime of Release features to 1 day',
    ],
    [
      apiTokenCreated({ data: some({ type: 'client', tokenName: 'shop' }) }),
      'Ada created backend token shop',
    ],
    [
      userRolesUpdated({
        project: 'shop',
        data: { roles: [4], roleNames: ['Owner'], userId: 7, userName: 'Bo' },
        preData: { roles: [5], roleNames: ['Member'], userId: 7, userName: 'Bo' },
      }),
      'Ada changed the roles of Bo in shop from Member to Owner',
    ],
    [
      projectAccessAdded({
        project: 'shop',
        data: {
          roles: [
            { roleId: 4, roleName: 'Owner', groupIds: [], groupNames: [], userIds: [7] },
            { roleId: 5, roleName: 'Member', groupIds: [2], groupNames: ['Web'], userIds: [7] },
          ],
          userId: 7,
          userName: 'Bo',
        },
      }),
      'Ada added Bo to shop as Owner; Bo and group Web as Member',
    ],
    [
      projectAccessAdded({
        project: 'shop',
        data: {
          roles: { roleId: 5, roleName: 'QA', groupIds: [], groupNames: [], userIds: [7, 8] },
        },
      }),
      'Ada added user 7 and user 8 to shop as QA',
    ],
    [
      projectUserAdded({
        project: 'shop',
        data: { userId: 7, roleId: 4, roleName: 'Owner', userName: 'Bo', email: 'bo@example.com' },
      }),
      'Ada added Bo to shop as Owner',
    ],
    [
      projectGroupAdded({
        project: 'shop',
        data: { groupId: 2, groupName: 'Web', projectId: 'shop', roleId: 5, roleName: 'Member' },
      }),
      'Ada added group Web to shop as Member',
    ],
    [
      signedUp({ data: { id: 1, name: 'Team', userId: 7, userName: 'Bo', roleName: 'Viewer' } }),
      'Bo signed up with invite link Team as Viewer',
    ],
    [
      inviteLinkUpdated({
        data: some({ name: 'Team', enabled: false, expiresAt: 'x' }),
        preData: some({ name: 'Team', enabled: true, expiresAt: 'x' }),
      }),
      'Ada disabled invite link Team',
    ],
    [
      settingUpdated({ data: { id: 'maintenance.mode', enabled: true } }),
      'Ada enabled maintenance mode',
    ],
    [
      settingUpdated({ data: { id: 'unleash.enterprise.auth.oidc' } }),
      'Ada updated single sign-on settings',
    ],
    [
      settingDeleted({ data: { id: 'burgee.event-retention' } }),
      'Ada reset event retention settings',
    ],
    [settingUpdated({ data: { id: 'other.one' } }), 'Ada updated other.one settings'],
    [userCreated({ data: user }), 'Ada created user Bo'],
    [userCreated({ data: { ...user, source: 'oidc' } }), 'Bo joined'],
    [
      serviceAccountCreated({ data: { id: 9, name: '', username: 'deployer', rootRole: 3 } }),
      'Ada created service account deployer',
    ],
    [
      integrationUpdated({
        data: some({ ...integration, enabled: false, reason: 'The endpoint returned 410' }),
        preData: some(integration),
      }),
      'Ada disabled integration Webhook 3: The endpoint returned 410',
    ],
    [
      integrationUpdated({
        data: some({ ...integration, description: 'Releases', enabled: false }),
        preData: some({ ...integration, description: 'Releases' }),
      }),
      'Ada disabled integration Releases',
    ],
  ])('%# uses the words of the UI', (draft, expected) => {
    expect(sentence(draft)).toBe(expected);
  });

  test('names a user who changes their own password only once', () => {
    const draft = userUpdated({ data: { ...user, passwordChangedAt: null }, preData: user });
    expect(sentence(draft, 'bo')).toBe('bo changed their password');
    expect(sentence(draft)).toBe('Ada changed the password for Bo');
  });

  test('escapes what is not bold', () => {
    const draft = featureMetadataUpdated({
      ...feature,
      data: some({ type: '**x** [y](/z)' }),
      preData: some({ type: 'release' }),
    });
    expect(markdownOf(draft)).toContain('to \\*\\*x\\*\\* \\[y\\]\\(/z\\)');
    expect(sentence(draft)).toContain('from release to **x** [y](/z)');
  });
});
