import { describe, expect, test } from 'vitest';
import { concerns, type Subject } from './matching.ts';

const integration = {
  enabled: true,
  events: ['feature-created'],
  projects: [] as string[],
  environments: [] as string[],
  tags: [] as { type: string; value: string }[],
  tellsPrivate: true,
};
const event: Subject = {
  type: 'feature-created',
  project: 'checkout',
  environment: 'production',
  tags: [{ type: 'team', value: 'core' }],
  isOpen: true,
};

describe('an integration is told of an event', () => {
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
    ['of a private project', {}, { isOpen: false }, true],
    ['not of one that nobody let it know', { tellsPrivate: false }, { isOpen: false }, false],
    [
      'of a private one that it names',
      { tellsPrivate: false, projects: ['checkout'] },
      { isOpen: false },
      true,
    ],
  ])('%s', (_title, filters, change, told) => {
    expect(concerns({ ...integration, ...filters }, { ...event, ...change })).toBe(told);
  });
});
