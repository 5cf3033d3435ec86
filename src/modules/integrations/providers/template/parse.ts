import mustache from 'mustache';

/** One part of a template. */
export type Node =
  | { readonly kind: 'text'; readonly text: string }
  | {
      readonly kind: 'value';
      /** The name, part by part: `event.data.name`. A dot alone is what surrounds it. */
      readonly path: readonly string[];
      /** `{{{x}}}` or `{{&x}}`: as it is. */
      readonly raw: boolean;
      /** Between quotes of the text around it, as JSON counts them. */
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

/** What is wrong with a template, in words for whoever wrote it. */
class TemplateError extends Error {}

/** What is wrong with a template; undefined when it can be used. */
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

/** Throws what `findTemplateFault` says. */
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
            `The section "${name}" ${placeOf(template, start)} is nested more than ${maxDepth} levels deep.`,
          );
        }
        const children = nodesOf(span[4] as Spans, depth + 1);
        return [{ kind: 'section', path: pathOf(name), inverted: kind === '^', children }];
      }
      if (kind === '>') {
        throw new TemplateError(
          `Partials are not supported: {{> ${name}}} ${placeOf(template, start)}.`,
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
    // One of its own: the library's shared one keeps every template it ever saw.
    return new mustache.Writer().parse(template) as Spans;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const [, what = message, at] = /^(.*) at (\d+)$/s.exec(message) ?? [];
    const place = at === undefined ? '' : ` ${placeOf(template, Number(at))}`;
    throw new TemplateError(`The template is invalid${place}: ${what}.`);
  }
}

const placeOf = (template: string, offset: number) => {
  const lines = template.slice(0, offset).split('\n');
  return `at line ${lines.length}, column ${(lines.at(-1) ?? '').length + 1}`;
};
