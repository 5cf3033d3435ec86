import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import {
  fixedBySpecification,
  notThere,
  ownNames,
  passedOver,
  withoutCounterpart,
} from './exceptions.ts';

/** The part of our schemas that these tests read. */
interface Schema {
  readonly $ref?: string;
  readonly anyOf?: readonly Schema[];
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: unknown;
  readonly required?: readonly string[];
  readonly items?: Schema;
}

interface Content {
  readonly content?: Readonly<Record<string, { readonly schema: Schema }>>;
}

interface Operation {
  readonly operationId: string;
  readonly requestBody?: Content;
  readonly responses: Readonly<Record<string, Content>>;
}

/** The properties of a schema of the reference, or only its required ones, and the schemas nested in it by path. */
interface Facts {
  readonly properties: readonly string[];
  readonly within: readonly (readonly [place: string, schema: string])[];
}

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8');
const document = JSON.parse(read('../../docs/openapi.json'));

const lines = read('./unleash-6.8.txt')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map((line) => line.split(' '));

const linesOf = (word: string) =>
  lines.flatMap(([first, name = '', ...rest]) => (first === word ? [[name, ...rest]] : []));

const factsOf = (word: 'answer' | 'body'): ReadonlyMap<string, Facts> =>
  new Map(
    linesOf(word).map(([name = '', ...rest]) => {
      const bar = rest.includes('|') ? rest.indexOf('|') : rest.length;
      const within = rest.slice(bar + 1).map((text) => text.split('=') as [string, string]);
      return [name, { properties: rest.slice(0, bar), within }];
    }),
  );

const answers = factsOf('answer');
const bodies = factsOf('body');

const named = (name: string | undefined) => (name === '-' ? undefined : name);
const reference = linesOf('operation').map(([id = '', body, answer]) => ({
  id,
  body: named(body),
  answer: named(answer),
}));

const operations = new Map(
  Object.values<Record<string, Operation>>(document.paths)
    .flatMap((path) => Object.values(path))
    .map((operation) => [operation.operationId, operation]),
);

const nameOf = (schema: Schema | undefined) => schema?.$ref?.split('/').at(-1);

const bodyOf = (id: string) =>
  operations.get(id)?.requestBody?.content?.['application/json']?.schema;

const answerOf = (id: string) =>
  Object.entries(operations.get(id)?.responses ?? {}).find(([status]) =>
    status.startsWith('2'),
  )?.[1].content?.['application/json']?.schema;

/** Resolves the reference of a schema and removes `null` from it. */
function plain(schema: Schema | undefined): Schema | undefined {
  const name = nameOf(schema);
  if (name !== undefined) return plain(document.components.schemas[name]);
  const others = schema?.anyOf?.filter(({ type }) => type !== 'null');
  return others?.length === 1 ? plain(others[0]) : schema;
}

/** Finds a nested schema by path (`features[].tags`), with the schema that contains it. */
function find(root: Schema | undefined, path: string) {
  let holder: Schema | undefined;
  let schema = plain(root);
  const steps = path === '.' ? [] : path.split(/\.|(?=\[\])/).filter((step) => step !== '');
  for (const step of steps) {
    holder = schema;
    schema = plain(step === '[]' ? schema?.items : schema?.properties?.[step]);
  }
  return { holder, schema, name: steps.at(-1) ?? '' };
}

type Judge = (facts: Facts, ours: Schema | undefined) => string[];

/** Lists what our schema and its nested schemas lack. */
function missing(
  schemas: ReadonlyMap<string, Facts>,
  name: string,
  ours: Schema | undefined,
  judge: Judge,
  seen = new Set<string>(),
): string[] {
  const key = `${name} ${nameOf(ours) ?? JSON.stringify(ours)}`;
  const facts = schemas.get(name);
  if (!facts || seen.has(key)) return [];
  seen.add(key);
  const within = facts.within.flatMap(([place, inner]) => {
    const { schema } = find(ours, place);
    return schema ? missing(schemas, inner, schema, judge, seen) : [];
  });
  return [...judge(facts, ours).map((path) => `${name}: ${path}`), ...within];
}

/** Response properties that are required there and not here. If a whole object is missing, only the object is listed. */
const notAlwaysThere: Judge = ({ properties }, ours) =>
  properties.filter((path) => {
    const { holder, name } = find(ours, path);
    return holder?.properties !== undefined && !holder.required?.includes(name);
  });

/** Request properties that our schema lacks. */
const unknown: Judge = ({ properties }, ours) =>
  properties.filter((path) => {
    const { holder, schema } = find(ours, path);
    return holder?.properties !== undefined && !schema;
  });

const counterparts = reference.filter(({ id }) => operations.has(id));

describe('operations of the reference', () => {
  test('exist in Burgee, except for the listed ones', () => {
    expect(counterparts.length).toBeGreaterThan(150);
    const absent = reference.filter(({ id }) => !operations.has(id)).map(({ id }) => id);
    expect(absent).toEqual(withoutCounterpart);
  });

  test('use the same names for the schemas of requests and responses', () => {
    const ours = counterparts.map(({ id, body, answer }) => [
      id,
      { body: body && nameOf(bodyOf(id)), answer: answer && nameOf(answerOf(id)) },
    ]);
    const theirs = counterparts.map(({ id, body, answer }) => [
      id,
      { body, answer, ...ownNames[id] },
    ]);
    expect(Object.fromEntries(ours)).toEqual(Object.fromEntries(theirs));
  });

  test('return every required property, null if unset', () => {
    const lacking = counterparts.flatMap(({ id, answer }) =>
      answer === undefined || fixedBySpecification.includes(id)
        ? []
        : missing(answers, answer, answerOf(id), notAlwaysThere),
    );
    const others = lacking.filter((path) => !notThere.includes(path));
    expect([...new Set(others)].sort()).toEqual([]);
  });

  test('accept every property of its requests, or reject it by name', () => {
    const lacking = counterparts.flatMap(({ id, body }) =>
      body === undefined ? [] : missing(bodies, body, bodyOf(id), unknown),
    );
    const isPassedOver = (path: string) => passedOver.some(([pattern]) => pattern.test(path));
    expect([...new Set(lacking)].filter((path) => !isPassedOver(path)).sort()).toEqual([]);
  });
});
