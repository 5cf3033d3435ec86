import mustache from 'mustache';
import { createCache } from '../../../../platform/cache.ts';
import type { JsonObject } from '../../../events/index.ts';
import { absoluteSummary } from '../absolute-summary.ts';
import type { IntegrationEvent } from '../provider.ts';
import { type Node, parseTemplate } from './parse.ts';

/** How a value is written so that it cannot break out of what surrounds it. */
type Escaping = 'none' | 'json' | 'form' | 'markup';

const maxLength = 1_000_000;
const maxSteps = 20_000;
/** Parts of names, in each scope in which they are looked for. One name may have 5,000 parts. */
const maxLookups = 200_000;

/** Or why there is none. */
type Rendered = { readonly text: string } | { readonly problem: string };

/** What the escaping has to be in a body of that kind. */
export function escapingFor(contentType: string): Escaping {
  const type = (contentType.split(';')[0] ?? '').trim().toLowerCase();
  if (/[/+]json$/.test(type)) return 'json';
  if (type === 'application/x-www-form-urlencoded') return 'form';
  return /[/+]x?html$|[/+]xml$/.test(type) ? 'markup' : 'none';
}

/**
 * Fills in a Mustache template. It may name `event`, with all its fields, `eventJson`, `eventMarkdown` and
 * `baseUrl`. Objects and lists are written as JSON. Never throws: whatever is wrong with a template was to
 * be said when it was configured, and an event is not lost for it.
 */
export function renderTemplate(
  template: string,
  event: IntegrationEvent,
  baseUrl: string,
  escaping: Escaping,
): Rendered {
  const view = {
    event,
    eventJson: event,
    eventMarkdown: absoluteSummary(event, baseUrl),
    baseUrl,
  } as unknown as JsonObject;
  try {
    const nodes = nodesOf(template);
    return { text: fillIn(nodes, view, escaping).toWellFormed() };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}

/** An integration's template is the same for every event. */
const parsed = createCache<string, readonly Node[]>({ maxEntries: 100 });

function nodesOf(template: string): readonly Node[] {
  const known = parsed.get(template);
  if (known !== undefined) return known;
  const nodes = parseTemplate(template);
  parsed.set(template, nodes);
  return nodes;
}

/**
 * Not left to the library: sections within sections could keep it busy for hours, and it calls whatever
 * function a name leads to.
 */
function fillIn(nodes: readonly Node[], view: JsonObject, escaping: Escaping): string {
  let text = '';
  let steps = 0;

  const write = (part: string) => {
    text += part;
    if (text.length > maxLength) {
      throw new Error(`The result of the template has more than ${maxLength} characters.`);
    }
  };

  const step = () => {
    steps += 1;
    if (steps > maxSteps) {
      throw new Error(`The template repeats its sections more than ${maxSteps} times.`);
    }
  };

  let lookups = 0;

  /** The innermost view that has it decides. */
  const lookUp = (path: readonly string[], scope: Scope): unknown => {
    if (path.length === 0) return scope.view;
    for (let place: Scope | undefined = scope; place; place = place.outer) {
      let value = place.view;
      for (const key of path) {
        lookups += 1;
        value = propertyOf(value, key);
        if (value === undefined) break;
      }
      if (lookups > maxLookups) {
        throw new Error(`The template resolves more than ${maxLookups} names.`);
      }
      if (value !== undefined) return value;
    }
    return undefined;
  };

  const fill = (siblings: readonly Node[], scope: Scope) => {
    step();
    for (const node of siblings) {
      step();
      if (node.kind === 'text') write(node.text);
      else if (node.kind === 'value') write(valueText(node, lookUp(node.path, scope), escaping));
      else fillSection(node, lookUp(node.path, scope), scope);
    }
  };

  const fillSection = (
    { inverted, children }: Node & { kind: 'section' },
    value: unknown,
    scope: Scope,
  ) => {
    const isEmpty = !value || (Array.isArray(value) && value.length === 0);
    if (isEmpty !== inverted) return;
    if (isEmpty || value === true) fill(children, scope);
    else if (Array.isArray(value)) for (const item of value) fill(children, within(scope, item));
    else fill(children, within(scope, value));
  };

  fill(nodes, { view, outer: undefined });
  return text;
}

/** What names are looked up in, from the inside out. */
interface Scope {
  readonly view: unknown;
  readonly outer: Scope | undefined;
}

const within = (outer: Scope, view: unknown): Scope => ({ view, outer });

const propertyOf = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? (value as Record<string, unknown>)[key]
    : undefined;

function valueText(
  { raw, inString }: Node & { kind: 'value' },
  value: unknown,
  escaping: Escaping,
): string {
  if (value === undefined || value === null) return '';
  const isJson = typeof value === 'object';
  const text = isJson ? JSON.stringify(value) : String(value);
  if (raw) return text;
  if (escaping === 'form') return encodeURIComponent(text.toWellFormed());
  if (escaping === 'markup') return mustache.escape(text);
  // An object is JSON already, unless it is to be part of a text.
  if (escaping === 'json' && (inString || !isJson)) return JSON.stringify(text).slice(1, -1);
  return text;
}
