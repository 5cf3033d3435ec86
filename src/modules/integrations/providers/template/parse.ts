import mustache from 'mustache';

export type Node =
  | { readonly kind: 'text'; readonly text: string }
  | {
      readonly kind: 'value';
      /** The name, split at dots: `event.data.name`. A single dot is the current value. */
      readonly path: readonly string[];
      /** `{{{x}}}` or `{{&x}}`: not escaped. */
      readonly raw: boolean;
      /** Inside a JSON string of the surrounding text. */
      readonly inString: boolean;
    }
  | {
      readonly kind: 'section';
      readonly path: readonly string[];
      readonly inverted: boolean;
      readonly children: readonly Node[];
    };

const maxTemplateLength = 10_000;
const maxDepth = 20;

/** A fault of a template, with a message for its author. */
class TemplateError extends Error {}

/** The fault of a template; undefined if it can be used. */
export function findTemplateFault(template: string): string | undefined {
  if (template.length > maxTemplateLength) {
    return `The template can have up to ${maxTemplateLength} characters; this one has ${template.length}.`;
  }
  try {
    parseTemplate(template);
    return undefined;
  } catch (error) {
    if (error instanceof TemplateError) return error.message;
    throw error;
  }
}

/** Throws the fault that `findTemplateFault` returns. */
export function parseTemplate(template: string): readonly Node[] {
  let inString = false;
  let escaped = false;
  const read = (text: string) => {
    for (const character of text) {
      if (escaped) escaped = false;
      else if (character === '"') inString = !inString;
      else if (character === '\\') escaped = inString;
    }
  };

  const nodesOf = (spans: Spans, depth: number): Node[] =>
    spans.flatMap((span): Node[] => {
      const [kind, name, start] = span;
      if (kind === 'text') {
        read(name);
        return [{ kind: 'text', text: name }];
      }
      if (kind === 'name' || kind === '&') {
        return [{ kind: 'value', path: pathOf(name), raw: kind === '&', inString }];
      }
      if (kind === '#' || kind === '^') {
        if (depth === maxDepth) {
          throw new TemplateError(
            `The section "${name}" ${positionOf(template, start)} is nested more than ${maxDepth} levels deep.`,
          );
        }
        const children = nodesOf(span[4] as Spans, depth + 1);
        return [{ kind: 'section', path: pathOf(name), inverted: kind === '^', children }];
      }
      if (kind === '>') {
        throw new TemplateError(
          `Partials are not supported: {{> ${name}}} ${positionOf(template, start)}.`,
        );
      }
      return [];
    });

  return nodesOf(spansOf(template), 0);
}

const pathOf = (name: string): readonly string[] => (name === '.' ? [] : name.split('.'));

type Spans = ReturnType<typeof mustache.parse>;

function spansOf(template: string): Spans {
  try {
    // A new writer each time: the shared one of the library caches every template forever.
    return new mustache.Writer().parse(template) as Spans;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const [, what = message, at] = /^(.*) at (\d+)$/s.exec(message) ?? [];
    const position = at === undefined ? '' : ` ${positionOf(template, Number(at))}`;
    throw new TemplateError(`The template is invalid${position}: ${what}.`);
  }
}

const positionOf = (template: string, offset: number) => {
  const lines = template.slice(0, offset).split('\n');
  return `at line ${lines.length}, column ${(lines.at(-1) ?? '').length + 1}`;
};
