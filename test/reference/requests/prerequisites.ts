import { admin, del, get, post, put, type Step } from './request.ts';

const context = `${admin}/context`;
const field = (name: string, more: object = {}) => post(context, { name, ...more });

/** These come first: the reference refuses constraints on undefined context fields. */
export const contextSteps: Step[] = [
  field('region', { description: 'Where somebody is', stickiness: true, sortOrder: 7 }),
  field('plan', {
    legalValues: [{ value: 'gold', description: 'Paid' }, { value: 'silver' }, { value: 'none' }],
  }),
  field('email'),
  field('age', { description: null }),
  field('version', { description: '' }),
  field('spare'),
  get(context),
  get(`${context}/region`),
  get(`${context}/plan`),
  field('region'),
  field(''),
  field('with blank'),
  post(context, {}),
  post(context, { name: 'bad', legalValues: 'x' }),
  post(context, { name: 'twice', legalValues: [{ value: 'a' }, { value: 'a' }] }),
  put(`${context}/region`, { description: 'Where', stickiness: false, sortOrder: 8 }),
  put(`${context}/region`, { stickiness: true }),
  get(`${context}/region`),
  put(`${context}/no-such-field`, { description: 'x' }),
  get(`${context}/no-such-field`),
  get(`${context}/no-such-field/strategies`),
  get(`${context}/spare/strategies`),
  post(`${context}/plan/legal-values`, { value: 'bronze', description: 'Cheap' }),
  post(`${context}/plan/legal-values`, { value: 'bronze', description: 'Cheaper' }),
  get(`${context}/plan`),
  del(`${context}/plan/legal-values/bronze`),
  del(`${context}/plan/legal-values/no-such-value`),
  post(`${context}/no-such-field/legal-values`, { value: 'x' }),
  post(`${context}/validate`, { name: 'free' }),
  post(`${context}/validate`, { name: 'region' }),
  post(`${context}/validate`, { name: 'with blank' }),
  del(`${context}/spare`),
  del(`${context}/spare`),
  post(`${admin}/constraints/validate`, { contextName: 'age', operator: 'NUM_EQ', value: '1' }),
  post(`${admin}/constraints/validate`, { contextName: 'age', operator: 'NUM_EQ', value: 'x' }),
  post(`${admin}/constraints/validate`, { contextName: 'plan', operator: 'IN', values: ['tin'] }),
  post(`${admin}/constraints/validate`, { contextName: 'nobody', operator: 'IN', values: ['x'] }),
  post(`${admin}/constraints/validate`, {}),
];

const segments = `${admin}/segments`;
const vip = { contextName: 'userId', operator: 'IN', values: ['user-1', 'user-2', 'user-30'] };
const grown = { contextName: 'age', operator: 'NUM_GTE', value: '18' };

export const segmentSteps: Step[] = [
  post(segments, { name: 'vip', description: 'Few', constraints: [vip] }, { keep: 'segment-vip' }),
  post(segments, { name: 'grown', constraints: [grown] }, { keep: 'segment-grown' }),
  post(
    segments,
    { name: 'of-default', project: 'default', constraints: [{ ...vip, inverted: true }] },
    { keep: 'segment-own' },
  ),
  post(segments, { name: 'empty', constraints: [] }, { keep: 'segment-empty' }),
  post(segments, { name: 'spare', constraints: [vip] }, { keep: 'segment-spare' }),
  get(segments),
  get(`${segments}/{{segment-vip}}`),
  get(`${segments}/4711`),
  get(`${segments}/x`),
  put(`${segments}/{{segment-vip}}`, { name: 'vip', constraints: [vip] }),
  get(`${segments}/{{segment-vip}}`),
  put(`${segments}/{{segment-grown}}`, {
    name: 'grown-up',
    description: 'Of age',
    constraints: [grown, { contextName: 'region', operator: 'NOT_IN', values: ['nowhere'] }],
  }),
  get(`${segments}/{{segment-grown}}`),
  put(`${segments}/4711`, { name: 'none', constraints: [] }),
  put(`${segments}/{{segment-vip}}`, { name: 'grown-up', constraints: [vip] }),
  put(`${segments}/{{segment-vip}}`, { constraints: [vip] }),
  post(segments, { name: 'vip', constraints: [vip] }),
  post(segments, { name: '', constraints: [vip] }),
  post(segments, { name: 'no-constraints' }),
  post(segments, { constraints: [vip] }),
  post(
    segments,
    { name: 'faulty', constraints: [{ contextName: 'age', operator: 'NUM_EQ', value: 'x' }] },
    { keep: 'segment-faulty' },
  ),
  del(`${segments}/{{segment-faulty}}`),
  post(segments, { name: 'nowhere', project: 'no-such-project', constraints: [vip] }),
  post(`${segments}/validate`, { name: 'free' }),
  post(`${segments}/validate`, { name: 'vip' }),
  post(`${segments}/validate`, {}),
  get(`${segments}/{{segment-vip}}/strategies`),
  del(`${segments}/{{segment-spare}}`),
  del(`${segments}/{{segment-spare}}`),
  del(`${segments}/4711`),
];

const types = `${admin}/tag-types`;
const tags = `${admin}/tags`;

export const tagSteps: Step[] = [
  get(types),
  post(types, { name: 'team', description: 'Who cares', icon: 't' }),
  post(types, { name: 'plain' }),
  post(types, { name: 'team' }),
  post(types, { name: 'x' }),
  post(types, { name: 'with blank' }),
  post(types, {}),
  get(`${types}/team`),
  get(`${types}/no-such-type`),
  put(`${types}/team`, { description: 'Who looks after it', icon: 'T' }),
  put(`${types}/no-such-type`, { description: 'x' }),
  get(`${types}/team`),
  post(`${types}/validate`, { name: 'free' }),
  post(`${types}/validate`, { name: 'team' }),
  post(tags, { type: 'team', value: 'checkout' }),
  post(tags, { type: 'team', value: 'checkout' }),
  post(tags, { type: 'no-such-type', value: 'checkout' }),
  post(tags, { type: 'simple', value: 'x' }),
  post(tags, {}),
  get(tags),
  get(`${tags}/team`),
  get(`${tags}/team/checkout`),
  get(`${tags}/team/no-such-value`),
  post(`${admin}/features/bare/tags`, { type: 'team', value: 'checkout' }),
  post(`${admin}/features/bare/tags`, { type: 'simple', value: 'first' }),
  post(`${admin}/features/bare/tags`, { type: 'simple', value: 'first' }),
  post(`${admin}/features/bare/tags`, { type: 'no-such-type', value: 'first' }),
  post(`${admin}/features/no-such-feature/tags`, { type: 'simple', value: 'first' }),
  get(`${admin}/features/bare/tags`),
  get(`${admin}/features/no-such-feature/tags`),
  put(`${admin}/features/bare/tags`, {
    addedTags: [{ type: 'simple', value: 'second' }],
    removedTags: [{ type: 'simple', value: 'first' }],
  }),
  get(`${admin}/features/bare/tags`),
  del(`${admin}/features/bare/tags/simple/second`),
  del(`${admin}/features/bare/tags/simple/second`),
  put(`${admin}/projects/default/tags`, {
    features: ['bare', 'telling'],
    tags: { addedTags: [{ type: 'simple', value: 'bulk' }], removedTags: [] },
  }),
  get(`${admin}/features/telling/tags`),
  put(`${admin}/projects/default/tags`, {
    features: ['no-such-feature'],
    tags: { addedTags: [{ type: 'simple', value: 'bulk' }], removedTags: [] },
  }),
  del(`${tags}/simple/bulk`),
  get(`${admin}/features/telling/tags`),
  del(`${types}/plain`),
  del(`${types}/no-such-type`),
  get(types),
];

const kinds = `${admin}/strategies`;

export const strategyTypeSteps: Step[] = [
  get(kinds),
  get(`${kinds}/flexibleRollout`),
  get(`${kinds}/no-such-type`),
  post(kinds, {
    name: 'byCountry',
    title: 'By country',
    description: 'Where somebody lives',
    parameters: [{ name: 'countries', type: 'list', description: 'Codes', required: true }],
  }),
  post(kinds, { name: 'byCountry', parameters: [] }),
  post(kinds, { name: 'noParameters' }),
  post(kinds, { parameters: [] }),
  post(kinds, { name: 'default', parameters: [] }),
  get(`${kinds}/byCountry`),
  put(`${kinds}/byCountry`, { name: 'byCountry', description: 'Where', parameters: [] }),
  get(`${kinds}/byCountry`),
  put(`${kinds}/no-such-type`, { name: 'no-such-type', parameters: [] }),
  post(`${kinds}/byCountry/deprecate`),
  get(`${kinds}/byCountry`),
  post(`${kinds}/byCountry/reactivate`),
  post(`${kinds}/default/deprecate`),
  post(`${kinds}/no-such-type/deprecate`),
  del(`${kinds}/noParameters`),
  del(`${kinds}/default`),
  del(`${kinds}/no-such-type`),
];

const environments = `${admin}/environments`;

/** Gives both servers the same initial sort order. */
export const orderSteps: Step[] = [
  put(`${environments}/sort-order`, { development: 1, production: 2 }),
];

export const environmentSteps: Step[] = [
  get(environments),
  get(`${environments}/development`),
  get(`${environments}/no-such-environment`),
  get(`${environments}/project/default`),
  get(`${environments}/project/no-such-project`),
  put(`${environments}/sort-order`, { 'no-such-environment': 1 }),
  post(`${environments}/production/off`),
  get(`${environments}/production`),
  post(`${environments}/production/on`),
  post(`${environments}/no-such-environment/on`),
  post(`${admin}/projects/default/environments`, { environment: 'production' }),
  post(`${admin}/projects/default/environments`, { environment: 'no-such-environment' }),
  post(`${admin}/projects/default/environments`, {}),
  get(`${admin}/feature-types`),
  put(`${admin}/feature-types/operational/lifetime`, { lifetimeDays: 9 }),
  put(`${admin}/feature-types/operational/lifetime`, { lifetimeDays: null }),
  put(`${admin}/feature-types/operational/lifetime`, { lifetimeDays: 7 }),
  put(`${admin}/feature-types/operational/lifetime`, { lifetimeDays: -1 }),
  put(`${admin}/feature-types/no-such-type/lifetime`, { lifetimeDays: 9 }),
];
