import { admin, chance, feature, get, post, rollout, type Step, strategies } from './request.ts';

const exported = `${admin}/features-batch/export`;
const validated = `${admin}/features-batch/validate`;
const imported = `${admin}/features-batch/import`;

const variant = (name: string, weight: number) => ({
  ...{ name, weight, weightType: 'variable', stickiness: 'default' },
});

const data = {
  features: [
    { name: 'imported', type: 'experiment', description: 'From elsewhere', project: 'default' },
    { name: 'imported-too', type: 'release', project: 'default' },
    { name: 'bare', type: 'release', description: 'Overwritten', project: 'default' },
  ],
  featureStrategies: [
    {
      ...rollout({ featureName: 'imported', title: 'Imported', id: 'their-own-id', sortOrder: 0 }),
      constraints: [{ contextName: 'plan', operator: 'IN', values: ['gold'] }],
      segments: [4242],
      variants: [variant('z', 334), variant('y', 333), variant('x', 333)],
    },
    { ...rollout({ featureName: 'imported-too', sortOrder: 0 }), variants: [] },
  ],
  featureEnvironments: [
    {
      ...{
        name: 'imported',
        featureName: 'imported',
        environment: 'development',
        enabled: true,
      },
      variants: [variant('two', 500), variant('one', 500)],
    },
    {
      name: 'imported-too',
      featureName: 'imported-too',
      environment: 'development',
      enabled: false,
    },
  ],
  contextFields: [{ name: 'shoe-size', description: 'In centimetres', stickiness: false }],
  featureTags: [{ featureName: 'imported', tagType: 'team', tagValue: 'imported' }],
  segments: [{ id: 4242, name: 'vip' }],
  tagTypes: [{ name: 'team', description: 'Who looks after it', icon: 'T' }],
  dependencies: [
    {
      feature: 'imported-too',
      dependencies: [{ feature: 'imported', enabled: true, variants: [] }],
    },
  ],
};

const into = (more: object = {}) => ({
  project: 'default',
  environment: 'development',
  data,
  ...more,
});
const faulty = {
  ...data,
  features: [{ name: 'of-nowhere', type: 'release', project: 'default' }],
  featureStrategies: [
    { ...rollout({ featureName: 'of-nowhere' }), name: 'no-such-type', segments: [77] },
  ],
  featureEnvironments: [],
  featureTags: [],
  segments: [{ id: 77, name: 'no-such-segment' }],
  dependencies: [],
};

export const importExportSteps: Step[] = [
  post(exported, {
    environment: 'development',
    features: ['varied-2', 'replaced', 'child', 'bare'],
  }),
  post(exported, { environment: 'production', features: ['by-default'] }),
  post(exported, { environment: 'development', tag: 'checkout' }),
  post(exported, { environment: 'development', features: ['no-such-feature'] }),
  post(exported, { environment: 'no-such-environment', features: ['bare'] }),
  post(exported, {}),
  post(validated, into(), { as: 'person' }),
  post(validated, into({ data: faulty }), { as: 'person' }),
  post(validated, into({ environment: 'no-such-environment' }), { as: 'person' }),
  post(imported, into({ data: faulty }), { as: 'person' }),
  post(imported, into(), { as: 'person' }),
  get(feature('imported')),
  get(strategies('imported')),
  get(feature('imported-too')),
  get(feature('bare')),
  get(`${admin}/context/shoe-size`),
  get(`${admin}/features/imported/tags`),
  post(imported, into(), { as: 'person' }),
  get(strategies('imported')),
  post(imported, {}, { as: 'person' }),
  post(imported, into({ project: 'no-such-project' }), { as: 'person' }),
  { look: 'imported' },
];

const operators = [
  { contextName: 'region', operator: 'IN', values: ['eu-north', 'us-east', 'nowhere'] },
  { contextName: 'region', operator: 'NOT_IN', values: ['us-east'] },
  {
    contextName: 'email',
    operator: 'STR_ENDS_WITH',
    values: ['.org', '.test'],
    caseInsensitive: true,
  },
  { contextName: 'age', operator: 'NUM_GT', value: '21' },
  { contextName: 'age', operator: 'NUM_LTE', value: '40', inverted: true },
  { contextName: 'version', operator: 'SEMVER_GT', value: '1.4.0' },
  { contextName: 'userId', operator: 'IN', values: ['user-1', 'user-2', 'user-3', 'user-4'] },
];

/** Features that combine everything at random. */
export function mixedSteps(): Step[] {
  const next = chance(4242);
  const below = (limit: number) => Math.floor(next() * limit);
  const pick = <Item>(items: readonly Item[]): Item => items[below(items.length)] as Item;
  const strategy = (name: string) =>
    rollout(
      {
        disabled: next() < 0.15,
        ...(next() < 0.5 && { title: `Number ${below(100)}` }),
        constraints: Array.from({ length: below(3) }, () => pick(operators)),
        segments:
          next() < 0.3 ? [pick(['{{segment-vip}}', '{{segment-grown}}', '{{segment-own}}'])] : [],
        variants: ['d', 'Z', 'a', 'O', 'm']
          .slice(0, below(6))
          .map((each) => variant(each, below(1000))),
      },
      {
        rollout: String(5 * below(21)),
        stickiness: pick(['default', 'userId', 'sessionId', 'random', 'region']),
        groupId: pick([name, 'shared', 'other']),
      },
    );
  return Array.from({ length: 20 }, (_, index) => `mixed-${index}`).flatMap((name): Step[] => [
    post('/api/admin/projects/default/features', {
      ...{ name, type: pick(['release', 'experiment']), impressionData: next() < 0.3 },
    }),
    ...Array.from({ length: 1 + below(3) }, () =>
      post(strategies(name, pick(['development', 'production'])), strategy(name)),
    ),
    post(`${feature(name)}/environments/development/on`),
    ...(next() < 0.6 ? [post(`${feature(name)}/environments/production/on`)] : []),
    get(feature(name)),
  ]);
}
