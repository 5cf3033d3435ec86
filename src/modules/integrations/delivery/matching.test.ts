import { describe, expect, test } from 'vitest';
import { type MatchedEvent, matches } from './matching.ts';

const integration = {
  enabled: true,
  events: ['feature-created'],
  projects: [] as string[],
  environments: [] as string[],
  tags: [] as { type: string; value: string }[],
  namedAfter: 100,
};
const event: MatchedEvent = {
  type: 'feature-created',
  project: 'checkout',
  environment: 'production',
  tags: [{ type: 'team', value: 'core' }],
  projectDeletedAt: 0,
};

describe('an integration gets an event', () => {
  test.each([
    ['whose type it asks for', {}, {}, true],
    ['not of another type', {}, { type: 'feature-archived' }, false],
    ['not while it is off', { enabled: false }, {}, false],
    ['of a project that it names', { projects: ['other', 'checkout'] }, {}, true],
    ['not of another project', { projects: ['other'] }, {}, false],
    ['without a project, whatever it names', { projects: ['other'] }, { project: null }, true],
    ['in an environment that it names', { environments: ['production'] }, {}, true],
    ['not in another one', { environments: ['development'] }, {}, false],
    ['without an environment', { environments: ['development'] }, { environment: null }, true],
    ['with one of its tags', { tags: [{ type: 'team', value: 'core' }] }, {}, true],
    ['not with another tag', { tags: [{ type: 'team', value: 'web' }] }, {}, false],
    ['not without any tag', { tags: [{ type: 'team', value: 'core' }] }, { tags: [] }, false],
    [
      'of a project that had been deleted and made anew before it was named',
      { projects: ['checkout'] },
      { projectDeletedAt: 99 },
      true,
    ],
    [
      'not of one that only has the id of the one that was named',
      { projects: ['checkout'] },
      { projectDeletedAt: 101 },
      false,
    ],
    ['of such a one where it names none', {}, { projectDeletedAt: 101 }, true],
  ])('%s', (_title, filters, change, told) => {
    expect(matches({ ...integration, ...filters }, { ...event, ...change })).toBe(told);
  });
});
