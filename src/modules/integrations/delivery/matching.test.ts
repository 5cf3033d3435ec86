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

describe('matching an event with an integration', () => {
  test.each([
    ['a selected type matches', {}, {}, true],
    ['another type does not match', {}, { type: 'feature-archived' }, false],
    ['a disabled integration does not match', { enabled: false }, {}, false],
    ['a selected project matches', { projects: ['other', 'checkout'] }, {}, true],
    ['another project does not match', { projects: ['other'] }, {}, false],
    [
      'an event without a project matches any project filter',
      { projects: ['other'] },
      { project: null },
      true,
    ],
    ['a selected environment matches', { environments: ['production'] }, {}, true],
    ['another environment does not match', { environments: ['development'] }, {}, false],
    [
      'an event without an environment matches any environment filter',
      { environments: ['development'] },
      { environment: null },
      true,
    ],
    ['one of the selected tags matches', { tags: [{ type: 'team', value: 'core' }] }, {}, true],
    ['another tag does not match', { tags: [{ type: 'team', value: 'web' }] }, {}, false],
    [
      'an event without tags does not match a tag filter',
      { tags: [{ type: 'team', value: 'core' }] },
      { tags: [] },
      false,
    ],
    [
      'a project recreated before the integration was saved matches',
      { projects: ['checkout'] },
      { projectDeletedAt: 99 },
      true,
    ],
    [
      'a new project with the id of a deleted selected one does not match',
      { projects: ['checkout'] },
      { projectDeletedAt: 101 },
      false,
    ],
    [
      'a new project with the id of a deleted one matches without a filter',
      {},
      { projectDeletedAt: 101 },
      true,
    ],
  ])('%s', (_title, filters, change, told) => {
    expect(matches({ ...integration, ...filters }, { ...event, ...change })).toBe(told);
  });
});
