import { AppError } from '../platform/errors.ts';
import { StartError } from '../platform/start-error.ts';

interface Command {
  readonly usage: string;
  readonly does: string;
  readonly load: () => Promise<{ run: (args: readonly string[]) => Promise<void> }>;
}

/** Loaded one by one: a command starts without the code of the others. */
const commands: Readonly<Record<string, Command>> = {
  serve: {
    usage: 'serve',
    does: 'start the server (settings come from the environment, see README)',
    load: () => import('./serve.ts'),
  },
  migrate: {
    usage: 'migrate',
    does: 'bring the database schema up to date, then stop',
    load: () => import('./migrate.ts'),
  },
  demo: {
    usage: 'demo',
    does: 'fill a fresh installation with a believable organisation and months of history',
    load: () => import('./demo.ts'),
  },
  openapi: {
    usage: 'openapi [FILE]',
    does: 'print the OpenAPI document, or write it to a file',
    load: () => import('./openapi.ts'),
  },
  token: {
    usage: 'token create|list|revoke',
    does: 'make, list and revoke API tokens',
    load: () => import('./token.ts'),
  },
  user: {
    usage: 'user list|create|reset',
    does: 'list and create people, and help one who cannot sign in',
    load: () => import('./user.ts'),
  },
  debt: {
    usage: 'debt --project ID [--max-stale N]',
    does: 'list the features of a project that have had their day, and fail beyond a limit (for CI)',
    load: () => import('./debt.ts'),
  },
  verify: {
    usage: 'verify [--checkpoint FILE]',
    does: 'walk the event log and name the first event that is not as it was recorded',
    load: () => import('./verify.ts'),
  },
  forget: {
    usage: 'forget --creator-id N [--yes]',
    does: 'erase a person: the account, and who they were in the event log, which still verifies',
    load: () => import('./forget.ts'),
  },
  key: {
    usage: 'key export|rotate',
    does: 'show and change the key that signs checkpoints of the event log',
    load: () => import('./key.ts'),
  },
};

function help(): string {
  const rows = Object.values(commands).map(
    ({ usage, does }) => `  burgee ${usage.padEnd(34)} ${does}`,
  );
  return `Burgee, feature-flag administration\n\n${rows.join('\n')}\n`;
}

async function main([name, ...args]: readonly string[]): Promise<void> {
  // `toString` is no command, though every object has one.
  const command = Object.hasOwn(commands, name ?? '') ? commands[name ?? ''] : undefined;
  if (!command) {
    const asked = name === undefined || name === 'help' || name === '--help';
    process[asked ? 'stdout' : 'stderr'].write(
      asked ? help() : `There is no command '${name}'.\n\n${help()}`,
    );
    process.exitCode = asked ? 0 : 1;
    return;
  }
  const { run } = await command.load();
  await run(args);
}

const isMistypedOption = (error: unknown): error is Error =>
  error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS');

main(process.argv.slice(2)).catch((error: unknown) => {
  // What the operator can act on is a sentence; anything else is a bug and keeps its stack.
  const expected =
    error instanceof StartError || error instanceof AppError || isMistypedOption(error);
  process.stderr.write(
    `${expected ? error.message : error instanceof Error ? error.stack : error}\n`,
  );
  process.exitCode = 1;
});
