import {
  admin,
  del,
  feature,
  get,
  inProject,
  newFeature,
  place,
  post,
  put,
  removed,
  rollout,
  type Step,
  strategies,
} from './request.ts';

const dependencies = (name: string) => `${feature(name)}/dependencies`;

const depending: Step[] = [
  ...['parent', 'parent-two', 'child', 'child-two', 'grandchild'].map((name) => newFeature(name)),
  post(
    strategies('parent'),
    rollout({
      variants: ['left', 'right'].map((name) => ({
        ...{ name, weight: 500, weightType: 'variable', stickiness: 'default' },
      })),
    }),
  ),
  ...['parent', 'parent-two', 'child', 'child-two'].map((name) => post(`${place(name)}/on`)),
  post(dependencies('child'), { feature: 'parent' }),
  post(dependencies('child-two'), { feature: 'parent', variants: ['left'] }),
  get(feature('child')),
  get(feature('parent')),
  post(dependencies('child'), { feature: 'parent', enabled: true, variants: ['right'] }),
  get(feature('child')),
  newFeature('child-of-two'),
  post(dependencies('child-of-two'), { feature: 'parent' }),
  post(dependencies('child-of-two'), { feature: 'parent-two', enabled: false }),
  get(feature('child-of-two')),
  ...removed('child-of-two'),
  newFeature('off-for-off'),
  post(dependencies('off-for-off'), { feature: 'parent-two', enabled: false }),
  post(dependencies('grandchild'), { feature: 'child' }),
  post(dependencies('parent'), { feature: 'grandchild' }),
  post(dependencies('child'), { feature: 'child' }),
  post(dependencies('child'), { feature: 'no-such-feature' }),
  post(dependencies('no-such-feature'), { feature: 'parent' }),
  post(dependencies('grandchild'), {}),
  post(dependencies('grandchild'), { feature: 'parent', enabled: false, variants: ['left'] }),
  del(dependencies('grandchild')),
  get(`${feature('grandchild')}/parents`),
  get(`${feature('child')}/parents`),
  get(`${feature('parent')}/parents`),
  get(inProject('dependencies')),
  post(inProject('archive/validate'), { features: ['parent', 'child'] }),
  post(inProject('archive/validate'), { features: ['parent'] }),
  del(feature('parent')),
  { look: 'dependencies' },
  del(`${dependencies('off-for-off')}/parent-two`),
  del(`${dependencies('child')}/no-such-feature`),
  del(dependencies('child-two')),
  del(dependencies('child-two')),
  get(feature('child-two')),
];

const archived: Step[] = [
  ...['old', 'older', 'oldest', 'ancient', 'written-to'].map((name) => newFeature(name)),
  post(`${place('old')}/on`),
  post(strategies('old', 'production'), rollout({ title: 'Stays' })),
  post(`${admin}/features/old/tags`, { type: 'simple', value: 'kept' }),
  del(feature('old')),
  del(feature('old')),
  del(feature('no-such-feature')),
  get(feature('old')),
  get(`${feature('old')}?archived=true`),
  get(place('old')),
  get(strategies('old')),
  get(`${place('old')}/variants`),
  get(`${feature('old')}/variants`),
  get(`${admin}/features/old/tags`),
  del(feature('written-to')),
  put(feature('written-to'), { description: 'x' }),
  post(strategies('written-to'), rollout()),
  post(`${place('written-to')}/on`),
  // In the reference, a change revived it.
  ...removed('written-to'),
  newFeature('old'),
  post(inProject('archive'), { features: ['older', 'oldest', 'ancient'] }),
  post(inProject('archive'), { features: ['no-such-feature'] }),
  post(inProject('archive'), {}),
  get(`${admin}/archive/features`),
  get(`${admin}/archive/features/default`),
  post(`${admin}/archive/revive/old`),
  get(feature('old')),
  post(`${admin}/archive/revive/old`),
  post(`${admin}/archive/revive/no-such-feature`),
  post(inProject('revive'), { features: ['older'] }),
  post(inProject('revive'), { features: ['no-such-feature'] }),
  get(feature('older')),
  del(`${admin}/archive/oldest`),
  del(`${admin}/archive/oldest`),
  post(inProject('delete'), { features: ['ancient'] }),
  post(inProject('delete'), { features: ['no-such-feature'] }),
  get(`${admin}/archive/features`),
];

const inBulk = (state: 'on' | 'off', environment = 'development') =>
  inProject(`bulk_features/environments/${environment}/${state}`);

const switched: Step[] = [
  ...['switched', 'switched-two'].map((name) => newFeature(name)),
  post(inBulk('on'), { features: ['switched', 'switched-two'] }),
  get(feature('switched')),
  post(inBulk('off'), { features: ['switched'] }),
  post(inBulk('on', 'no-such-environment'), { features: ['switched'] }),
  post(inBulk('on'), { features: ['no-such-feature'] }),
  post(inBulk('on'), {}),
  post(`${place('switched')}/on`),
  post(`${place('switched')}/on`),
  post(`${place('switched')}/off`),
  post(`${place('switched')}/off`),
  post(`${place('no-such-feature')}/on`),
  post(`${place('switched', 'no-such-environment')}/on`),
  get(place('switched')),
];

const clone = (name: string) => `${feature(name)}/clone`;

const cloned: Step[] = [
  post(clone('varied-6'), { name: 'clone-of-varied' }),
  get(feature('clone-of-varied')),
  post(clone('varied-1'), { name: 'clone-with-group', replaceGroupId: false }),
  get(strategies('clone-with-group')),
  post(clone('varied-2'), { name: 'clone-of-thirds' }),
  get(strategies('clone-of-thirds')),
  ...removed('clone-of-thirds'),
  post(clone('overridden'), { name: 'clone-overridden' }),
  get(`${place('clone-overridden')}/variants`),
  post(clone('child'), { name: 'clone-of-child' }),
  get(feature('clone-of-child')),
  post(clone('bare'), { name: 'old' }),
  post(clone('bare'), { name: 'with blank' }),
  post(clone('bare'), {}),
  post(clone('no-such-feature'), { name: 'clone-of-nothing' }),
  post(`${place('clone-of-varied')}/on`),
  post(`${place('clone-overridden')}/on`),
  { look: 'clones' },
];

const lifecycle = (name: string) => `${feature(name)}/lifecycle`;

const completed: Step[] = [
  newFeature('finished'),
  get(lifecycle('finished')),
  post(`${lifecycle('finished')}/complete`, { status: 'kept' }),
  post(`${lifecycle('finished')}/uncomplete`),
  post(`${lifecycle('finished')}/complete`, { status: 'nonsense' }),
  post(`${lifecycle('no-such-feature')}/complete`, { status: 'kept' }),
];

export const lifeSteps: Step[] = [...depending, ...archived, ...switched, ...cloned, ...completed];
