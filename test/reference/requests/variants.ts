import {
  chance,
  feature,
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

/** Names without percent-encoding in a URL, because the reference refuses others. */
const names =
  "red blue Blue a B b A z Z e E ss SS 1 2 10 01 - _ a-b a_b ab aB Ab a.b n N I i ! (x) o'clock ~ * zz Zz x9 x10".split(
    ' ',
  );

const payloads = [
  { type: 'string', value: 'ff0000' },
  { type: 'json', value: '{"a":[1,2]}' },
  { type: 'csv', value: 'a,b,c' },
  { type: 'number', value: '12.5' },
];

const next = chance(20_261_116);
const below = (limit: number): number => Math.floor(next() * limit);

function some(count: number): string[] {
  const left = [...names];
  return Array.from({ length: count }, () => left.splice(below(left.length), 1)[0] as string);
}

interface Variant {
  readonly name: string;
  readonly weight: number;
  readonly weightType: 'fix' | 'variable';
  readonly stickiness: string;
  readonly payload?: object;
}

/** Some weights are fixed; the fixed ones never exceed the total. */
function variantsOf(count: number): Variant[] {
  return some(count).map((name, index) => {
    const isFixed = index > 0 && next() < 0.3;
    return {
      name,
      weight: isFixed ? 1 + below(Math.floor(900 / count)) : below(1001),
      weightType: isFixed ? 'fix' : 'variable',
      stickiness: next() < 0.7 ? 'default' : 'userId',
      ...(next() < 0.5 && { payload: payloads[below(payloads.length)] as object }),
    };
  });
}

const variable = (name: string, weight = 0): Variant => ({
  name,
  weight,
  weightType: 'variable',
  stickiness: 'default',
});
const fix = (name: string, weight: number): Variant => ({
  ...variable(name, weight),
  weightType: 'fix',
});

const lists: readonly (readonly Variant[])[] = [
  [variable('only')],
  [variable('red', 500), variable('blue', 500)],
  [variable('c'), variable('b'), variable('a')],
  [variable('a'), variable('b'), variable('c')],
  [variable('b'), variable('c'), variable('a')],
  [variable('B', 500), variable('a', 500)],
  [fix('z', 334), variable('y'), fix('x', 1), variable('w'), variable('v')],
  [fix('b', 999), variable('a'), variable('c')],
  [fix('b', 1000), variable('a')],
  ...Array.from({ length: 15 }, (_, index) => variantsOf(2 + (index % 9))),
];

const ofStrategies: Step[] = lists.flatMap((variants, index) => {
  const name = `varied-${index}`;
  const kept = `${strategies(name)}/{{${name}}}`;
  return [
    newFeature(name),
    post(strategies(name), rollout({ variants }, { groupId: name }), { keep: name }),
    post(
      strategies(name, 'production'),
      rollout({ variants: [...variants].reverse() }, { groupId: name }),
    ),
    post(`${place(name)}/on`),
    post(`${place(name, 'production')}/on`),
    ...(index % 3 === 0
      ? [put(kept, rollout({ variants: [...variants].reverse() }, { groupId: name }))]
      : []),
    ...(index % 3 === 1
      ? [patch(kept, [{ op: 'replace', path: '/parameters/rollout', value: '90' }])]
      : []),
    get(kept),
  ];
});

const overridden = [
  { ...variable('z'), overrides: [{ contextName: 'userId', values: ['user-1', 'user-2'] }] },
  { ...fix('b', 200), overrides: [] },
  variable('a'),
  variable('Az'),
];

const ofEnvironments: Step[] = [
  ...lists.flatMap((variants, index) => {
    if (index % 2 === 1) return [];
    const name = `environment-varied-${index}`;
    return [
      newFeature(name),
      put(`${place(name)}/variants`, variants),
      get(`${place(name)}/variants`),
      post(`${place(name)}/on`),
    ];
  }),
  newFeature('overridden'),
  put(`${place('overridden')}/variants`, overridden),
  get(`${place('overridden')}/variants`),
  patch(`${place('overridden')}/variants`, [{ op: 'add', path: '/-', value: variable('m') }]),
  patch(`${place('overridden')}/variants`, [{ op: 'remove', path: '/0' }]),
  patch(`${place('overridden')}/variants`, [{ op: 'replace', path: '/0/name', value: 'zz' }]),
  get(`${place('overridden')}/variants`),
  put(`${feature('overridden')}/variants-batch`, {
    variants: lists[2],
    environments: ['development', 'production'],
  }),
  get(`${place('overridden', 'production')}/variants`),
  put(`${feature('overridden')}/variants`, lists[4]),
  get(`${feature('overridden')}/variants`),
  patch(`${feature('overridden')}/variants`, [{ op: 'add', path: '/0', value: variable('0') }]),
  get(`${feature('overridden')}/variants`),
  post(`${place('overridden')}/on`),
  get(feature('overridden')),
  get(`${feature('overridden')}/parent-variants`),
  get(`${feature('varied-2')}/parent-variants`),
  get(`${feature('no-such-feature')}/parent-variants`),
];

const defaults: Step[] = [
  post(
    `/api/admin/projects/default/environments/production/default-strategy`,
    rollout({ title: 'By default', variants: lists[6] }, { rollout: '80' }),
  ),
  newFeature('by-default'),
  post(`${place('by-default', 'production')}/on`),
  get(strategies('by-default', 'production')),
  newFeature('by-default-disabled'),
  post(strategies('by-default-disabled', 'production'), rollout({ disabled: true })),
  post(`${place('by-default-disabled', 'production')}/on`),
  get(strategies('by-default-disabled', 'production')),
  newFeature('awakened'),
  post(strategies('awakened', 'production'), rollout({ disabled: true })),
  post(`${place('awakened', 'production')}/on?shouldActivateDisabledStrategies=true`),
  get(strategies('awakened', 'production')),
  post(`/api/admin/projects/default/environments/production/default-strategy`, { name: 'default' }),
  post(`/api/admin/projects/default/environments/no-such-environment/default-strategy`, rollout()),
];

const withVariants = (variants: unknown) => rollout({ variants });
const faulty: Step[] = [
  newFeature('badly-varied'),
  ...[
    [fix('a', 600), fix('b', 500)],
    [fix('a', 600), fix('b', 300)],
    [fix('b', 400), fix('a', 600)],
    [variable('ä'), variable('a b')],
    [fix('a', 600), fix('a', 400)],
    [variable('a'), variable('a')],
    [{ name: 'a' }],
    [{ ...variable('a'), weight: 1001 }],
    [{ ...variable('a'), weight: -1 }],
    [{ ...variable('a'), weightType: 'other' }],
    [{ ...variable('a'), name: '' }],
    [{ ...variable('a'), payload: { type: 'json', value: '{' } }],
    [{ ...variable('a'), payload: { type: 'number', value: 'x' } }],
    [{ ...variable('a'), payload: { type: 'other', value: 'x' } }],
    [{ ...variable('a'), payload: { type: 'string', value: '' } }],
    { a: 1 },
  ].flatMap((variants) => [
    post(strategies('badly-varied'), withVariants(variants)),
    put(`${place('badly-varied')}/variants`, variants),
  ]),
  put(`${place('no-such-feature')}/variants`, lists[1]),
  put(`${place('badly-varied', 'no-such-environment')}/variants`, lists[1]),
  patch(`${place('badly-varied')}/variants`, [{ op: 'remove', path: '/7' }]),
  get(feature('badly-varied')),
  // The responses already show what one server accepts and the other refuses, so the feature is removed before SDKs see it.
  ...removed('badly-varied'),
];

export const variantSteps: Step[] = [
  ...ofStrategies,
  ...ofEnvironments,
  ...defaults,
  ...faulty,
  { look: 'variants' },
];
