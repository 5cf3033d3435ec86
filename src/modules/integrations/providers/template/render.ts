import mustache from 'mustache';
import { createCache } from '../../../../platform/cache.ts';
import type { JsonObject } from '../../../events/index.ts';
import type { IntegrationEvent } from '../provider.ts';
import { absoluteSummary } from '../wording.ts';
import { type Node, parseTemplate } from './parse.ts';

/** How a value is escaped for the text around it. */
type Escaping = 'none' | 'json' | 'form' | 'markup';

const maxLength = 1_000_000;
const maxSteps = 20_000;
/** Lookups of name parts in all scopes. One name may have 5,000 parts. */
const maxLookups = 200_000;

/** The text, or why there is none. */
type RenderResult = { readonly text: string } | { readonly problem: string };

/** The escaping for a content type. */
export function escapingFor(contentType: string): Escaping {
  const type = (contentType.split(';')[0] ?? '').trim().toLowerCase();
  if (/[/+]json$/.test(type)) return 'json';
  if (type === 'application/x-www-form-urlencoded') return 'form';
  return /[/+]x?html$|[/+]xml$/.test(type) ? 'markup' : 'none';
}

/**
 * Renders a Mustache template. It may use `event` with all its fields, `eventJson`, `eventMarkdown` and `baseUrl`.
 * Objects and lists become JSON. Never throws: faults are reported when the template is configured, and an event must
 * not be lost because of one.
 */
export function renderTemplate(
  template: string,
  event: IntegrationEvent,
  baseUrl: string,
  escaping: Escaping,
): RenderResult {
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

/** An integration uses the same template for every event. */
const parsed = createCache<string, readonly Node[]>({ maxEntries: 100 });

function nodesOf(template: string): readonly Node[] {
  const cached = parsed.get(template);
  if (cached !== undefined) return cached;
  const nodes = parseTemplate(template);
  parsed.set(template, nodes);
  return nodes;
}

/**
 * The library is not used for rendering: nested sections could keep it busy for hours, and it calls any function that
 * a name leads to.
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

  /** The innermost scope that has the name wins. */
  const lookUp = (path: readonly string[], scope: Scope): unknown => {
    if (path.length === 0) return scope.view;
    for (let inner: Scope | undefined = scope; inner; inner = inner.outer) {
      let value = inner.view;
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

/** A scope of names, linked to the one around it. */
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
  // An object already is JSON, unless it stands inside a string.
  if (escaping === 'json' && (inString || !isJson)) return JSON.stringify(text).slice(1, -1);
  return text;
}
