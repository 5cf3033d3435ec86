import { expect, test } from 'vitest';
import { adminPages } from '../access/admin-pages.ts';
import { cataloguePages } from '../catalogue/catalogue-pages.ts';
import { titleOf } from './title.ts';

const project = { project: 'Web shop' };

test.each([
  ['/', {}, 'Home · Burgee'],
  ['/search', {}, 'Features · Burgee'],
  ['/incident', {}, 'Incident view · Burgee'],
  ['/projects', {}, 'Projects · Burgee'],
  ['/projects/web-shop', {}, 'Projects · Burgee'],
  ['/projects/web-shop/features/dark-mode', {}, 'dark-mode · Projects · Burgee'],
  ['/projects/web-shop', project, 'Web shop · Burgee'],
  ['/projects/web-shop/', project, 'Web shop · Burgee'],
  ['/projects/web-shop/insights', project, 'Overview · Web shop · Burgee'],
  ['/projects/web-shop/logs', project, 'Event log · Web shop · Burgee'],
  ['/projects/web-shop/create-toggle', project, 'New feature · Web shop · Burgee'],
  ['/projects/web-shop/settings', project, 'Settings · Web shop · Burgee'],
  ['/projects/web-shop/settings/access', project, 'Members and roles · Web shop · Burgee'],
  ['/projects/web-shop/settings/api-access', project, 'API tokens · Web shop · Burgee'],
  ['/projects/web-shop/features/dark%20mode', project, 'dark mode · Web shop · Burgee'],
  ['/projects/web-shop/change-requests', project, 'Change requests · Web shop · Burgee'],
  ['/projects/web-shop/change-requests/7', project, 'Change request #7 · Web shop · Burgee'],
  [
    '/projects/web-shop/change-requests/7',
    { ...project, thing: 'Dark mode for all' },
    'Dark mode for all · Web shop · Burgee',
  ],
  ['/integrations', {}, 'Integrations · Burgee'],
  ['/integrations/7', { thing: 'Deploy bot' }, 'Deploy bot · Integrations · Burgee'],
  ['/integrations/edit/7', { thing: 'Deploy bot' }, 'Deploy bot · Integrations · Burgee'],
  ['/integrations/create/webhook', {}, 'New integration · Integrations · Burgee'],
  ['/applications/shop', {}, 'shop · Applications · Burgee'],
  ['/unknown-flags', {}, 'Unknown flags · Burgee'],
  ['/segments/create', {}, 'New segment · Segments · Burgee'],
  ['/segments/edit/3', { thing: 'Nordics' }, 'Nordics · Segments · Burgee'],
  ['/context/edit/userId', {}, 'userId · Context fields · Burgee'],
  ['/segments/edit/999', {}, 'Segments · Burgee'],
  ['/integrations/edit/999', {}, 'Integrations · Burgee'],
  ['/strategies/mine/edit', {}, 'Strategy types · Burgee'],
  ['/strategies/mine/edit', { thing: 'My own' }, 'My own · Strategy types · Burgee'],
  ['/feature-toggle-type/edit/release', {}, 'Feature types · Burgee'],
  ['/feature-toggle-type/edit/release', { thing: 'Release' }, 'Release · Feature types · Burgee'],
  ['/tag-types/edit/team', {}, 'team · Tag types · Burgee'],
  ['/environments/clone/staging', {}, 'staging · Environments · Burgee'],
  ['/admin/maintenance', {}, `${label('/admin/maintenance')} · Administration · Burgee`],
  ['/admin/users/4', { thing: 'Ada Holm' }, `Ada Holm · ${label('/admin/users')} · Burgee`],
  ['/admin/roles/4', {}, 'Roles · Burgee'],
  ['/nowhere', {}, 'Page not found · Burgee'],
])('the title of %s with %j is %s', (pathname, names, title) => {
  expect(titleOf(pathname, names)).toBe(title);
});

function label(path: string): string | undefined {
  return adminPages.find(({ to }) => to === path)?.label;
}

test('every page of the administration and configuration has its own title', () => {
  const paths = [...adminPages, ...cataloguePages].map(({ to }) => to);
  expect(new Set(paths.map((path) => titleOf(path))).size).toBe(paths.length);
});
