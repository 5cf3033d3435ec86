import { createContextField } from '../modules/catalogue/context-fields/index.ts';
import { changeEnvironment, createEnvironment } from '../modules/catalogue/environments/index.ts';
import { createSegment } from '../modules/catalogue/segments/index.ts';
import { createStrategyType } from '../modules/catalogue/strategy-types/index.ts';
import { createTagType } from '../modules/catalogue/tags/index.ts';
import type { Installation } from '../modules/integrations/index.ts';
import { aging } from './aging.ts';
import { catalogue } from './catalogue.ts';
import type { Chapter } from './chapter.ts';
import { follows } from './follows.ts';
import { integrations } from './integrations.ts';
import { chaptersOf } from './lives.ts';
import { machines } from './machines.ts';
import { administrator, emailOf, people } from './people.ts';
import { projects } from './projects.ts';
import { sightings } from './sightings.ts';
import { targeting } from './targeting.ts';
import { upkeep } from './upkeep.ts';
import { usage } from './usage.ts';

/** The day of the first start, before there were any accounts. */
export const beginsDaysAgo = 191;

const environments: readonly Chapter[] = [
  {
    daysAgo: 182,
    by: administrator,
    requests: [{ operation: 'createEnvironment' }],
    run: (tx) =>
      createEnvironment(tx, {
        name: 'staging',
        type: 'pre-production',
        enabled: true,
        sortOrder: 150,
      }),
  },
  {
    daysAgo: 181,
    by: administrator,
    requests: [{ operation: 'createEnvironment' }],
    run: (tx) =>
      createEnvironment(tx, { name: 'load-test', type: 'test', enabled: true, sortOrder: 120 }),
  },
  {
    daysAgo: 60,
    by: administrator,
    requests: [{ operation: 'toggleEnvironmentOff' }],
    run: (tx) => changeEnvironment(tx, 'load-test', { enabled: false }),
  },
  {
    daysAgo: 12,
    by: administrator,
    requests: [{ operation: 'toggleEnvironmentOn' }],
    run: (tx) => changeEnvironment(tx, 'load-test', { enabled: true }),
  },
];

const audiences: readonly Chapter[] = [
  {
    daysAgo: 174,
    by: emailOf('Bela Novak'),
    requests: [{ operation: 'createContextField' }],
    run: (tx) =>
      createContextField(tx, {
        name: 'country',
        description: 'Country of residence',
        stickiness: false,
        legalValues: ['DE', 'DK', 'FR', 'NL', 'SE'].map((value) => ({ value })),
      }),
  },
  {
    daysAgo: 173,
    by: emailOf('Bela Novak'),
    requests: [{ operation: 'createContextField' }],
    run: (tx) =>
      createContextField(tx, {
        name: 'plan',
        description: 'Membership level',
        stickiness: true,
        legalValues: [
          { value: 'guest', description: 'No account' },
          { value: 'member', description: 'With an account' },
          { value: 'plus', description: 'Paid plan with free delivery' },
        ],
      }),
  },
  {
    daysAgo: 170,
    by: emailOf('Bela Novak'),
    requests: [{ operation: 'createStrategy' }],
    run: (tx) =>
      createStrategyType(tx, {
        name: 'storeHours',
        title: 'Opening hours',
        description: 'Enabled while the local store is open',
        parameters: [
          { name: 'shops', type: 'list', description: 'Store numbers', required: true },
          { name: 'minutesBefore', type: 'number', description: 'Minutes before opening' },
        ],
      }),
  },
  {
    daysAgo: 169,
    by: emailOf('Bela Novak'),
    requests: [{ operation: 'createTagType' }],
    run: (tx) =>
      createTagType(tx, {
        name: 'quarter',
        description: 'Quarter in which the feature will be removed',
        color: '#D97706',
      }),
  },
  {
    daysAgo: 166,
    by: emailOf('Elif Demir'),
    requests: [{ operation: 'createSegment' }],
    run: (tx) =>
      createSegment(tx, {
        name: 'Nordics',
        description: 'Customers in Denmark and Sweden',
        constraints: [{ contextName: 'country', operator: 'IN', values: ['DK', 'SE'] }],
      }),
  },
  {
    daysAgo: 65,
    by: emailOf('Jonas Weber'),
    requests: [{ operation: 'createSegment' }],
    run: (tx) =>
      createSegment(tx, {
        name: 'Early adopters',
        description: 'Customers who signed up for early access',
        project: 'mobile',
        constraints: [{ contextName: 'userId', operator: 'STR_ENDS_WITH', values: ['7'] }],
      }),
  },
];

const features = Object.entries(catalogue).flatMap(([project, tales]) =>
  tales.flatMap((tale) => chaptersOf(project, tale)),
);

/**
 * A shop that grew over half a year: a dozen people in four teams, four environments, eight projects and a hundred
 * features with their history.
 */
export const story = (
  installation: Installation,
  firstAdministrator?: string,
): readonly Chapter[] => [
  ...people,
  ...environments,
  ...projects,
  ...machines(installation),
  ...audiences,
  ...features,
  ...targeting,
  ...usage,
  ...upkeep,
  ...aging,
  ...follows(firstAdministrator),
  // Without a key their secrets cannot be stored.
  ...(installation.encryptionKeys.length > 0 ? integrations(installation) : []),
  sightings,
];
