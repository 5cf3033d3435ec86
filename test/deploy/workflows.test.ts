import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, string | boolean>>;
}

interface Job {
  readonly needs?: string;
  readonly permissions?: Readonly<Record<string, string>>;
  readonly steps: readonly Step[];
}

interface Workflow {
  readonly permissions: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<string, Job>>;
}

const folder = join(import.meta.dirname, '..', '..', '.github', 'workflows');
const workflowIn = (file: string) => parse(readFileSync(join(folder, file), 'utf8')) as Workflow;

describe.each(readdirSync(folder))('the workflow %s', (file) => {
  test('pins every action to a commit', () => {
    const used = Object.values(workflowIn(file).jobs)
      .flatMap(({ steps }) => steps)
      .flatMap(({ uses }) => uses ?? []);
    expect(used.length).toBeGreaterThan(1);
    expect(used.filter((uses) => !/^[\w-]+\/[\w-]+@[0-9a-f]{40}$/.test(uses))).toEqual([]);
  });

  test('has read permission only, unless a job says otherwise', () => {
    expect(workflowIn(file).permissions).toEqual({ contents: 'read' });
  });
});

describe('the release workflow', () => {
  const { jobs } = workflowIn('release.yml');
  const { check, package: npm, image } = jobs;

  test('publishes only after the tests', () => {
    expect(Object.keys(jobs).sort()).toEqual(['check', 'image', 'package']);
    expect(check?.steps.some(({ run }) => run === '.ci/run')).toBe(true);
    expect([npm?.needs, image?.needs]).toEqual(['check', 'check']);
    expect(check?.permissions).toBeUndefined();
  });

  test('creates provenance for the package and the image', () => {
    expect(npm?.permissions?.['id-token']).toBe('write');
    expect(npm?.steps.at(-1)?.run).toBe('npm publish --provenance --access public');
    expect(image?.permissions).toMatchObject({ 'id-token': 'write', attestations: 'write' });
    const build = image?.steps.find(({ uses }) => uses?.startsWith('docker/build-push-action@'));
    expect(build?.with).toMatchObject({ provenance: 'mode=max', sbom: true });
    expect(image?.steps.at(-1)?.uses).toMatch(/^actions\/attest-build-provenance@/);
  });

  test('requires a tag with the package version and its section in the changelog', () => {
    const script = check?.steps.find(({ run }) => run?.includes('GITHUB_REF_NAME'))?.run ?? '';
    const checkout = mkdtempSync(join(tmpdir(), 'burgee-release-'));
    onTestFinished(() => rmSync(checkout, { recursive: true }));
    writeFileSync(join(checkout, 'package.json'), '{"version": "1.2.3"}');
    const accepts = (tag: string, changelog: string) => {
      writeFileSync(join(checkout, 'CHANGELOG.md'), changelog);
      const env = { PATH: process.env.PATH ?? '', GITHUB_REF_NAME: tag };
      return spawnSync('bash', ['-e', '-c', script], { cwd: checkout, env }).status === 0;
    };
    const section = '# Changelog\n\n## Unreleased\n\n## 1.2.3 – 2026-11-17\n';
    expect(accepts('v1.2.3', section)).toBe(true);
    expect(accepts('v1.2.3', section.replace('1.2.3', '[1.2.3]'))).toBe(true);
    expect(accepts('v1.2.4', section)).toBe(false);
    expect(accepts('1.2.3', section)).toBe(false);
    expect(accepts('v1.2.3', '# Changelog\n\n## Unreleased\n')).toBe(false);
    expect(accepts('v1.2.3', section.replace('1.2.3', '1x2.3'))).toBe(false);
  });
});
