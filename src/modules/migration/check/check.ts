import { isDeepStrictEqual } from 'node:util';
import { AppError, type Fault, maxFaults } from '../../../platform/errors.ts';
import type { ServedEndpoint } from '../../../platform/http/checked.ts';
import { withoutUnknown } from '../../../platform/http/examine.ts';
import { rulesOf } from '../../../platform/http/route.ts';
import { schemaFaults } from '../../../platform/http/schema-faults.ts';
import { findUnstorable } from '../../../platform/http/storable.ts';
import { type RequestParts, requestFaults } from '../../../platform/http/validate.ts';
import { StartError } from '../../../platform/start-error.ts';
import type { Installation, Kind } from '../document.ts';
import { isBeyondApi } from './beyond-api.ts';
import { type Request, type Rules, rules } from './rules.ts';
import { type Section, sections, shapes, sourceShape } from './shapes.ts';

/** A thing, or a part of one, that is not imported. */
export interface Refusal {
  readonly kind: Kind;
  readonly name: string;
  /** What is left out of the thing; undefined: the thing itself. */
  readonly part?: string;
  readonly why: string;
}

/** A document of which everything may be imported, and what was left out of it. */
export interface CheckedInstallation {
  readonly installation: Installation;
  readonly refusals: readonly Refusal[];
  /** Things with values that our API would not accept, and that are imported as they are. */
  readonly beyondApi: readonly { readonly kind: Kind; readonly name: string }[];
}

/** The largest thing, in characters of JSON: as large as a request may be. */
const maxCharacters = 1024 * 1024;

const findShapeFaults = new Map(
  sections.map((section) => [section, schemaFaults(shapes[section])] as const),
);

const findBodyFaults = new Map<ServedEndpoint, (request: RequestParts) => Fault[]>();

function faultsOfBody(endpoint: ServedEndpoint, body: object): Fault[] {
  const { body: schema, check } = rulesOf(endpoint);
  const find = findBodyFaults.get(endpoint) ?? requestFaults({ body: schema, check });
  findBodyFaults.set(endpoint, find);
  return find({ params: {}, query: {}, body });
}

const sentence = ({ message }: Fault, from: string, at: string): string =>
  message.replaceAll(from, at).replace('; you sent ', '; it is ');

/** The faults of a request, without those that are allowed here. */
function faultsOfRequest({ endpoint, body, at, allows }: Request): {
  readonly faults: readonly string[];
  readonly isBeyondApi: boolean;
} {
  const found = faultsOfBody(endpoint, body);
  const fieldOf = ({ path = '' }: Fault) => path.replace(/^\/body/, '');
  // Validation stops after so many faults, so no one knows what follows them.
  const isCutOff = found.length >= maxFaults;
  const counted = found.filter((fault) => isCutOff || !allows?.(fieldOf(fault)));
  const left = counted.filter((fault) => isCutOff || !isBeyondApi(fieldOf(fault), body));
  return {
    faults: left.map((fault) => sentence(fault, '/body', at)),
    isBeyondApi: left.length < counted.length,
  };
}

/** What is wrong with a thing before any endpoint sees it. */
function faultsOfShape(section: Section, thing: unknown): string[] {
  const unstorable: Fault[] = [];
  findUnstorable(thing, [''], unstorable);
  const { length } = JSON.stringify(thing) ?? '';
  if (length > maxCharacters) {
    return [`it has ${length} characters, and at most ${maxCharacters} are allowed`];
  }
  const shape = findShapeFaults.get(section)?.(thing, '') ?? [];
  return [...unstorable, ...shape].map(({ message, path }) =>
    message === '' ? `${path} is wrong, too` : message.replace('; you sent ', '; it is '),
  );
}

/** The beginning of a name, which may be of any type and length. */
function shownName(thing: unknown, index: number): string {
  const { name, id, value } = (thing ?? {}) as Readonly<Record<string, unknown>>;
  const found = [name, id, value].find((each) => typeof each === 'string' && each !== '');
  return found === undefined ? `number ${index + 1}` : shortName(found as string);
}

/** No name that the API accepts is longer, so names of things that are imported are never shortened. */
const maxName = 255;
/** A name as refusals have it. */
export const shortName = (text: string): string =>
  text.length > maxName ? `${text.slice(0, maxName).toWellFormed()}…` : text;

const maxReasons = 3;
const inShort = (faults: readonly string[]): string =>
  [
    ...faults.slice(0, maxReasons),
    ...(faults.length > maxReasons ? [`and ${faults.length - maxReasons} more`] : []),
  ].join('; ');

/** The kind of a thing whose shape is wrong. */
const usualKinds: Readonly<Record<Section, Kind>> = {
  environments: 'environment',
  featureTypes: 'featureType',
  contextFields: 'contextField',
  tagTypes: 'tagType',
  tags: 'tag',
  strategyTypes: 'strategyType',
  segments: 'segment',
  projects: 'project',
  features: 'feature',
  roles: 'role',
  accounts: 'account',
  groups: 'group',
  tokens: 'token',
  integrations: 'integration',
  applications: 'application',
};

/** The compiler does not know that the rules of a section fit its things. */
const rulesFor = <S extends Section>(section: S) =>
  rules[section] as unknown as Rules<Installation[S][number]>;

interface Collected {
  readonly refusals: Refusal[];
  readonly beyondApi: { kind: Kind; name: string }[];
}

/** The thing without parts that are refused; undefined if it is refused itself. */
function checkedThing<S extends Section>(
  section: S,
  given: unknown,
  index: number,
  { refusals, beyondApi }: Collected,
): Installation[S][number] | undefined {
  const { kindOf, nameOf, requests, moreFaults, parts = [] } = rulesFor(section);
  const refuse = (kind: Kind, name: string, faults: readonly string[], part?: string) =>
    void refusals.push({ kind, name, why: inShort(faults), ...(part !== undefined && { part }) });
  try {
    const wrong = faultsOfShape(section, given);
    if (wrong.length > 0) {
      refuse(usualKinds[section], shownName(given, index), wrong);
      return undefined;
    }
    let thing = withoutUnknown(given, shapes[section]) as Installation[S][number];
    const [kind, name] = [kindOf(thing), shortName(nameOf(thing))];
    const results = requests(thing).map(faultsOfRequest);
    const faults = [...results.flatMap((each) => each.faults), ...(moreFaults?.(thing) ?? [])];
    if (faults.length > 0) {
      refuse(kind, name, faults);
      return undefined;
    }
    let isBeyond = results.some((each) => each.isBeyondApi);
    for (const { word, requests: requestsOf, without } of parts) {
      const found = requestsOf(thing).map(faultsOfRequest);
      isBeyond ||= found.some((each) => each.isBeyondApi);
      const bad = [...found.entries()].filter(([, each]) => each.faults.length > 0);
      for (const [, each] of bad) refuse(kind, name, each.faults, word);
      thing = without(thing, new Set(bad.map(([number]) => number)));
    }
    if (isBeyond) beyondApi.push({ kind, name });
    return thing;
  } catch (error) {
    // It is nested too deep, or has a list that is too long.
    if (!(error instanceof AppError)) throw error;
    refuse(usualKinds[section], shownName(given, index), [
      sentence(error.details[0] ?? error, '/body', 'it'),
    ]);
    return undefined;
  }
}

function checkedSection<S extends Section>(
  section: S,
  items: readonly unknown[],
  collected: Collected,
): Installation[S][number][] {
  const { keyOf, nameOf, kindOf } = rulesFor(section);
  const seen = new Map<string, unknown>();
  const kept: Installation[S][number][] = [];
  for (const [index, given] of items.entries()) {
    const thing = checkedThing(section, given, index, collected);
    if (thing === undefined) continue;
    const key = keyOf(thing);
    const before = key === null ? undefined : seen.get(key);
    if (key !== null && before === undefined) seen.set(key, thing);
    if (before === undefined) kept.push(thing);
    // Pages that shift while they are read repeat a thing.
    else if (!isDeepStrictEqual(before, thing)) {
      const [kind, name] = [kindOf(thing), shortName(nameOf(thing))];
      collected.refusals.push({ kind, name, why: 'it occurs twice, with different contents' });
    }
  }
  return kept;
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const findSourceFaults = schemaFaults(sourceShape);

/** Why something is no document of an installation at all; undefined if it is one, whatever is in its lists. */
export function documentFault(document: unknown): string | undefined {
  if (!isObject(document) || document.format !== 'burgee-installation-1') {
    return "wasn't created by burgee export";
  }
  const faults: Fault[] = findSourceFaults(document.source, '/source');
  // Its properties are short texts by now.
  if (faults.length === 0) findUnstorable(document.source, ['source'], faults);
  const missing = sections.find((section) => !Array.isArray(document[section]));
  if (missing !== undefined) faults.push({ message: `/${missing} must be a list` });
  const [first] = faults;
  return (
    first &&
    `isn't a complete burgee export file: ${first.message.replace('; you sent ', '; it is ')}`
  );
}

/**
 * Checks everything that was read from a file or a server: each thing by the contract and the check of the endpoint that
 * would create it. Throws if it is no document of an installation at all.
 */
export function checkInstallation(document: Installation): CheckedInstallation {
  const fault = documentFault(document);
  if (fault !== undefined) throw new StartError(`What was read ${fault}`);
  const collected: Collected = { refusals: [], beyondApi: [] };
  const lists = sections.map(
    (section) => [section, checkedSection(section, document[section], collected)] as const,
  );
  const installation = {
    format: document.format,
    source: withoutUnknown(document.source, sourceShape),
    ...Object.fromEntries(lists),
  } as unknown as Installation;
  return { installation, ...collected };
}
