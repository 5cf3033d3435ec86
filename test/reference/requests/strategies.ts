import {
  del,
  get,
  newFeature,
  patch,
  place,
  post,
  put,
  removed,
  rollout,
  type Step,
  strategies,
} from './request.ts';

interface Constraint {
  readonly contextName: string;
  readonly operator: string;
  readonly values?: readonly string[];
  readonly value?: string;
}

/** Each operator with operands on both sides of the values in the contexts. */
const operators: readonly Constraint[] = [
  { contextName: 'region', operator: 'IN', values: ['eu-north', 'us-east'] },
  { contextName: 'region', operator: 'NOT_IN', values: ['eu-north'] },
  { contextName: 'email', operator: 'STR_CONTAINS', values: ['example', 'Burgee'] },
  { contextName: 'email', operator: 'STR_STARTS_WITH', values: ['a', 'B'] },
  { contextName: 'email', operator: 'STR_ENDS_WITH', values: ['.ORG', '.test'] },
  { contextName: 'age', operator: 'NUM_EQ', value: '18' },
  { contextName: 'age', operator: 'NUM_GT', value: '18' },
  { contextName: 'age', operator: 'NUM_GTE', value: '18' },
  { contextName: 'age', operator: 'NUM_LT', value: '18.5' },
  { contextName: 'age', operator: 'NUM_LTE', value: '-1' },
  { contextName: 'currentTime', operator: 'DATE_AFTER', value: '2026-01-29T13:00:00.000Z' },
  { contextName: 'currentTime', operator: 'DATE_BEFORE', value: '2026-01-29T13:00:00.000Z' },
  { contextName: 'version', operator: 'SEMVER_EQ', value: '1.2.3' },
  { contextName: 'version', operator: 'SEMVER_GT', value: '1.2.3-beta.1' },
  { contextName: 'version', operator: 'SEMVER_LT', value: '2.0.0' },
];

const byOperators: Step[] = operators.flatMap((constraint, index) => {
  const name = `operator-${constraint.operator}`;
  const strategy = `operator-${index}`;
  return [
    newFeature(name),
    post(strategies(name), rollout({ constraints: [constraint] }), { keep: strategy }),
    post(
      strategies(name, 'production'),
      rollout({ constraints: [{ ...constraint, inverted: true }] }),
    ),
    post(
      strategies(name, 'production'),
      rollout({
        title: 'Of any case',
        constraints: [{ ...constraint, caseInsensitive: true, inverted: false }],
      }),
    ),
    post(`${place(name)}/on`),
    post(`${place(name, 'production')}/on`),
    get(`${strategies(name)}/{{${strategy}}}`),
    get(strategies(name, 'production')),
  ];
});

const kinds: readonly { readonly name: string; readonly parameters?: object }[] = [
  { name: 'default' },
  { name: 'default', parameters: {} },
  { name: 'userWithId', parameters: { userIds: 'user-1,user-2, user-3' } },
  { name: 'remoteAddress', parameters: { IPs: '127.0.0.1,10.0.0.0/8' } },
  { name: 'applicationHostname', parameters: { hostNames: 'a.example,b.example' } },
  { name: 'flexibleRollout' },
  { name: 'flexibleRollout', parameters: {} },
  { name: 'flexibleRollout', parameters: { rollout: '0' } },
  {
    name: 'flexibleRollout',
    parameters: { rollout: 33, stickiness: 'default', groupId: 'thirds' },
  },
  {
    name: 'flexibleRollout',
    parameters: { rollout: '50', stickiness: 'userId', groupId: 'halves' },
  },
  { name: 'flexibleRollout', parameters: { rollout: '50', stickiness: 'sessionId', groupId: '' } },
  { name: 'flexibleRollout', parameters: { rollout: '50', stickiness: 'region', groupId: 'x' } },
  { name: 'flexibleRollout', parameters: { rollout: '25', stickiness: '', groupId: 'empty' } },
];

const byKinds: Step[] = kinds.flatMap((kind, index) => {
  const name = `kind-${index}-${kind.name}`;
  return [
    newFeature(name),
    post(strategies(name), kind, { keep: name }),
    post(strategies(name, 'production'), { ...kind, disabled: index % 3 === 0 }),
    post(`${place(name)}/on`),
    post(`${place(name, 'production')}/on`),
    get(place(name)),
    get(strategies(name, 'production')),
  ];
});

const other = rollout({}, { rollout: '60' });
const whole = rollout(
  {
    title: 'A title',
    disabled: true,
    segments: ['{{segment-vip}}'],
    constraints: [{ contextName: 'plan', operator: 'IN', values: ['gold'] }],
    variants: [
      { name: 'red', weight: 500, weightType: 'variable', stickiness: 'default' },
      { name: 'blue', weight: 500, weightType: 'variable', stickiness: 'default' },
    ],
  },
  { rollout: '40' },
);
const kept = `${strategies('replaced')}/{{replaced}}`;
const second = `${strategies('replaced')}/{{replaced-second}}`;

const replaced: Step[] = [
  newFeature('replaced'),
  post(strategies('replaced'), whole, { keep: 'replaced' }),
  post(strategies('replaced'), rollout({ title: 'Second' }), { keep: 'replaced-second' }),
  post(`${place('replaced')}/on`),
  get(strategies('replaced')),
  put(kept, other),
  get(kept),
  put(kept, whole),
  put(kept, { name: 'flexibleRollout' }),
  get(kept),
  put(kept, whole),
  put(kept, { parameters: { rollout: '70', stickiness: 'userId', groupId: 'own' } }),
  get(kept),
  put(kept, { ...whole, title: null, disabled: null }),
  get(kept),
  put(kept, { ...whole, title: '', disabled: false, segments: [] }),
  get(kept),
  put(kept, { name: 'userWithId', parameters: { userIds: 'user-7' } }),
  get(kept),
  put(kept, whole),
  patch(kept, [{ op: 'replace', path: '/title', value: 'Patched' }]),
  patch(kept, [{ op: 'replace', path: '/disabled', value: false }]),
  patch(kept, [{ op: 'replace', path: '/parameters/rollout', value: '41' }]),
  patch(kept, [{ op: 'remove', path: '/constraints/0' }]),
  patch(kept, [{ op: 'replace', path: '/variants', value: [] }]),
  patch(kept, [{ op: 'replace', path: '/segments', value: [] }]),
  patch(kept, [{ op: 'replace', path: '/name', value: 'default' }]),
  get(kept),
  post(`${strategies('replaced')}/set-sort-order`, [
    { id: '{{replaced}}', sortOrder: 5 },
    { id: '{{replaced-second}}', sortOrder: 2 },
  ]),
  get(strategies('replaced')),
  put(second, rollout({ disabled: true })),
  get(place('replaced')),
  del(second),
  del(second),
  get(strategies('replaced')),
  del(kept),
  get(place('replaced')),
];

const faulty: Step[] = [
  newFeature('faulty'),
  post(strategies('faulty'), {}),
  post(strategies('faulty'), []),
  post(strategies('faulty'), { name: 'no-such-type' }),
  post(strategies('faulty'), { name: 7 }),
  post(strategies('faulty'), rollout({}, { rollout: '101' })),
  post(strategies('faulty'), rollout({}, { rollout: 'many' })),
  post(strategies('faulty'), rollout({}, { rollout: '-1' })),
  post(strategies('faulty'), rollout({ segments: [4711] })),
  post(strategies('faulty'), rollout({ segments: ['x'] })),
  post(strategies('faulty'), rollout({ constraints: [{}] })),
  post(
    strategies('faulty'),
    rollout({ constraints: [{ contextName: 'age', operator: 'NONE_SUCH', values: [] }] }),
  ),
  post(
    strategies('faulty'),
    rollout({ constraints: [{ contextName: 'age', operator: 'NUM_EQ', value: 'x' }] }),
  ),
  post(
    strategies('faulty'),
    rollout({ constraints: [{ contextName: 'age', operator: 'NUM_EQ' }] }),
  ),
  post(
    strategies('faulty'),
    rollout({ constraints: [{ contextName: 'age', operator: 'IN', values: [] }] }),
  ),
  post(
    strategies('faulty'),
    rollout({
      constraints: [{ contextName: 'currentTime', operator: 'DATE_AFTER', value: 'then' }],
    }),
  ),
  post(
    strategies('faulty'),
    rollout({ constraints: [{ contextName: 'version', operator: 'SEMVER_EQ', value: '1.2' }] }),
  ),
  post(
    strategies('faulty'),
    rollout({ constraints: [{ contextName: 'version', operator: 'SEMVER_EQ', value: 'v1.2.3' }] }),
  ),
  post(
    strategies('faulty'),
    rollout({ constraints: [{ contextName: 'no-such-field', operator: 'IN', values: ['x'] }] }),
  ),
  post(
    strategies('faulty'),
    rollout({ constraints: [{ contextName: 'plan', operator: 'IN', values: ['tin'] }] }),
  ),
  post(strategies('faulty', 'no-such-environment'), rollout()),
  post(strategies('no-such-feature'), rollout()),
  put(`${strategies('faulty')}/no-such-strategy`, rollout()),
  patch(`${strategies('faulty')}/no-such-strategy`, []),
  get(`${strategies('faulty')}/no-such-strategy`),
  get(strategies('no-such-feature')),
  get(place('faulty', 'no-such-environment')),
  get(place('no-such-feature')),
  get(strategies('faulty')),
  ...removed('faulty'),
];

export const strategySteps: Step[] = [
  ...byOperators,
  ...byKinds,
  ...replaced,
  ...faulty,
  { look: 'strategies' },
];
