import { expect, test } from 'vitest';
import { codeReferencesScript, createFeatureSnippet } from './admin-snippets.ts';
import type { Connection, PayloadType } from './connection.ts';
import { inPhpComment, quoted } from './quoted.ts';
import { secretPlaceholder, snippetsFor, visibleSecret } from './snippets.ts';

const connection: Connection = {
  url: 'https://flags.example.com',
  secret: 'shop:dev.1234',
  feature: 'dark',
};
const evaluating = ['client', 'frontend'] as const;

/** All snippets that evaluate a feature, by type and language. */
const allOf = (changes: Partial<Connection> = {}) =>
  evaluating.flatMap((type) =>
    snippetsFor(type, { ...connection, ...changes }).map((snippet) => ({ type, ...snippet })),
  );

test.each(['client', 'frontend', 'admin'] as const)(
  'every snippet of a %s token has the URL and the secret',
  (type) => {
    for (const { code } of snippetsFor(type, connection)) {
      expect(code).toContain('https://flags.example.com');
      expect(code).toContain('shop:dev.1234');
    }
  },
);

test('a masked secret is replaced by a placeholder', () => {
  expect(visibleSecret('shop:dev.1234')).toBe('shop:dev.1234');
  expect(visibleSecret('shop:dev.*****')).toBeUndefined();
  for (const { code } of allOf({ secret: secretPlaceholder })) {
    expect(code).toContain('<your token>');
  }
});

/** How each language checks whether a feature is enabled, and asks for its variant. */
const calls: readonly (readonly [string, string, string])[] = [
  ['Node.js', "unleash.isEnabled('dark', context)", "unleash.getVariant('dark', context)"],
  ['Python', 'client.is_enabled("dark", context)', 'client.get_variant("dark", context)'],
  ['Java', 'unleash.isEnabled("dark", context)', 'unleash.getVariant("dark", context)'],
  [
    'Go',
    'unleash.IsEnabled("dark", unleash.WithContext(ctx))',
    'unleash.GetVariant("dark", unleash.WithVariantContext(ctx))',
  ],
  ['.NET', 'unleash.IsEnabled("dark", context)', 'unleash.GetVariant("dark", context)'],
  ['Ruby', "unleash.is_enabled?('dark', context)", "unleash.get_variant('dark', context)"],
  ['PHP', "$unleash->isEnabled('dark', $context)", "$unleash->getVariant('dark', $context)"],
  ['JavaScript', "unleash.isEnabled('dark')", "unleash.getVariant('dark')"],
  ['React', "useFlag('dark')", "useVariant('dark')"],
  ['OpenFeature', "client.getBooleanValue('dark'", "client.getBooleanDetails('dark'"],
  ['curl', '/ofrep/v1/evaluate/flags/dark', '/ofrep/v1/evaluate/flags/dark'],
];

test.each(calls)(
  '%s checks a feature, or asks for its variant by name',
  (language, plain, varied) => {
    const codeOf = (changes: Partial<Connection>) =>
      allOf(changes).find((each) => each.language === language)?.code ?? '';
    expect(codeOf({})).toContain(plain);
    const code = codeOf({ variants: ['blue', 'green'] });
    expect(code).toContain(varied);
    if (language !== 'curl') expect(code).toContain('"blue", "green", or "disabled"');
    expect(code).not.toContain('payload');
  },
);

test('every language of a type is tested', () => {
  expect(new Set(allOf().map(({ language }) => language))).toEqual(
    new Set(calls.map(([language]) => language)),
  );
});

test('snippets contain the fields and properties of the context', () => {
  const context = { userId: '7', sessionId: 's', remoteAddress: '192.0.2.1', plan: 'pro' };
  for (const { code, language } of allOf({ context })) {
    for (const value of Object.values(context))
      expect([language, code]).toContainEqual(expect.stringContaining(value));
  }
  const [node, python] = snippetsFor('client', { ...connection, context });
  expect(node?.code).toContain(
    "sessionId: 's', remoteAddress: '192.0.2.1', properties: { 'plan': 'pro' }",
  );
  expect(python?.code).toContain('"properties": {"plan": "pro"}');
});

const nasty = `it's-"\\b"?>$x\`#{y}`;

const AsyncFunction = (async () => undefined).constructor as FunctionConstructor;

/** Without imports and JSX, which are the same for every feature. */
const compile = (code: string) => new AsyncFunction(code.replace(/^(import |<| {2}<).*$/gm, ''));

const payloads: readonly (PayloadType | undefined)[] = [
  'string',
  'json',
  'csv',
  'number',
  undefined,
];

test.each(payloads)(
  'code in JavaScript is valid with any text and a payload of type %s',
  (payload) => {
    const hard = { feature: nasty, variants: [nasty], context: { userId: nasty, [nasty]: nasty } };
    for (const changes of [{}, hard, { ...hard, variants: [] }]) {
      const snippets = allOf({ ...changes, payload }).filter(({ install }) =>
        install?.startsWith('npm'),
      );
      expect(snippets).toHaveLength(4);
      for (const { code } of snippets) {
        expect(() => compile(code), code).not.toThrow();
      }
    }
  },
);

test('text is quoted for each language', () => {
  expect(new Function(`return ${quoted.js(nasty)}`)()).toBe(nasty);
  expect(JSON.parse(quoted.json(nasty))).toBe(nasty);
  expect(quoted.single(`it's \\`)).toBe(`'it\\'s \\\\'`);
  expect(quoted.shell("it's")).toBe(`'it'\\''s'`);
  expect(inPhpComment('a ?> b')).toBe('a ? > b');
  const codeOf = (language: string) =>
    allOf({ feature: "it's", variants: ['?>'] }).find((each) => each.language === language)?.code;
  expect(codeOf('PHP')).toContain(String.raw`getVariant('it\'s', $context)`);
  expect(codeOf('PHP')).not.toContain('?>');
  expect(codeOf('Java')).toContain(`getVariant("it's", context)`);
  expect(codeOf('curl')).toContain(String.raw`/flags/it'\''s'`);
});

test('snippets for the admin API contain the URL and the project', () => {
  expect(createFeatureSnippet('https://flags.example.com', 'shop').code).toContain(
    "'https://flags.example.com/api/admin/projects/shop/features'",
  );
  expect(codeReferencesScript('https://flags.example.com', 'shop')).toContain(
    "API='https://flags.example.com/api/admin/projects/shop'",
  );
});
