import mustache from 'mustache';
import { describe, expect, it } from 'vitest';
import {
  awkward,
  baseUrl,
  created,
  enabled,
  personCreated,
  typicalEvents,
} from '../../../../test/support/providers/sent-events.ts';
import type { IntegrationEvent } from './provider.ts';
import { findTemplateFault } from './template/parse.ts';
import { escapingFor, renderTemplate } from './template/render.ts';

const rendered = (
  template: string,
  event: IntegrationEvent = awkward,
  escaping: ReturnType<typeof escapingFor> = 'json',
) => {
  const result = renderTemplate(template, event, baseUrl, escaping);
  if ('problem' in result) throw new Error(result.problem);
  return result.text;
};

const problemOf = (template: string, event: IntegrationEvent) => {
  const result = renderTemplate(template, event, baseUrl, 'none');
  return 'problem' in result ? result.problem : undefined;
};

const title = awkward.data?.title as string;

describe('a template for a JSON body', () => {
  it('escapes names within strings', () => {
    const text = rendered('{"title": "{{event.data.title}}", "x": "{{event.featureName}}"}');
    expect(JSON.parse(text)).toEqual({ title, x: "it's_(new)*" });
  });

  it('inserts an object as JSON where a value is expected and as text within a string', () => {
    const text = rendered(
      '{"data": {{event.data}}, "shown": "{{event.data}}", "\\"": "{{event}}"}',
    );
    expect(JSON.parse(text)).toEqual({
      data: awkward.data,
      shown: JSON.stringify(awkward.data),
      '"': JSON.stringify(awkward),
    });
  });

  it('inserts the whole event with two or three braces', () => {
    expect(rendered('{{eventJson}}')).toBe(JSON.stringify(awkward));
    expect(rendered('{{{eventJson}}}')).toBe(JSON.stringify(awkward));
    expect(JSON.parse(rendered('{"all": {{eventJson}}}'))).toEqual({ all: awkward });
  });

  it('does not let a string outside of quotes add a key', () => {
    const event = { ...created, featureName: '1, "admin": true' };
    expect(rendered('{"x": {{event.featureName}}}', event)).toBe('{"x": 1, \\"admin\\": true}');
  });

  it('inserts a value unescaped with three braces', () => {
    expect(rendered('{{{event.data.title}}}|{{&event.data.title}}')).toBe(`${title}|${title}`);
  });
});

it('values are escaped according to the content type', () => {
  const template = '{{event.data.title}}';
  const as = (type: string) => rendered(template, awkward, escapingFor(type));
  expect(as('application/json; charset=utf-8')).toBe(JSON.stringify(title).slice(1, -1));
  expect(as('Application/Problem+JSON')).toBe(JSON.stringify(title).slice(1, -1));
  expect(as('text/plain')).toBe(title);
  expect(as('text/markdown')).toBe(title);
  expect(decodeURIComponent(as('application/x-www-form-urlencoded'))).toBe(title);
  expect(as('application/x-www-form-urlencoded')).not.toMatch(/[&= ]/);
  for (const type of ['text/html', 'application/xml', 'application/soap+xml']) {
    expect(as(type)).toContain('Say &quot;hi&quot; &amp; &lt;b&gt;');
  }
});

it('baseUrl and eventMarkdown contain working URLs', () => {
  expect(rendered('{{baseUrl}}', created, 'none')).toBe(baseUrl);
  expect(rendered('{{eventMarkdown}}', created, 'none')).toBe(
    `**ada@example.com** created [**new-checkout**](${baseUrl}/projects/shop/features/new-checkout) in [**shop**](${baseUrl}/projects/shop)`,
  );
});

it('templates render as with the Mustache library', () => {
  const templates = [
    '',
    'plain {{! a comment }} text',
    '{{event.type}} by {{event.createdBy}} ({{event.createdByUserId}})',
    '{{#event}}{{type}} {{featureName}}{{/event}}',
    '{{#event.tags}}{{type}}={{value}};{{/event.tags}}{{^event.tags}}none{{/event.tags}}',
    '{{#event.tags}}{{#event}}{{project}}{{/event}}{{/event.tags}}',
    '{{#event.data}}\n  {{name}}\n  {{#disabled}}off{{/disabled}}{{^disabled}}on{{/disabled}}\n{{/event.data}}\n',
    '{{#event.environment}}in {{.}}{{/event.environment}}{{^event.environment}}anywhere{{/event.environment}}',
    '{{event.unknown.deep}}{{unknown}}{{event.environment}}',
    '{{=<% %>=}}<% event.type %> {{event.type}}',
    '{{event.data.sortOrder}}{{#event.data.sortOrder}}never{{/event.data.sortOrder}}',
  ];
  for (const template of templates) {
    for (const event of typicalEvents) {
      const expected = mustache.render(template, { event }, {}, { escape: (text) => text });
      expect(rendered(template, event, 'none'), template).toBe(expected);
    }
  }
});

it('templates only access properties of the event and call no functions', () => {
  const names = [
    'toString',
    'constructor',
    '__proto__',
    'tags.map',
    'type.length',
    'hasOwnProperty',
  ];
  for (const name of names) {
    expect(rendered(`[{{event.${name}}}{{#event.${name}}}x{{/event.${name}}}]`), name).toBe('[]');
  }
  expect(rendered('[{{constructor}}{{#toString}}x{{/toString}}]')).toBe('[]');
});

it('half a surrogate pair is sent as a replacement character', () => {
  const event = { ...personCreated, data: { name: 'a\ud83db' } };
  expect(rendered('{{event.data.name}}', event, 'none')).toBe('a\ufffdb');
  expect(rendered('{{event.data.name}}', event, 'form')).toBe('a%EF%BF%BDb');
});

it.each([
  [
    'an unclosed section',
    '{{#event}}\n{{type}}',
    'The template is invalid at line 2, column 9: Unclosed section "event".',
  ],
  [
    'an unopened section',
    'a {{/event}}',
    'The template is invalid at line 1, column 3: Unopened section "event".',
  ],
  ['an unclosed tag', '\n\n {{event', 'The template is invalid at line 3, column 9: Unclosed tag.'],
  ['an invalid delimiter', '{{=a=}}', 'The template is invalid: Invalid tags: a.'],
  ['a partial', 'x {{> footer}}', 'Partials are not supported: {{> footer}} at line 1, column 3.'],
  [
    'sections nested too deeply',
    `${'{{#a}}'.repeat(21)}${'{{/a}}'.repeat(21)}`,
    'The section "a" at line 1, column 121 is nested more than 20 levels deep.',
  ],
  [
    'too many characters',
    'x'.repeat(10_001),
    'The template can have up to 10000 characters; this one has 10001.',
  ],
])('a template with %s is rejected with an explanation', (_what, template, fault) => {
  expect(findTemplateFault(template)).toBe(fault);
});

it('a valid template has no error', () => {
  for (const template of ['{{#event}}{{type}}{{/event}}', 'x'.repeat(10_000), '{}', '']) {
    expect(findTemplateFault(template)).toBeUndefined();
  }
});

it('rendering stops if nested sections repeat too often', () => {
  const tags = Array.from({ length: 200 }, () => ({ type: 'a', value: 'b' }));
  const event = { ...enabled, tags };
  const deep = `${'{{#event.tags}}'.repeat(15)}${'{{/event.tags}}'.repeat(15)}`;
  expect(problemOf(deep, event)).toBe('The template repeats its sections more than 20000 times.');
});

it('rendering stops at a million characters', () => {
  const event = { ...created, data: { name: 'x'.repeat(300_000) } };
  expect(problemOf('{{eventJson}}'.repeat(3), event)).toBeUndefined();
  expect(problemOf('{{eventJson}}'.repeat(4), event)).toBe(
    'The result of the template has more than 1000000 characters.',
  );
});

it('an invalid stored template is reported when it is rendered', () => {
  expect(problemOf('{{#event}}', created)).toContain('Unclosed section');
});

it('names with thousands of parts have a limit on lookups', () => {
  const items = Array.from({ length: 20_000 }, () => ({}));
  const data = { items, a: {} };
  // The whole chain exists, so that every part is looked up.
  let end: Record<string, unknown> = data.a;
  for (let depth = 0; depth < 1_000; depth += 1) {
    end.a = {};
    end = end.a as Record<string, unknown>;
  }
  const event = { ...created, data } as unknown as IntegrationEvent;
  const name = `event.data.${'a.'.repeat(1_000)}missing`;
  const template = `{{#event.data.items}}{{${name}}}{{/event.data.items}}`;
  expect(problemOf(template, event)).toBe('The template resolves more than 200000 names.');
});
