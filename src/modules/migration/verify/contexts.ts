import type { Context, Definition } from '../../sdk/evaluation/index.ts';

/** A generator of numbers from 0 to below 1 that always yields the same ones. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** The values of a constraint, and values beside them, so that both sides of it are met. */
function valuesAround(operator: string, values: readonly string[]): string[] {
  if (operator.startsWith('NUM_')) {
    return values.flatMap((value) => [value, String(Number(value) - 1), String(Number(value) + 1)]);
  }
  if (operator.startsWith('DATE_')) {
    return values.flatMap((value) =>
      [-1, 0, 1].flatMap((offset) => {
        const at = Date.parse(value) + offset * 1000;
        return Number.isNaN(at) ? [] : [new Date(at).toISOString()];
      }),
    );
  }
  if (operator.startsWith('SEMVER_')) return [...values, '0.0.1', '999.0.0'];
  return values.flatMap((value) => [value, `x${value}`, `${value}x`, value.toUpperCase()]);
}

/** Parameters of built-in strategies that name users, addresses and hosts. */
const namedIn = { userIds: 'userId', IPs: 'remoteAddress', hostNames: 'hostname' } as const;

/** The fields that rollouts, variants and constraints of a definition use, with values to draw from. */
export function fieldsOf({ features, segments = [] }: Definition): Map<string, Set<string>> {
  const fields = new Map<string, Set<string>>();
  const add = (name: string, values: readonly string[]) => {
    const known = fields.get(name) ?? new Set<string>();
    for (const value of values) known.add(value);
    fields.set(name, known);
  };
  const strategies = features.flatMap((feature) => feature.strategies ?? []);
  const constraints = [
    ...strategies.flatMap((strategy) => strategy.constraints ?? []),
    ...segments.flatMap((segment) => segment.constraints ?? []),
  ];
  for (const { contextName, operator, values, value } of constraints) {
    const all = [...(values ?? []), ...(value === undefined || value === null ? [] : [value])];
    add(contextName, valuesAround(operator, all));
  }
  for (const { parameters } of strategies) {
    for (const [parameter, field] of Object.entries(namedIn)) {
      const text = parameters?.[parameter];
      if (typeof text !== 'string') continue;
      add(
        field,
        text.split(',').map((each) => each.trim().replace(/\/\d+$/, '')),
      );
    }
    const { stickiness } = parameters ?? {};
    if (typeof stickiness === 'string') add(stickiness, []);
  }
  for (const variants of [...features, ...strategies].map((each) => each.variants ?? [])) {
    for (const { stickiness, overrides } of variants) {
      if (stickiness) add(stickiness, []);
      for (const { contextName, values } of overrides ?? []) add(contextName, values ?? []);
    }
  }
  for (const name of ['default', 'random']) fields.delete(name);
  return fields;
}

const standard = new Set(
  'userId sessionId remoteAddress environment appName currentTime'.split(' '),
);
/** Fields that every context has already, or that need a value of a certain form. */
const free = new Set(['userId', 'sessionId', 'currentTime']);

/** Draws contexts: each field is missing, has one of the values around its constraints, or one of its own. */
export function* drawContexts(
  fields: ReadonlyMap<string, ReadonlySet<string>>,
  count: number,
): Generator<Context> {
  const random = createRandom(20);
  const choices = [...fields].map(([name, values]) => [name, [...values]] as const);
  for (let index = 0; index < count; index += 1) {
    const context: Record<string, unknown> = {
      userId: `user-${Math.floor(random() * 1e6)}`,
      sessionId: `session-${Math.floor(random() * 1e6)}`,
    };
    const properties: Record<string, string> = {};
    for (const [name, values] of choices) {
      const chance = random();
      if (chance < 0.1) {
        delete context[name];
        continue;
      }
      const isOwn = values.length === 0 || chance < 0.3;
      if (isOwn && free.has(name)) continue;
      const value = isOwn
        ? `free-${Math.floor(random() * 1e6)}`
        : (values[Math.floor(random() * values.length)] as string);
      if (standard.has(name)) context[name] = value;
      else properties[name] = value;
    }
    yield { ...context, properties } as Context;
  }
}
