import { describe, expect, test } from 'vitest';
import { missingWords } from './missing-words.ts';

describe('something that is missing or private', () => {
  test.each([
    ['/projects/hr', 'Project not found', '/projects', 'All projects'],
    ['/projects/hr/settings/access', 'Project not found', '/projects', 'All projects'],
    ['/segments/edit/7', 'Segment not found', '/segments', 'All segments'],
    ['/environments/edit/qa', 'Environment not found', '/environments', 'All environments'],
    ['/integrations/7', 'Integration not found', '/integrations', 'All integrations'],
    ['/integrations/create/irc', 'Provider not found', '/integrations', 'All integrations'],
    ['/admin/roles/7', 'Role not found', '/admin/roles', 'All roles'],
    ['/elsewhere', 'Page not found', '/', 'Back to Home'],
  ])('at %s is titled "%s" and leads to %s', (pathname, title, to, label) => {
    expect(missingWords({ status: 404, message: 'x' }, pathname)).toMatchObject({
      title,
      text: 'x',
      to,
      label,
    });
  });

  test('leads to the list of change requests if it is a change request', () => {
    expect(
      missingWords(
        { status: 404, message: "Change request '7' not found" },
        '/projects/shop/change-requests/7',
      ),
    ).toMatchObject({
      title: 'Change request not found',
      hint: "Change request 7 may be someone else's draft, or may have been discarded.",
      to: '/change-requests',
    });
  });

  test.each([
    ['/projects/hr', /private. Ask an owner of the project or an admin/],
    ['/segments/edit/7', /admin/],
  ])('at %s says who can help', (pathname, who) => {
    expect(missingWords({ status: 404, message: 'x' }, pathname).hint).toMatch(who);
  });
});

test.each(["Project 'hr' not found", 'Project hr not found'])(
  'the message "%s" does not repeat the title: the hint says what was not found',
  (message) => {
    const { text, hint } = missingWords({ status: 404, message }, '/projects/hr');
    expect(text).toBeUndefined();
    expect(hint).toMatch(/^Project hr may have been archived or deleted/);
  },
);

describe('a page without permission', () => {
  test.each([
    [
      'You need the READ_ROLE permission to do this',
      '/admin/roles/7',
      'You need “View roles” (READ_ROLE). Ask an admin.',
      '/',
    ],
    [
      'You need the ADMIN permission to do this',
      '/admin/users',
      'You need “Full access” (ADMIN). Ask an admin.',
      '/',
    ],
    ['Not from here', '/integrations/7', 'Not from here', '/integrations'],
  ])('with the response "%s" at %s says what is needed', (message, pathname, text, to) => {
    expect(missingWords({ status: 403, message }, pathname)).toMatchObject({
      title: "You don't have access to this page",
      text,
      to,
    });
  });
});
