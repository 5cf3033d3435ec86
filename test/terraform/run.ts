import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { adminToken, type Burgee, startBurgee } from './burgee.ts';
import { type Exchange, type Recorder, startRecorder } from './recorder.ts';
import { recordingOf, textOf } from './recording.ts';
import { missingTools, type Outcome, type Terraform, terraformIn } from './terraform.ts';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** How often everything is created and destroyed at once. Each run has another order, because it is parallel. */
const rounds = 5;

const say = (words: string) => process.stdout.write(`${words}\n`);

let passed = 0;

function expectThat(holds: boolean, what: string, output = ''): void {
  if (!holds) throw new Error(`${what}\n${output}`);
  passed += 1;
  say(`ok  ${what}`);
}

const quiet = ['-no-color', '-input=false'];

/** Not parallel when recording, so that the order of requests is always the same. */
const parallel = (recorded: boolean) => (recorded ? ['-parallelism=1'] : []);

interface Resource {
  readonly address: string;
  readonly type: string;
  readonly mode: string;
  readonly values: Readonly<Record<string, unknown>>;
}

async function resourcesIn(terraform: Terraform): Promise<Resource[]> {
  const { output } = await terraform(['show', '-json']);
  const state = JSON.parse(output.slice(output.indexOf('{'))) as {
    values?: { root_module: { resources: Resource[] } };
  };
  return (state.values?.root_module.resources ?? []).filter(({ mode }) => mode === 'managed');
}

/** The id by which the provider imports a resource, or undefined if it cannot import it. */
function importId({ type, values }: Resource): string | undefined {
  const { id, name, project, project_id, environment_name, password } = values;
  switch (type) {
    // A password cannot be read again, and the provider then reports a difference to its own state.
    case 'unleash_user':
      return password === null ? String(id) : undefined;
    case 'unleash_project':
    case 'unleash_role':
    case 'unleash_group':
      return String(id);
    case 'unleash_environment':
      return String(name);
    case 'unleash_project_access':
      return String(project);
    case 'unleash_project_environment':
      return `${project_id}:${environment_name}`;
    default:
      return undefined;
  }
}

interface Trial {
  readonly burgee: Burgee;
  readonly recorder: Recorder;
  readonly folder: string;
}

type Steps = [name: string, exchanges: Exchange[]][];

/** Creates, reads, changes, imports and destroys each resource. */
async function everyResource({ burgee, recorder, folder }: Trial): Promise<Steps> {
  const steps: Steps = [];
  const configuration = here('configuration');
  const place = { configuration, url: recorder.url, token: adminToken };
  const terraform = terraformIn({ ...place, folder: join(folder, 'all') });
  const one = parallel(true);
  const plan = (variables: Record<string, string>) =>
    terraform(['plan', '-detailed-exitcode', ...quiet, ...one], variables);
  const done = (name: string, { code, output }: Outcome) => {
    expectThat(code === 0, name, output);
    steps.push([name, recorder.take()]);
  };

  // Entered by the operator. It is not returned again.
  await burgee.ask('POST /api/admin/auth/oidc/settings', {
    enabled: false,
    discoverUrl: 'https://login.example.com/realms/tf',
    clientId: 'burgee',
    secret: 'entered-beforehand',
  });
  for (const stage of ['first', 'second']) {
    const variables = { stage };
    done(
      `${stage} apply`,
      await terraform(['apply', '-auto-approve', ...quiet, ...one], variables),
    );
    done(`the plan after the ${stage} apply is empty`, await plan(variables));
  }
  const stage = { stage: 'second' };
  const made = await resourcesIn(terraform);
  const tokens = made.filter(({ type }) => type === 'unleash_api_token');
  for (const resource of made) {
    const id = importId(resource);
    if (id === undefined) continue;
    const { address } = resource;
    const removed = await terraform(['state', 'rm', address]);
    expectThat(removed.code === 0, `${address} is taken out of the state`, removed.output);
    done(`import of ${address}`, await terraform(['import', ...quiet, address, id], stage));
  }
  // The provider does not read some properties on import and sets them again.
  done(
    'apply after the imports',
    await terraform(['apply', '-auto-approve', ...quiet, ...one], stage),
  );
  done('the plan after the imports is empty', await plan(stage));
  done('destroy', await terraform(['destroy', '-auto-approve', ...quiet, ...one], stage));
  expectThat((await resourcesIn(terraform)).length === 0, 'the state is empty');
  for (const { address, values } of tokens) {
    const used = await burgee.ask('GET /api/client/features', undefined, String(values.secret));
    expectThat(used.status === 401, `${address} is revoked`, await used.text());
  }
  await expectNothingLeft(burgee);
  return steps;
}

async function expectNothingLeft(burgee: Burgee): Promise<void> {
  for (const path of [
    'projects',
    'environments',
    'context',
    'roles',
    'groups',
    'user-admin',
    'service-account',
    'api-tokens',
  ]) {
    const answer = await (await burgee.ask(`GET /api/admin/${path}`)).text();
    expectThat(!/"tf[ -]/.test(answer), `nothing is left of ${path}`, answer);
  }
}

/** Creates everything in parallel, as Terraform does. */
async function manyRounds({ burgee, folder }: Trial): Promise<void> {
  for (let round = 1; round <= rounds; round += 1) {
    const terraform = terraformIn({
      configuration: here('configuration'),
      folder: join(folder, `round-${round}`),
      url: burgee.url,
      token: adminToken,
    });
    await burgee.ask('POST /api/admin/auth/oidc/settings', {
      discoverUrl: 'https://login.example.com/realms/tf',
      clientId: 'burgee',
      secret: 'entered-beforehand',
    });
    for (const args of [
      ['apply', '-auto-approve'],
      ['plan', '-detailed-exitcode'],
      ['destroy', '-auto-approve'],
    ]) {
      const { code, output } = await terraform([...args, ...quiet], { stage: 'first' });
      expectThat(code === 0, `round ${round}: ${args[0]}`, output);
    }
    await expectNothingLeft(burgee);
  }
}

/** Change requests can be enabled, with another number of approvals, and disabled. */
async function changeRequests({ burgee, folder }: Trial): Promise<void> {
  const terraform = terraformIn({
    configuration: here('guarded'),
    folder: join(folder, 'guarded'),
    url: burgee.url,
    token: adminToken,
  });
  for (const approvals of ['2', '3']) {
    for (const args of [
      ['apply', '-auto-approve'],
      ['plan', '-detailed-exitcode'],
    ]) {
      const { code, output } = await terraform([...args, ...quiet], { approvals });
      expectThat(code === 0, `change requests with ${approvals} approvals: ${args[0]}`, output);
    }
  }
  const { code, output } = await terraform(['destroy', '-auto-approve', ...quiet]);
  expectThat(code === 0, 'change requests: destroy', output);
}

async function main(): Promise<void> {
  const missing = missingTools();
  if (missing.length > 0)
    throw new Error(`This test needs more than the checkout.\n${missing.join('\n')}`);
  const folder = mkdtempSync(join(tmpdir(), 'burgee-terraform-'));
  try {
    const burgee = await startBurgee(join(folder, 'data'));
    const recorder = await startRecorder(burgee.url);
    try {
      const trial = { burgee, recorder, folder };
      const steps = await everyResource(trial);
      if (process.argv.includes('--record')) {
        writeFileSync(here('recorded.json'), textOf(recordingOf(steps)));
        say('recorded.json tells what the provider asked for');
      } else {
        await changeRequests(trial);
        await manyRounds(trial);
      }
    } finally {
      recorder.close();
      await burgee.stop();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  say(`${passed} checks passed.`);
}

try {
  await main();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 1;
}
