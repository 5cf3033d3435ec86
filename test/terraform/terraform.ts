import { execFile, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The variable with the path of the provider. */
const providerVariable = 'UNLEASH_TERRAFORM_PROVIDER';

/** What is missing to run the tests. Empty if nothing is. */
export function missingTools(): string[] {
  const provider = process.env[providerVariable];
  return [
    ...(spawnSync('terraform', ['version']).error
      ? ['The command terraform is not installed.']
      : []),
    ...(provider === undefined || provider === ''
      ? [
          `${providerVariable} is not set: it has to name the program terraform-provider-unleash (or its folder).`,
        ]
      : existsSync(provider)
        ? []
        : [`${providerVariable} names ${provider}, where nothing is.`]),
  ];
}

function folderOfProvider(): string {
  const path = resolve(process.env[providerVariable] ?? '');
  return statSync(path).isDirectory() ? path : dirname(path);
}

export interface Outcome {
  readonly code: number;
  readonly output: string;
}

export type Terraform = (
  args: readonly string[],
  variables?: Readonly<Record<string, string>>,
) => Promise<Outcome>;

interface Workspace {
  /** The path of the state file. */
  readonly folder: string;
  readonly configuration: string;
  readonly url: string;
  readonly token: string;
}

/** Terraform in its own folder, with the provider from the disk: nothing is downloaded. */
export function terraformIn({ folder, configuration, url, token }: Workspace): Terraform {
  mkdirSync(folder, { recursive: true });
  cpSync(configuration, folder, { recursive: true });
  const settings = join(folder, 'terraform.rc');
  writeFileSync(
    settings,
    `provider_installation {
  dev_overrides { "unleash/unleash" = ${JSON.stringify(folderOfProvider())} }
  direct {}
}
`,
  );
  const env = {
    PATH: process.env.PATH,
    HOME: folder,
    TF_CLI_CONFIG_FILE: settings,
    TF_IN_AUTOMATION: '1',
    CHECKPOINT_DISABLE: '1',
    UNLEASH_URL: url,
    AUTH_TOKEN: token,
  };
  return async (args, variables = {}) => {
    const given = Object.fromEntries(
      Object.entries(variables).map(([name, value]) => [`TF_VAR_${name}`, value]),
    );
    const options = { cwd: folder, env: { ...env, ...given }, maxBuffer: 2 ** 26 };
    try {
      const { stdout, stderr } = await run('terraform', [...args], options);
      return { code: 0, output: stdout + stderr };
    } catch (error) {
      const {
        code,
        stdout = '',
        stderr = '',
      } = error as { code?: unknown } & Partial<Record<'stdout' | 'stderr', string>>;
      if (typeof code !== 'number') throw error;
      return { code, output: stdout + stderr };
    }
  };
}
