import type { EventType } from '../src/modules/events/event-types-schema.ts';
import type { JsonObject } from '../src/modules/events/proof/canonical.ts';
import type {
  EventDefinition,
  EventDraft,
  EventFields,
  EventTag,
} from '../src/modules/events/record/define.ts';
import { type Random, seededRandom } from './random.ts';
import { authors, environments, featureNames, phrase, projects } from './vocabulary.ts';

/** The fixed properties of a feature throughout the generated history. */
interface Feature {
  readonly name: string;
  readonly project: string;
  readonly strategyId: string;
  readonly description: string;
  readonly tags: readonly EventTag[];
}

/** Like `defineEvent`, without copying the payload, which is plain here. */
const define =
  (definition: EventDefinition) =>
  (fields: EventFields): EventDraft => ({ ...fields, definition });

const featureEvent = (type: EventType, label: string, did: string) =>
  define({
    type,
    label,
    summary: ({ user, feature, project, environment }) =>
      `${user} ${did} ${feature} in project ${project}${environment && ` (${environment})`}`,
  });

const strategyUpdated = featureEvent('feature-strategy-update', 'Strategy updated', 'changed');
const strategyAdded = featureEvent('feature-strategy-add', 'Strategy added', 'added to');
const environmentOn = featureEvent('feature-environment-enabled', 'Flag enabled', 'enabled');
const environmentOff = featureEvent('feature-environment-disabled', 'Flag disabled', 'disabled');
const featureCreated = featureEvent('feature-created', 'Flag created', 'created');
const metadataUpdated = featureEvent('feature-metadata-updated', 'Flag updated', 'described');
const featureTagged = featureEvent('feature-tagged', 'Flag tagged', 'tagged');
const variantsUpdated = featureEvent(
  'feature-environment-variants-updated',
  'Variants updated',
  'changed the variants of',
);
const staleOn = featureEvent('feature-stale-on', 'Flag marked stale', 'marked as stale');
const featureArchived = featureEvent('feature-archived', 'Flag archived', 'archived');
const projectUpdated = define({
  type: 'project-updated',
  label: 'Project updated',
  summary: ({ user, project }) => `${user} updated project ${project}`,
});
const segmentUpdated = define({
  type: 'segment-updated',
  label: 'Segment updated',
  summary: ({ user, data, bold }) => `${user} updated segment ${bold(String(data.name))}`,
});
const tokenCreated = define({
  type: 'api-token-created',
  label: 'API token created',
  summary: ({ user, data, bold }) => `${user} created API token ${bold(String(data.tokenName))}`,
});
const userCreated = define({
  type: 'user-created',
  label: 'User created',
  summary: ({ user, data, bold }) => `${user} created user ${bold(String(data.id))}`,
  personal: ['email', 'name'],
});

const percents = Array.from({ length: 21 }, (_, step) => String(5 * step));

const strategy = (feature: Feature, rollout: string, extra: JsonObject = {}) => ({
  id: feature.strategyId,
  name: 'flexibleRollout',
  parameters: { groupId: feature.name, rollout, stickiness: 'default' },
  constraints: [],
  segments: [],
  ...extra,
});

const tagTypes = ['simple', 'team', 'component'] as const;

type DraftEvent = (random: Random, feature: Feature, comment: string) => EventDraft;

const ofFeature = ({ name, project, tags }: Feature) => ({ featureName: name, project, tags });

/** Each kind of event with its share of the log, in thousandths. */
const kinds: readonly (readonly [share: number, tell: DraftEvent])[] = [
  [
    270,
    (random, feature, comment) =>
      strategyUpdated({
        ...ofFeature(feature),
        environment: random.pick(environments),
        data: strategy(feature, random.pick(percents), { comment }),
        preData: strategy(feature, random.pick(percents)),
      }),
  ],
  [
    150,
    (random, feature, comment) =>
      environmentOn({
        ...ofFeature(feature),
        environment: random.pick(environments),
        data: { name: feature.name, enabled: true, comment },
      }),
  ],
  [
    90,
    (random, feature, comment) =>
      environmentOff({
        ...ofFeature(feature),
        environment: random.pick(environments),
        data: { name: feature.name, enabled: false, comment },
      }),
  ],
  [
    110,
    (random, feature, comment) =>
      strategyAdded({
        ...ofFeature(feature),
        environment: random.pick(environments),
        data: strategy(feature, random.pick(percents), { title: phrase(random, 3), comment }),
      }),
  ],
  [
    90,
    (random, feature, comment) =>
      featureCreated({
        ...ofFeature(feature),
        data: {
          name: feature.name,
          project: feature.project,
          description: feature.description,
          type: random.pick(['experiment', 'operational', 'kill-switch', 'permission']),
          impressionData: random.fraction() < 0.1,
          stale: false,
          comment,
        },
      }),
  ],
  [
    90,
    (random, feature, comment) =>
      metadataUpdated({
        ...ofFeature(feature),
        data: { name: feature.name, description: phrase(random, 6), comment },
        preData: { name: feature.name, description: feature.description },
      }),
  ],
  [
    70,
    (random, feature, comment) => {
      const tag = { type: random.pick(tagTypes), value: random.pick(projects) };
      const tags = [...feature.tags, tag];
      return featureTagged({ ...ofFeature(feature), tags, data: { ...tag, comment } });
    },
  ],
  [
    50,
    (random, feature, comment) =>
      variantsUpdated({
        ...ofFeature(feature),
        environment: random.pick(environments),
        data: {
          variants: ['control', 'treatment'].map((name) => ({
            name,
            weight: 500,
            weightType: 'variable',
            stickiness: 'default',
          })),
          comment,
        },
        preData: { variants: [] },
      }),
  ],
  [
    20,
    (_random, feature, comment) =>
      staleOn({ ...ofFeature(feature), data: { name: feature.name, stale: true, comment } }),
  ],
  [
    20,
    (_random, feature, comment) =>
      featureArchived({ ...ofFeature(feature), data: { name: feature.name, comment } }),
  ],
  [
    18,
    (random, { project }, comment) =>
      projectUpdated({
        project,
        data: { id: project, description: phrase(random, 8), mode: 'open', comment },
        preData: { id: project, description: phrase(random, 8), mode: 'open' },
      }),
  ],
  [
    12,
    (random, _feature, comment) =>
      segmentUpdated({
        data: {
          name: `${random.pick(projects)}-users`,
          constraints: [
            { contextName: 'region', operator: 'IN', values: [phrase(random, 2), 'emea'] },
          ],
          comment,
        },
      }),
  ],
  [
    6,
    (random, { project }, comment) =>
      tokenCreated({
        project,
        environment: random.pick(environments),
        data: { tokenName: `${project}-${random.integer(1000)}`, type: 'client', comment },
      }),
  ],
  [
    4,
    (random, _feature, comment) => {
      const { id, name } = random.pick(authors);
      return userCreated({ data: { id, email: name, name: name.replace(/@.*/, ''), comment } });
    },
  ],
];

const totalShare = kinds.reduce((sum, [share]) => sum + share, 0);

function kindAt(point: number): DraftEvent {
  let left = point * totalShare;
  for (const [share, tell] of kinds) {
    left -= share;
    if (left < 0) return tell;
  }
  throw new Error('a point beyond the last kind of event');
}

const featureSeed = 7;

function inventFeatures(): readonly Feature[] {
  const random = seededRandom(featureSeed);
  return featureNames.map((name) => ({
    name,
    project: random.pick(projects),
    strategyId: random.uuid(),
    description: phrase(random, 6),
    tags: random.integer(4) > 0 ? [] : [{ type: 'team', value: random.pick(projects) }],
  }));
}

const features = inventFeatures();

/** Generates one event. Its data must contain the text `planted`. */
export function tell(random: Random, planted: string | undefined): EventDraft {
  const feature = features[random.skewed(features.length)];
  if (!feature) throw new Error('no feature to tell of');
  const words = phrase(random, 5 + random.integer(6));
  const version = `${random.integer(9)}.${random.integer(40)}`;
  const comment = `release ${version}: ${words}${planted === undefined ? '' : ` ${planted}`}`;
  return kindAt(random.fraction())(random, feature, comment);
}
