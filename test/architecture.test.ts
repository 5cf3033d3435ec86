import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { modules } from '../src/app/modules.ts';
import type { Module } from '../src/platform/module.ts';

const root = resolve(import.meta.dirname, '..');
const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts') && !/\.(test|proof)\.ts$/.test(path))
  .map((path) => {
    const file = join('src', path);
    const text = readFileSync(join(root, file), 'utf8');
    const imports = [...text.matchAll(/(?:from|import)\s*\(?\s*'(\.{1,2}\/[^']+)'/g)].map(
      ([, target]) => relative(root, resolve(root, dirname(file), target as string)),
    );
    return { file, text, imports };
  });

/** A module is a folder with an index.ts, its entry point. It may contain others: `features/clone` in `features`. */
const doors = new Set(
  sources.filter(({ file }) => file.endsWith('/index.ts')).map(({ file }) => dirname(file)),
);

function moduleOf(file: string): string | undefined {
  for (let folder = dirname(file); folder.startsWith('src/modules/'); folder = dirname(folder)) {
    if (doors.has(folder)) return folder;
  }
  return undefined;
}

const areaOf = (file: string) => /^src\/modules\/([^/]+)\//.exec(file)?.[1] as string;

/** The main rule: an area uses only areas in the rows above. ARCHITECTURE.md shows the same. */
const areas = [
  ['events'],
  ['access'],
  ['catalogue'],
  ['flags'],
  ['history'],
  ['sdk', 'insights', 'integrations'],
  ['governance'],
  ['admin-ui', 'instance-admin', 'migration'],
];

const rowOf = (area: string) => areas.findIndex((row) => row.includes(area));

/**
 * The schemas of requests and responses. The UI imports them as well, so they are the second entry point of a module.
 */
const isContract = (file: string) =>
  file === 'src/contract.ts' ||
  /^src\/modules\/.*(\/contract\.ts|\/contract\/[^/]+\.ts|-contract\.ts|schema\.ts)$/.test(file);

const services = sources.filter(({ file }) => /^src\/modules\/.*\/service\.ts$/.test(file));

/** Every import from one module into another. */
const crossings = sources.flatMap(({ file, imports }) =>
  imports
    .map((target) => ({ file, target, from: moduleOf(file), to: moduleOf(target) }))
    .filter(({ from, to }) => to !== undefined && from !== to),
);

/** The folder of the module that declares each table. */
const owners = new Map(
  sources.flatMap(({ file, text }) => {
    const declared = /interface Database \{([^}]*)\}/.exec(text)?.[1] ?? '';
    return [...declared.matchAll(/(\w+):/g)].map(
      ([, table]) => [table as string, dirname(file)] as const,
    );
  }),
);

/** The tables that an area offers to the areas in the rows below. They may read only these. */
const offered: Readonly<Record<string, readonly string[]>> = {
  events: ['events', 'event_log', 'event_days', 'event_recipients', 'feature_authors'],
  access: [
    'users',
    'groups',
    'group_users',
    'roles',
    'role_permissions',
    'project_user_roles',
    'project_group_roles',
    'project_access_changes',
    'api_tokens',
    'last_seen',
    'settings',
  ],
  catalogue: [
    'projects',
    'project_environments',
    'project_favorites',
    'environments',
    'context_fields',
    'segments',
    'strategy_types',
    'tag_types',
    'tags',
    'feature_tags',
  ],
  flags: [
    'features',
    'feature_environments',
    'feature_strategies',
    'feature_strategy_segments',
    'feature_dependencies',
    'feature_favorites',
    'feature_lifecycles',
    'feature_owners',
    'feature_types',
    'feature_links',
  ],
  integrations: ['integrations'],
  sdk: [
    'application_features',
    'application_reach',
    'applications',
    'usage_hours',
    'usage_variant_hours',
  ],
  insights: ['health_snapshots'],
};

/**
 * Exceptions from the main rule: a statement of a lower area needs a column of a higher one, and two statements would
 * not see the same snapshot.
 */
const readsUpwards: Readonly<Record<string, { tables: readonly string[]; because: string }>> = {
  events: {
    tables: ['projects'],
    because: 'who may see an event depends on its project as it is when they ask',
  },
  access: {
    tables: ['projects', 'environments', 'features'],
    because: 'a grant names a project or an environment, and a path names a feature of a project',
  },
  catalogue: {
    tables: [
      'features',
      'feature_environments',
      'feature_strategies',
      'feature_strategy_segments',
      'feature_ages',
    ],
    because: 'a list says by how many features each thing is used, and nothing in use is deleted',
  },
  flags: {
    tables: ['feature_ages'],
    because: 'a search by staleness needs to know which features are due',
  },
};

/** Every table of another area that a file reads. */
const reads = sources
  .filter(({ file }) => file.startsWith('src/modules/'))
  .flatMap(({ file, text }) => {
    const named = [
      ...text.matchAll(
        /(?:selectFrom|innerJoin|leftJoin|rightJoin|fullJoin|crossJoin|using|from)\(\s*\[?\s*'(\w+)/g,
      ),
      ...text.matchAll(/\b(?:from|join)\s+(?:only\s+|lateral\s+)?\(?(\w+)/gi),
      ...text.matchAll(/\bfrom\s+\w+(?:\s+\w+)?\s*,\s*(\w+)/gi),
    ].map(([, table]) => table as string);
    return [...new Set(named)]
      .filter((table) => owners.get(table)?.startsWith('src/modules/'))
      .map((table) => ({ file, table, area: areaOf(file), of: areaOf(`${owners.get(table)}/`) }))
      .filter(({ area, of }) => area !== of);
  });

describe('module boundaries', () => {
  test('every folder of modules is an area', () => {
    const found = new Set(
      sources.filter(({ file }) => file.startsWith('src/modules/')).map(({ file }) => areaOf(file)),
    );
    expect([...found].sort()).toEqual(areas.flat().sort());
  });

  test('rule 5: modules import others only through index.ts, and contracts import contracts', () => {
    // Through its index.ts, the delivery thread would load all routes and need 9 MB more.
    const ofThread = 'src/modules/integrations/delivery/background.ts';
    // Through their index.ts, the bundle of an edge would have the routes of the server and the driver of its database.
    const ofEdge = [
      'src/modules/sdk/client-api/routes.ts',
      'src/modules/sdk/client-metrics/report/buffer.ts',
      'src/modules/sdk/client-metrics/report/buffered-usage.ts',
      'src/modules/sdk/client-metrics/report/routes.ts',
      'src/modules/sdk/edges/report-routes.ts',
      'src/modules/sdk/frontend-api/contract.ts',
      'src/modules/sdk/frontend-api/routes.ts',
      'src/modules/sdk/ofrep/routes.ts',
    ];
    const checksOfEdge = 'src/modules/sdk/client-metrics/report/checks.ts';
    const past = crossings
      .filter(({ target }) => !target.endsWith('/index.ts'))
      .filter(({ file, target }) => !(file.startsWith('src/edge/') && ofEdge.includes(target)))
      .filter(
        ({ file, target }) =>
          !(file === 'src/modules/sdk/frontend-api/checks.ts' && target === checksOfEdge),
      )
      .filter(({ file, target }) => !(file === 'src/app/background/work.ts' && target === ofThread))
      .filter(({ file, target }) => !(isContract(file) && isContract(target)))
      .map(({ file, target }) => `${file} → ${target}`);
    expect(past).toEqual([]);
  });

  test('contracts import only typebox, platform/contract and contracts', () => {
    const isFloor = (file: string) => file.startsWith('src/platform/contract/');
    const contracts = sources.filter(({ file }) => isContract(file) || isFloor(file));
    const wrong = contracts.flatMap(({ file, text, imports }) => {
      const allowed = isFloor(file) ? isFloor : (to: string) => isContract(to) || isFloor(to);
      const packages = [
        ...text.matchAll(/^(?:(?:import|export|\}) [^'\n]*\bfrom |import )'([^.'][^']*)';$/gm),
      ].map(([, name]) => name as string);
      return [
        ...imports.filter((to) => !allowed(to)),
        ...packages.filter((name) => name !== 'typebox'),
      ].map((to) => `${file} → ${to}`);
    });
    expect(contracts.length).toBeGreaterThan(80);
    expect(wrong).toEqual([]);
  });

  test('the UI imports contracts, and only a few other files of the server, which are pure', () => {
    const pure = [
      'src/modules/access/gate/permissions.ts',
      'src/modules/catalogue/projects/create/slug.ts',
      'src/modules/catalogue/strategy-types/parameters.ts',
      'src/modules/catalogue/strategy-types/variant-weights.ts',
      'src/modules/events/sentence.ts',
      'src/modules/insights/health/status/detail.ts',
      'src/platform/expression-size.ts',
      'src/platform/regular-expression.ts',
    ];
    const imported = readdirSync(join(root, 'web/src'), { recursive: true, encoding: 'utf8' })
      .filter((path) => /\.tsx?$/.test(path))
      .flatMap((path) => {
        const file = join('web/src', path);
        const text = readFileSync(join(root, file), 'utf8');
        return [...text.matchAll(/(?:from|import)\s*\(?\s*'(\.{1,2}\/[^']+)'/g)].map(([, target]) =>
          relative(root, resolve(root, dirname(file), target as string)),
        );
      })
      .filter((target) => target.startsWith('src/'));
    const isOffered = (target: string) =>
      isContract(target) || target.startsWith('src/platform/contract/');
    const reached = new Set<string>();
    const reach = (target: string): void => {
      if (isOffered(target) || reached.has(target)) return;
      reached.add(target);
      sources.find(({ file }) => file === target)?.imports.forEach(reach);
    };
    imported.forEach(reach);
    expect([...reached].sort()).toEqual(pure);
  });

  test('rule 5: an area imports only from areas below it', () => {
    const upwards = crossings
      .filter(({ from }) => from !== undefined)
      .filter(({ file, target }) => areaOf(file) !== areaOf(target))
      .filter(({ file, target }) => rowOf(areaOf(file)) <= rowOf(areaOf(target)))
      .map(({ file, target }) => `${file} → ${target}`);
    expect(crossings.length).toBeGreaterThan(100);
    expect(upwards).toEqual([]);
  });

  test('rule 5: modules have no circular imports', () => {
    const needs = new Map<string, Set<string>>();
    for (const { from, to } of crossings) {
      if (from === undefined || to === undefined) continue;
      needs.set(from, (needs.get(from) ?? new Set()).add(to));
    }
    const reaches = (from: string, wanted: string, seen = new Set<string>()): boolean =>
      [...(needs.get(from) ?? [])].some((next) => {
        if (next === wanted) return true;
        if (seen.has(next)) return false;
        seen.add(next);
        return reaches(next, wanted, seen);
      });
    expect([...needs.keys()].filter((module) => reaches(module, module))).toEqual([]);
  });

  test('rule 6: a table is written only by the module that declares it', () => {
    const written = sources.flatMap(({ file, text }) =>
      [
        ...text.matchAll(/(?:insertInto|updateTable|deleteFrom)\(\s*'(\w+)/g),
        ...text.matchAll(
          /\b(?:insert into|update|delete from)\s+(\w+)\s+(?:as|set|where|\(|using|values)/gi,
        ),
      ].map(([, table]) => ({ file, table: table as string })),
    );
    const trespass = written
      .filter(({ file }) => !file.startsWith('src/migrations/'))
      .filter(({ file, table }) => owners.has(table) && !file.startsWith(`${owners.get(table)}/`))
      .map(({ file, table }) => `${file} writes ${table}`);
    expect(owners.size).toBeGreaterThan(8);
    expect(written.length).toBeGreaterThan(5);
    expect(trespass).toEqual([]);
  });

  test('rule 6: an area reads only its own tables and those that other areas offer to it', () => {
    const allowed = ({ area, table, of }: (typeof reads)[number]) =>
      rowOf(of) < rowOf(area)
        ? offered[of]?.includes(table)
        : readsUpwards[area]?.tables.includes(table);
    const wrong = reads
      .filter((read) => !allowed(read))
      .map(({ file, table }) => `${file} reads ${table}`);
    expect(reads.length).toBeGreaterThan(100);
    expect(wrong).toEqual([]);
  });

  test('rule 6: every offered table and every exception is used', () => {
    const isRead = (table: string, upwards: boolean, area?: string) =>
      reads.some(
        (read) =>
          read.table === table &&
          (area === undefined || read.area === area) &&
          rowOf(read.of) >= rowOf(read.area) === upwards,
      );
    const idle = [
      ...Object.values(offered)
        .flat()
        .filter((table) => !isRead(table, false)),
      ...Object.entries(readsUpwards).flatMap(([area, { tables }]) =>
        tables.filter((table) => !isRead(table, true, area)),
      ),
    ];
    expect(idle).toEqual([]);
  });

  test('ARCHITECTURE.md states how many tables each area reads of areas above it', () => {
    const counts = Object.entries(readsUpwards).map(([area, { tables }]) => [area, tables.length]);
    const sum = Object.values(readsUpwards).flatMap(({ tables }) => tables).length;
    const stated = counts.map((count) => count.join(' ')).join(', ');
    const text = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8');
    expect(text).toContain(`read ${sum} tables of areas above them (${stated})`);
  });

  test('rule 7: platform/ contains nothing about feature flags', () => {
    const words =
      /\b(feature|flag|strategy|segment|variant|toggle|stale|rollout|addon)s?\b|\/api\/(client|frontend)|\bofrep\b/i;
    const wrong = sources
      .filter(({ file }) => file.startsWith('src/platform/'))
      .flatMap(({ file, text }) =>
        text
          .split('\n')
          // The title of the document names the product.
          .filter((line) => words.test(line) && !line.includes('Feature-flag administration'))
          .map((line) => `${file}: ${line.trim()}`),
      );
    expect(wrong).toEqual([]);
  });

  test('platform/ imports no module, and only the command line reads environment variables', () => {
    const upwards = sources
      .filter(({ file }) => file.startsWith('src/platform/'))
      .flatMap(({ file, imports }) =>
        imports
          .filter((target) => target.startsWith('src/') && !target.startsWith('src/platform/'))
          .map((to) => `${file} → ${to}`),
      );
    const readers = sources
      .filter(({ text }) => text.includes('process.env'))
      .map(({ file }) => file)
      .filter((file) => !file.startsWith('src/cli/'));
    expect(upwards).toEqual([]);
    // The embedded server is a child process and inherits the whole environment.
    expect(readers).toEqual(['src/platform/db/embedded/binaries.ts']);
  });

  test('rules 1 to 3: only transact begins a transaction, and only routes call it', () => {
    const beginners = sources
      .filter(({ text }) => /\.(?:transaction|startTransaction)\(\)|`begin /.test(text))
      .map(({ file }) => file);
    expect(beginners.sort()).toEqual(['src/migrations/migrate.ts', 'src/platform/db/database.ts']);
    const callers = sources
      .filter(({ file, text }) => file.startsWith('src/modules/') && /\btransact\(/.test(text))
      .map(({ file }) => file)
      .filter((file) => !/\/(?:[\w-]+-)?(?:routes|jobs)\.ts$/.test(file));
    // OpenID sign-in consists of redirects, and background work has no route.
    expect(callers.sort()).toEqual([
      'src/modules/access/gate/gate.ts',
      'src/modules/access/oidc/pages.ts',
      'src/modules/events/proof/retention.ts',
      // A request that is refused proposes its change instead.
      'src/modules/governance/change-requests/propose/instead.ts',
      'src/modules/governance/change-requests/state/scheduler.ts',
      'src/modules/integrations/delivery/background.ts',
      'src/modules/integrations/delivery/engine.ts',
      // An import is a command with many transactions and no routes.
      'src/modules/migration/history/write.ts',
      'src/modules/migration/migrate.ts',
      'src/modules/migration/run/change-requests.ts',
      'src/modules/migration/run/run.ts',
      'src/modules/sdk/client-metrics/report/usage.ts',
      'src/modules/sdk/edges/stored-edges.ts',
    ]);
  });

  test('rules 1 to 3: services take a Db or a Tx, never a pool', () => {
    const pools = services
      .filter(({ text }) => /^import [^;]*\b(Kysely|Services)\b/m.test(text))
      .map(({ file }) => file);
    expect(pools).toEqual([]);
    expect(services.length).toBeGreaterThan(3);
  });

  test('rule 1: modules write with the query builder of a Tx, not in raw SQL', () => {
    const raw =
      /\b(insert\s+into|delete\s+from|merge\s+into|truncate)\s+\w|\bupdate\s+\w+\s+((as\s+)?\w+\s+)?set\b/i;
    const exceptions = [
      // Lists the results of migrations, including a trigger before TRUNCATE. It is never run.
      'src/modules/events/proof/expected-structure.ts',
      // Erases a person from thousands of rows, each with its own text: from a list, which the builder lacks.
      'src/modules/events/proof/forget.ts',
    ];
    const wrong = sources
      .filter(({ file }) => !exceptions.includes(file))
      .filter(({ file, text }) => file.startsWith('src/modules/') && raw.test(text))
      .map(({ file }) => file);
    expect(wrong).toEqual([]);
  });

  test('routes write through services and import only reads from queries', () => {
    const routes = sources.filter(({ file }) => /\/(?:[\w-]+-)?routes\.ts$/.test(file));
    const writers = routes.flatMap(({ file, text }) =>
      [...text.matchAll(/import \{([^}]*)\} from '[^']*queries\.ts'/g)]
        .flatMap(([, names = '']) => names.split(','))
        .map((name) => name.trim())
        .filter((name) => /^(insert|update|upsert|delete|replace|lock|copy)/.test(name))
        .map((name) => `${file} calls ${name}`),
    );
    expect(routes.length).toBeGreaterThan(30);
    expect(writers).toEqual([]);
  });

  test('modules get the time from the transaction or the clock', () => {
    const wrong = sources
      .filter(({ file }) => file.startsWith('src/modules/'))
      .filter(({ text }) => /new Date\(\)|Date\.now/.test(text))
      .map(({ file }) => file);
    expect(wrong).toEqual([]);
  });

  test('no type has a meaningless name', () => {
    const names =
      /^(?:export )?(?:interface|type) (Place|Known|Kept|Told|Shown|Asked|Wish|Wished|Named|Surroundings|Stretch|Gifts|Beginning)\b/m;
    const wrong = sources.flatMap(({ file, text }) => {
      const [, name] = names.exec(text) ?? [];
      return name === undefined ? [] : [`${file}: ${name}`];
    });
    expect(wrong).toEqual([]);
  });

  test('no file or folder is called utils, helpers, common or misc', () => {
    const wrong = sources
      .map(({ file }) => file)
      .filter((file) => /(utils?|helpers?|common|misc)(\.ts|\/)/.test(file));
    expect(wrong).toEqual([]);
  });
});

interface Schema {
  readonly type?: unknown;
  readonly maxItems?: number;
}

/** The places in a schema where a request may contain a list of any length. */
function endlessLists(schema: unknown, place: string): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const { type, maxItems } = schema as Schema;
  const own = type === 'array' && maxItems === undefined ? [place] : [];
  const below = Object.entries(schema).flatMap(([key, part]) =>
    endlessLists(part, `${place}/${key}`),
  );
  return [...own, ...below];
}

test('every list in a request has a maximum length, because a body of 1 MiB can contain half a million items', () => {
  const endless = (modules as readonly Module[])
    .flatMap(({ contract }) => Object.values(contract))
    .flatMap(({ id, query, body }) => endlessLists({ query, body }, id));
  expect(endless).toEqual([]);
});

test('only tests reduce the cost of password hashes', () => {
  const callers = sources.filter(
    ({ file, text }) => text.includes('setPasswordCost') && !file.endsWith('/passwords/hash.ts'),
  );
  expect(callers.map(({ file }) => file)).toEqual([]);
});
