import { expect, test } from 'vitest';
import { findHindrance } from './reason.ts';

const event = {
  type: 'feature-created',
  project: 'web',
  environment: 'production',
  tags: [{ type: 'simple', value: 'a' }],
};

const settings = {
  enabled: true,
  events: ['feature-created'],
  projects: [],
  environments: [],
  tags: [],
};

test.each([
  ['nothing', {}, undefined],
  [
    'a filter that includes the event',
    { projects: ['web'], environments: ['production'] },
    undefined,
  ],
  ['a disabled integration', { enabled: false, events: [] }, 'disabled'],
  ['the type, before other filters', { events: [], projects: ['app'] }, 'type'],
  ['the project', { projects: ['app'], environments: ['test'] }, 'project'],
  [
    'a deleted project with the same id',
    { projects: ['web'], deletedProjects: ['web'] },
    'project',
  ],
  ['the environment', { environments: ['test'] }, 'environment'],
  ['the tags', { tags: [{ type: 'simple', value: 'b' }] }, 'tags'],
] as const)('the reason for not sending an event is correct for %s', (_what, more, reason) => {
  expect(findHindrance({ ...settings, ...more }, event, true)?.reason).toBe(reason);
});

test('the sentence says whether the settings are past or current', () => {
  const off = { ...settings, enabled: false };
  expect(findHindrance(off, event, true)?.why).toBe('Integration was disabled at that time');
  expect(findHindrance(off, event, false)?.why).toBe('Integration is disabled');
});
