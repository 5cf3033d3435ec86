import type { Evaluation, PayloadType } from '../../../access/tokens/snippets/connection.ts';
import type { ContextField } from '../../strategy/constraint-check.ts';
import type { Constraint, Environment, Variant } from '../../strategy/strategy-sentence.ts';

/** What an example needs of the catalogue. */
interface Catalogue {
  readonly segments: ReadonlyMap<number, { readonly constraints: readonly Constraint[] }>;
  readonly fields: ReadonlyMap<string, Pick<ContextField, 'legalValues'>>;
}

/** SDKs set these themselves. */
const setBySdks = new Set(['appName', 'environment', 'currentTime']);

/** Stickiness without a field of its own. */
const notFields = new Set(['default', 'random']);

const usual: Readonly<Record<string, string>> = {
  userId: '42',
  sessionId: 'a1b2c3',
  remoteAddress: '192.0.2.1',
};

const isExcluding = ({ operator, inverted }: Constraint) => (operator === 'NOT_IN') !== inverted;

/** A value that the constraint allows, if one is easy to find. */
function sampleOf(constraint: Constraint, { fields }: Catalogue): string {
  const { contextName, operator, values, value } = constraint;
  const other = usual[contextName] ?? 'example';
  if (operator === 'REGEX') return other;
  const legal = fields.get(contextName)?.legalValues?.map((each) => each.value) ?? [];
  if (isExcluding(constraint)) return legal.find((each) => !values.includes(each)) ?? other;
  const first = values[0] ?? value ?? legal[0] ?? other;
  return operator === 'IN_CIDR' ? (first.split('/')[0] ?? first) : first;
}

const firstOf = (list: string | undefined): string | undefined =>
  list
    ?.split(',')
    .map((each) => each.trim())
    .find((each) => each !== '');

/** An example of the context that the strategies of an environment look at. */
function contextOf(strategies: Environment['strategies'], catalogue: Catalogue) {
  const context = new Map<string, string>();
  const add = (field: string, sample: string | undefined) => {
    if (sample === undefined || setBySdks.has(field) || context.has(field)) return;
    context.set(field, sample);
  };
  const active = strategies.filter(({ disabled }) => !disabled);
  for (const { constraints, segments, parameters } of active) {
    const all = [
      ...constraints,
      ...segments.flatMap((id) => catalogue.segments.get(id)?.constraints ?? []),
    ];
    for (const constraint of all) add(constraint.contextName, sampleOf(constraint, catalogue));
    add('userId', firstOf(parameters.userIds));
    add('remoteAddress', firstOf(parameters.IPs));
  }
  for (const { parameters, variants } of active) {
    const sticky = [parameters.stickiness, ...variants.map(({ stickiness }) => stickiness)];
    for (const field of sticky) {
      if (field !== undefined && !notFields.has(field)) add(field, usual[field] ?? 'example');
    }
  }
  add('userId', usual.userId);
  const { userId = '', ...others } = Object.fromEntries(context);
  return { userId, ...others };
}

const payloadTypes: readonly string[] = ['string', 'json', 'csv', 'number'] satisfies PayloadType[];

/** The type that all payloads have; undefined if a variant has none. */
function payloadOf(variants: readonly Variant[]): PayloadType | undefined {
  const types = new Set(variants.map(({ payload }) => payload?.type));
  const [only, ...others] = types;
  if (others.length > 0) return types.has(undefined) ? undefined : 'string';
  return payloadTypes.includes(only ?? '') ? (only as PayloadType) : undefined;
}

/** How code evaluates a feature in an environment: by its variants, with the context that its strategies look at. */
export function exampleOf(
  feature: string,
  environment: Pick<Environment, 'strategies' | 'variants'> | undefined,
  catalogue: Catalogue,
): Evaluation {
  const { strategies = [], variants = [] } = environment ?? {};
  const all = [
    ...(variants as readonly Variant[]),
    ...strategies.flatMap((strategy) => strategy.variants),
  ];
  return {
    feature,
    variants: [...new Set(all.map(({ name }) => name))],
    payload: payloadOf(all),
    context: contextOf(strategies, catalogue),
  };
}
