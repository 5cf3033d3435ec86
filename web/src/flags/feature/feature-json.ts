import {
  completeConstraint,
  type SetConstraint,
} from '../../../../src/modules/catalogue/context-fields/constraint-schema.ts';
import { invalidJson } from '../../ui/format.ts';
import { operatorWords } from '../strategy/strategy-sentence.ts';
import type {
  Dependency,
  EnvironmentVariant,
  FeatureJson,
  JsonStrategy,
  Reviewed,
} from './draft.ts';

export type ReadJson = { readonly json: FeatureJson } | { readonly problems: readonly string[] };

type Fields = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isTextList = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string');

/** Reads typed JSON. What is left out has its default; the server checks the rest. */
export function readFeatureJson(text: string, saved: Reviewed): ReadJson {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { problems: [invalidJson(error)] };
  }
  const problems: string[] = [];
  const wrong = (place: string, words: string) => void problems.push(`${place} ${words}`);

  function list(from: Fields, key: string, place: string): readonly unknown[] {
    const items = from[key] ?? [];
    if (Array.isArray(items)) return items;
    wrong(`${place}.${key}`, 'must be an array');
    return [];
  }

  function constraint(item: unknown, place: string) {
    if (!isObject(item) || typeof item.contextName !== 'string') {
      wrong(place, 'needs a contextName');
      return [];
    }
    if (typeof item.operator !== 'string' || !Object.hasOwn(operatorWords, item.operator)) {
      wrong(`${place}.operator`, `must be one of ${Object.keys(operatorWords).join(', ')}`);
      return [];
    }
    if (item.values !== undefined && !isTextList(item.values)) {
      wrong(`${place}.values`, 'must be an array of strings');
      return [];
    }
    return [completeConstraint(item as unknown as SetConstraint)];
  }

  function variant(item: unknown, place: string): EnvironmentVariant[] {
    if (!isObject(item) || typeof item.name !== 'string') {
      wrong(place, 'needs a name');
      return [];
    }
    return [
      {
        weight: 0,
        weightType: 'variable',
        stickiness: 'default',
        overrides: [],
        ...item,
      } as unknown as EnvironmentVariant,
    ];
  }

  function strategy(item: unknown, place: string, ids: ReadonlySet<string>): JsonStrategy[] {
    if (!isObject(item) || typeof item.name !== 'string') {
      wrong(place, 'needs a name (the strategy type)');
      return [];
    }
    if (item.id !== undefined && !ids.has(String(item.id))) {
      wrong(
        `${place}.id`,
        "doesn't match a strategy in this environment. Omit it to add a strategy",
      );
      return [];
    }
    const parameters = item.parameters ?? {};
    if (!isObject(parameters)) {
      wrong(`${place}.parameters`, 'must be an object');
      return [];
    }
    return [
      {
        ...(item.id !== undefined && { id: String(item.id) }),
        name: item.name,
        ...(typeof item.title === 'string' && item.title !== '' && { title: item.title }),
        disabled: item.disabled === true,
        parameters: Object.fromEntries(
          Object.entries(parameters).map(([key, setting]) => [key, String(setting)]),
        ),
        constraints: list(item, 'constraints', place).flatMap((each, index) =>
          constraint(each, `${place}.constraints[${index}]`),
        ),
        segments: list(item, 'segments', place).map(Number),
        variants: list(item, 'variants', place).flatMap((each, index) =>
          variant(each, `${place}.variants[${index}]`).map(({ overrides: _, ...rest }) => rest),
        ),
      },
    ];
  }

  if (!isObject(value) || !isObject(value.environments)) {
    return { problems: ['environments must be an object'] };
  }
  const known = new Map(saved.environments.map((environment) => [environment.name, environment]));
  const environments: Record<string, FeatureJson['environments'][string]> = {};
  for (const [name, item] of Object.entries(value.environments)) {
    const environment = known.get(name);
    const place = `environments.${name}`;
    if (!environment) wrong(place, "isn't an environment of this project");
    else if (!isObject(item)) wrong(place, 'must be an object');
    else {
      const ids = new Set(environment.strategies.map(({ id }) => id));
      environments[name] = {
        enabled: typeof item.enabled === 'boolean' ? item.enabled : environment.enabled,
        strategies: list(item, 'strategies', place).flatMap((each, index) =>
          strategy(each, `${place}.strategies[${index}]`, ids),
        ),
        variants: list(item, 'variants', place).flatMap((each, index) =>
          variant(each, `${place}.variants[${index}]`),
        ),
      };
    }
  }
  const dependencies = list(value, 'dependencies', 'feature').flatMap(
    (item, index): Dependency[] => {
      if (!isObject(item) || typeof item.feature !== 'string') {
        wrong(`dependencies[${index}]`, 'needs a feature');
        return [];
      }
      return [
        {
          feature: item.feature,
          enabled: item.enabled !== false,
          variants: isTextList(item.variants) ? item.variants : [],
        },
      ];
    },
  );
  return problems.length > 0 ? { problems } : { json: { environments, dependencies } };
}
