import { describe, expect, test } from 'vitest';
import { wholeDocument } from '../../../../test/import/document.ts';
import { firstCases } from '../../../../test/support/random-cases.ts';
import { StartError } from '../../../platform/start-error.ts';
import type { Installation, Kind } from '../document.ts';
import { kindNames } from '../kinds/table.ts';
import { planForNew } from '../migrate.ts';
import { planMigration } from '../plan.ts';
import { checkInstallation, documentFault } from './check.ts';
import { checkFindings } from './findings.ts';
import { parseDocument } from './parse-document.ts';
import { rules } from './rules.ts';
import { sections } from './shapes.ts';

type Path = readonly (string | number)[];

const at = (document: unknown, path: Path): unknown =>
  path.reduce<unknown>((value, key) => (value as Record<string | number, unknown>)[key], document);

/** The document with another value at a path. */
function changed(path: Path, value: unknown): Installation {
  const document = wholeDocument();
  (at(document, path.slice(0, -1)) as Record<string | number, unknown>)[path.at(-1) ?? ''] = value;
  return document;
}

const refusalsOf = (document: Installation) =>
  checkInstallation(document).refusals.map(({ kind, name, part }) =>
    [kind, name, ...(part === undefined ? [] : [part])].join(' | '),
  );

const text = (length: number) => 'x'.repeat(length);
const [strategies, strategy] = [
  ['features', 1, 'environments', 0, 'strategies'],
  ['features', 1, 'environments', 0, 'strategies', 0],
];

test('everything the API accepts is imported unchanged, without unknown properties', () => {
  const document = wholeDocument();
  expect(checkInstallation(document)).toEqual({
    ...{ installation: document, refusals: [], beyondApi: [] },
  });
  const more = changed(['features', 1, 'unknown'], { more: text(1000) });
  expect(checkInstallation(more).installation).toEqual(document);
});

test('every kind of resource is checked by the endpoints that would create it', () => {
  const document = wholeDocument();
  const checked = new Set<Kind>(['projectAccess']);
  for (const section of sections) {
    const { kindOf, requests } = rules[section] as unknown as {
      kindOf: (thing: unknown) => Kind;
      requests: (thing: unknown) => readonly { endpoint: { method: string; body?: object } }[];
    };
    for (const thing of document[section]) {
      checked.add(kindOf(thing));
      const endpoints = requests(thing).map(({ endpoint }) => endpoint);
      expect(endpoints.length).toBeGreaterThan(0);
      for (const endpoint of endpoints) expect(endpoint).toMatchObject({ body: expect.anything() });
    }
  }
  expect(checked).toEqual(new Set(kindNames));
});

describe('a resource or part that the API rejects is skipped', () => {
  test.each<[what: string, Path, value: unknown, refused: string]>([
    ['a path as a name', ['features', 1, 'name'], '../../etc/passwd', 'feature | ../../etc/passwd'],
    ['two dots', ['features', 1, 'name'], '..', 'feature | ..'],
    ['a slash', ['features', 1, 'name'], 'a/b', 'feature | a/b'],
    ['HTML', ['features', 1, 'name'], '<img src=x>', 'feature | <img src=x>'],
    ['a long name', ['features', 1, 'name'], text(5000), `feature | ${text(255)}…`],
    ['escape codes', ['features', 1, 'name'], 'a\x1b[2J', 'feature | a\x1b[2J'],
    ['an impossible date', ['features', 1, 'createdAt'], 'yesterday', 'feature | checkout'],
    ['an impossible stage', ['features', 1, 'lifecycle', 'enteredAt'], '', 'feature | checkout'],
    [
      'a script as a link',
      ['features', 1, 'links', 0, 'url'],
      'javascript:1',
      'feature | checkout | link',
    ],
    [
      'data as a link',
      ['features', 1, 'links', 0, 'url'],
      'data:text/html,x',
      'feature | checkout | link',
    ],
    [
      'a tag with one character',
      ['features', 1, 'tags', 0, 'value'],
      'x',
      'feature | checkout | tag',
    ],
    [
      'an unknown operator',
      [...strategy, 'constraints', 0, 'operator'],
      'EVIL',
      'feature | checkout',
    ],
    [
      'many values',
      [...strategy, 'constraints', 0, 'values'],
      Array(200_000).fill('v'),
      'feature | checkout',
    ],
    [
      'slightly too many values',
      [...strategy, 'constraints', 0, 'values'],
      Array(7501).fill('v'),
      'feature | checkout',
    ],
    ['a huge weight', [...strategy, 'variants', 0, 'weight'], 1e308, 'feature | checkout'],
    ['a negative order', [...strategy, 'sortOrder'], -1, 'feature | checkout'],
    [
      'large parameters',
      [...strategy, 'parameters', 'userIds'],
      text(200_000),
      'feature | checkout',
    ],
    ['a huge description', ['features', 1, 'description'], text(2_000_000), 'feature | checkout'],
    [
      'a parent with a long name',
      ['features', 1, 'dependencies', 0, 'feature'],
      text(500),
      'feature | checkout',
    ],
    [
      'a variant without a name',
      ['features', 1, 'environments', 0, 'variants', 0, 'name'],
      '',
      'feature | checkout',
    ],
    ['all projects as one', ['projects', 0, 'id'], '*', 'project | *'],
    ['a project named with two dots', ['projects', 0, 'id'], '..', 'project | ..'],
    ['a project that is a path', ['projects', 0, 'id'], 'x/../..', 'project | x/../..'],
    ['a project without an id', ['projects', 0, 'id'], '', 'project | '],
    ['a project like a route', ['projects', 0, 'id'], 'archive', 'project | archive'],
    [
      'a script as a template',
      ['projects', 0, 'linkTemplates', 0, 'urlTemplate'],
      'javascript:1',
      'project | shop | link template',
    ],
    [
      'a pattern beyond RE2',
      ['projects', 0, 'featureNaming', 'pattern'],
      '(?=a)',
      'project | shop | naming pattern',
    ],
    [
      'a default strategy',
      ['projects', 0, 'environments', 0, 'defaultStrategy', 'constraints', 0, 'operator'],
      'EVIL',
      'project | shop | default strategy',
    ],
    ['an environment named *', ['environments', 0, 'name'], '*', 'environment | *'],
    ['a context field with a blank', ['contextFields', 0, 'name'], 'a b', 'contextField | a b'],
    ['a tag type with a slash', ['tagTypes', 0, 'name'], 'a/b', 'tagType | a/b'],
    ['an invalid color', ['tagTypes', 0, 'color'], 'url(x)', 'tagType | simple'],
    ['a strategy type with a blank', ['strategyTypes', 0, 'name'], 'a b', 'strategyType | a b'],
    [
      'a parameter of unknown type',
      ['strategyTypes', 0, 'parameters', 0, 'type'],
      'EVIL',
      'strategyType | byTenant',
    ],
    [
      'a segment with an unknown operator',
      ['segments', 0, 'constraints', 0, 'operator'],
      'EVIL',
      'segment | europeans',
    ],
    ['a negative lifetime', ['featureTypes', 0, 'lifetimeDays'], -1, 'featureType | release'],
    ['the ADMIN permission', ['roles', 0, 'permissions', 0, 'name'], 'ADMIN', 'role | Releaser'],
    ['a built-in role', ['roles', 0, 'type'], 'root', 'role | Releaser'],
    [
      'a name with a line break',
      ['accounts', 0, 'name'],
      'Ada\r\nBcc: x',
      'account | ada@example.com',
    ],
    [
      'an email with a header',
      ['accounts', 0, 'email'],
      'a@b.c\nBcc: x',
      'account | a@b.c\nbcc: x',
    ],
    [
      'a service account with a line break',
      ['accounts', 1, 'username'],
      'a\nb',
      'serviceAccount | a\nb',
    ],
    ['a group without a name', ['groups', 0, 'name'], ' ', 'group |  '],
    ['a short secret', ['tokens', 0, 'secret'], 'short', 'token | backend'],
    [
      'a short secret after its environment',
      ['tokens', 0, 'secret'],
      'shop:development.short',
      'token | backend',
    ],
    [
      'a secret with a line break',
      ['tokens', 0, 'secret'],
      'a:b.0123456789abcdef\n',
      'token | backend',
    ],
    ['a long secret', ['tokens', 0, 'secret'], text(10_000), 'token | backend'],
    ['an invalid expiry', ['tokens', 0, 'expiresAt'], 'never', 'token | backend'],
    [
      'a script as URL of an integration',
      ['integrations', 0, 'parameters', 'url'],
      'javascript:1',
      'integration | webhook 3',
    ],
    [
      'an unknown event of an integration',
      ['integrations', 0, 'events', 0],
      '<b>',
      'integration | webhook 3',
    ],
    [
      'a script as URL of an application',
      ['applications', 0, 'url'],
      'javascript:1',
      'application | checkout-service',
    ],
    [
      'an application with a long name',
      ['applications', 0, 'name'],
      text(300),
      `application | ${text(255)}…`,
    ],
    [
      'a long title with escape codes',
      [...strategy, 'title'],
      `\x1b[2J${text(10_001)}`,
      'feature | checkout',
    ],
    [
      'an invalid value after many allowed ones',
      ['contextFields', 0, 'legalValues'],
      [
        ...Array.from({ length: 150 }, (_, n) => ({ value: `v${n}`, description: text(2000) })),
        { value: '' },
      ],
      'contextField | userId',
    ],
    ['a NUL', ['features', 1, 'description'], 'a\0b', 'feature | checkout'],
    ['half a surrogate pair', ['features', 1, 'description'], 'a\ud800', 'feature | checkout'],
  ])('%s', (_what, path, value, refused) => {
    const document = changed(path, value);
    expect(refusalsOf(document)).toEqual([refused]);
    const { installation, refusals } = checkInstallation(document);
    // An invalid part does not prevent the import of anything else.
    const [section] = path as [(typeof sections)[number]];
    const isPart = refusals[0]?.part !== undefined;
    expect(installation[section]).toHaveLength(wholeDocument()[section].length - (isPart ? 0 : 1));
    expect(checkInstallation(installation).refusals).toEqual([]);
  });
});

test.each<[what: string, Path, value: unknown]>([
  ['a long description', ['segments', 0, 'description'], text(5000)],
  [
    'many legal values',
    ['contextFields', 0, 'legalValues'],
    Array.from({ length: 3000 }, (_, n) => ({ value: `v${n}` })),
  ],
  ['many values', [...strategy, 'constraints', 0, 'values'], Array(1000).fill('v')],
  [
    'many constraints',
    [...strategy, 'constraints'],
    Array(60).fill(at(wholeDocument(), [...strategy, 'constraints', 0])),
  ],
  [
    'a date without a time',
    [...strategy, 'constraints', 0],
    {
      contextName: 'currentTime',
      operator: 'DATE_AFTER',
      caseInsensitive: false,
      inverted: false,
      values: [],
      value: '2026-01-31',
    },
  ],
  ['a rollout with decimals', [...strategy, 'parameters', 'rollout'], '33.3'],
  [
    'a payload of another type',
    ['features', 1, 'environments', 0, 'variants', 0, 'payload', 'value'],
    '{',
  ],
  [
    'an event type of a later version',
    ['integrations', 0, 'events', 0],
    'feature-release-plan-added',
  ],
])('what Unleash accepts beyond our API limits is imported unchanged: %s', (_what, path, value) => {
  const document = changed(path, value);
  const checked = checkInstallation(document);
  expect(checked.refusals).toEqual([]);
  expect(checked.installation).toEqual(document);
  expect(checkFindings(checked)).toMatchObject([{ code: 'BEYOND_API', severity: 'info' }]);
});

test('more strategies than the API allows are imported', () => {
  const document = changed(strategies, Array(50).fill(at(wholeDocument(), strategy)));
  expect(checkInstallation(document).installation).toEqual(document);
});

test('the first of two resources with the same name is imported, and an identical one is not reported', () => {
  const document = wholeDocument();
  const [parent, checkout] = document.features;
  if (!parent || !checkout) throw new Error('The document is too short');
  const other = { ...parent, description: 'another' };
  const twice = { ...document, features: [parent, checkout, parent, other] };
  expect(refusalsOf(twice)).toEqual(['feature | parent']);
  expect(checkInstallation(twice).installation).toEqual(document);
});

test('findings are grouped, list the first names and never contain a secret', () => {
  const document = wholeDocument();
  const [, feature] = document.features;
  const [token] = document.tokens;
  if (!feature || !token) throw new Error('The document is too short');
  const features = Array.from({ length: 200 }, (_, n) => ({ ...feature, name: `a/${n}` }));
  const tokens = [{ ...token, secret: 'hush' }];
  const findings = checkFindings(checkInstallation({ ...document, features, tokens }));
  expect(findings.map(({ code, what }) => `${code}: ${what}`)).toEqual([
    expect.stringMatching(
      /^INVALID: Skipped 200 features .*'a\/0', .*'a\/9', and 190 more\): \/name must be/,
    ),
    expect.stringMatching(/^INVALID: Skipped 1 API token .*'backend'.*\/secret can be guessed/),
  ]);
  expect(JSON.stringify(findings)).not.toContain('hush');
});

const planOptions = {
  ...{ history: 'left out' as const, integrations: new Set<number>() },
  ...{
    hasToken: () => false,
    isKnownProvider: () => true,
    imported: [],
    createdHere: new Set<string>(),
  },
  ...{ renamed: [], gone: [], refusedSegments: [] },
  renamedSegments: new Map<string, string>(),
};

const emptyDocument = (): Installation =>
  ({
    ...wholeDocument(),
    ...(Object.fromEntries(sections.map((section) => [section, []])) as object),
  }) as Installation;

test('a command suggested by the plan escapes the token name for the shell', () => {
  const document = wholeDocument();
  const tokens = document.tokens.map((token) => ({
    ...token,
    ...{ name: "x'; touch /tmp/owned; '", environment: 'development', secret: null },
  }));
  const { installation, refusals } = checkInstallation({ ...document, tokens });
  expect(refusals).toEqual([]);
  const { findings } = planMigration(installation, emptyDocument(), planOptions);
  expect(findings.find(({ code }) => code === 'TOKEN_SECRET_HIDDEN')?.todo).toContain(
    "--name 'x'\\''; touch /tmp/owned; '\\''' ",
  );
});

test.each(['a\n'.repeat(100), 'a'.repeat(256)])(
  'the plan also skips the features of a segment that is skipped for its name (%#)',
  (name) => {
    const document = wholeDocument();
    const segments = document.segments.map((segment) =>
      segment.name === 'europeans' ? { ...segment, name } : segment,
    );
    const features = JSON.parse(
      JSON.stringify(document.features).replaceAll('"europeans"', JSON.stringify(name)),
    );
    const plan = planForNew({ ...document, segments, features });
    expect(plan.skipped.map(({ kind }) => kind).sort()).toEqual(['feature', 'segment']);
    expect(
      plan.items.filter((item) => JSON.stringify(item).includes(JSON.stringify(name))),
    ).toEqual([]);
  },
);

test('names of the maximum length are imported', () => {
  const document = wholeDocument();
  const long = 'a'.repeat(255);
  const [segment] = document.segments;
  const [account] = document.accounts;
  if (!segment || !account) throw new Error('The document is too short');
  // They differ only at the end, and only one of them is rejected.
  const segments = [
    { ...segment, name: long },
    { ...segment, name: `${long.slice(1)}b`, constraints: [null as never] },
  ];
  const accounts = [{ ...account, email: null, username: long, name: long }];
  const features = JSON.parse(
    JSON.stringify(document.features).replaceAll('"europeans"', JSON.stringify(long)),
  );
  const plan = planForNew({ ...document, segments, accounts, features });
  expect(plan.skipped).toMatchObject([{ kind: 'segment', name: `${long.slice(1)}b` }]);
  const names = plan.items.map(({ kind, name }) => [kind, name]);
  expect(names).toEqual(
    expect.arrayContaining([
      ['segment', long],
      ['account', long],
      ...document.features.map(({ name }) => ['feature', name]),
    ]),
  );
});

/** Every path in a value, its own included. */
const pathsIn = (value: unknown, path: Path = []): Path[] => [
  path,
  ...(typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([key, item]) =>
        pathsIn(item, [...path, Array.isArray(value) ? Number(key) : key]),
      )
    : []),
];

let deep: unknown = 'x';
for (let depth = 0; depth < 5000; depth += 1) deep = [deep];

const others = [null, 'x', [null], { toString: 1 }, deep, [], {}, '', '\0', -1, 1e308, true];

/** The document with only the changed section, because checking the others would take most of the time. */
const only = (document: Installation, [changedSection]: Path): Installation => ({
  ...document,
  ...Object.fromEntries(
    sections.filter((section) => section !== changedSection).map((section) => [section, []]),
  ),
});

test('no value at any path of a document causes a crash, and what remains passes the checks', () => {
  const empty = emptyDocument();
  for (const path of pathsIn(wholeDocument())) {
    for (const value of firstCases(1, others)) {
      const document =
        path.length === 0 ? (value as Installation) : only(changed(path, value), path);
      if (documentFault(document) !== undefined) {
        expect(() => checkInstallation(document)).toThrow(StartError);
        continue;
      }
      const checked = checkInstallation(document);
      expect(checkFindings(checked).every(({ what }) => what.length < 2000)).toBe(true);
      expect(checkInstallation(checked.installation)).toMatchObject({ refusals: [] });
      planMigration(checked.installation, empty, planOptions);
    }
  }
});

describe('reading a document file', () => {
  const bytes = (content: string) => Buffer.from(content);
  const valid = () => JSON.stringify(wholeDocument());
  const { features: _, ...incomplete } = wholeDocument();
  test.each<[Uint8Array, string]>([
    [bytes(''), "x.json isn't valid JSON."],
    [bytes('{'), "x.json isn't valid JSON."],
    [bytes('null'), "x.json wasn't created by burgee export."],
    [bytes('[]'), "x.json wasn't created by burgee export."],
    [bytes('"text"'), "x.json wasn't created by burgee export."],
    [bytes('{"features":[]}'), "x.json wasn't created by burgee export."],
    [
      bytes(JSON.stringify(incomplete)),
      "x.json isn't a complete burgee export file: /features must be a list.",
    ],
    [
      bytes(JSON.stringify({ ...wholeDocument(), source: 'x' })),
      'x.json isn\'t a complete burgee export file: /source must be object; it is "x".',
    ],
    [bytes(valid().replace('{', '{"__proto__":{},')), "x.json isn't valid JSON."],
    [bytes('['.repeat(1_000_000)), 'x.json is nested deeper than 100 levels.'],
    [Buffer.from([0xff, 0xfe, 0x00]), "x.json isn't UTF-8 text."],
  ])('fails with a message for invalid content (%#)', (content, message) => {
    expect(() => parseDocument(content, 'x.json')).toThrow(new StartError(message));
  });
  test('returns a valid document', () => {
    expect(parseDocument(bytes(valid()), 'x.json')).toEqual(wholeDocument());
  });
});
