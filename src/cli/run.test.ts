import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { commandLine } from '../../test/support/command-line.ts';
import { version } from '../platform/version.ts';
import { commands } from './commands.ts';
import { Interrupted } from './interruptible.ts';

/** Runs a command line. Returns its output, its exit code, and the commands that ran. */
async function type(...args: string[]) {
  const done: string[] = [];
  for (const [name, { load }] of Object.entries(commands)) {
    const run = vi.spyOn(await load(), 'run').mockImplementation(async (values, operand) => {
      done.push(`${name} ${JSON.stringify(values)} ${operand ?? ''}`.trim());
    });
    onTestFinished(() => run.mockRestore());
  }
  const { stdout: out, stderr: err, code } = await commandLine(args);
  return { out, err, code, done };
}

const names = Object.keys(commands);

test('an interrupted command exits at once, even if its work continues', async () => {
  const entry = commands.version;
  if (!entry) throw new Error('There is no such command');
  const run = vi.spyOn(await entry.load(), 'run').mockImplementation(async () => {
    throw new Interrupted('SIGTERM');
  });
  const exit = vi.spyOn(process, 'exit').mockImplementation((() => undefined) as never);
  onTestFinished(() => {
    run.mockRestore();
    exit.mockRestore();
  });
  expect(await commandLine(['version'])).toMatchObject({
    ...{ code: 1, stderr: 'Interrupted by SIGTERM.\n' },
  });
  expect(exit).toHaveBeenCalledOnce();
});

describe('a request for help prints it and runs nothing', () => {
  test.each(names)('with burgee %s --help, -h, and help before it', async (name) => {
    const words = name.split(' ');
    for (const line of [
      [...words, '--help'],
      [...words, '-h'],
      ['help', ...words],
      ['--help', ...words],
      [...words, '--nonsense', '-h', 'more'],
    ]) {
      const { out, err, code, done } = await type(...line);
      expect([err, code, done]).toEqual(['', 0, []]);
      expect(out).toContain(line[0] === '--help' ? 'burgee serve' : `burgee ${name}`);
    }
  });

  test.each([[], ['help'], ['--help'], ['-h']])('burgee %s lists all commands', async (...line) => {
    const { out, code, done } = await type(...line);
    expect([code, done]).toEqual([0, []]);
    for (const name of names) expect(out).toContain(`burgee ${name} `);
  });

  test('for a group lists its commands', async () => {
    for (const line of [
      ['token', '--help'],
      ['help', 'token'],
      ['token', '-h'],
    ]) {
      const { out, code } = await type(...line);
      expect([code, out]).toEqual([0, expect.stringContaining('burgee token revoke')]);
      expect(out).not.toContain('burgee serve');
    }
    expect(await type('token')).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringContaining('burgee token create'),
    });
  });
});

test.each([['--version'], ['-v'], ['serve', '--version'], ['key', 'reseal', '--version']])(
  'burgee %s %s prints the version',
  async (...line) => {
    const { done, code, err } = await type(...line);
    expect([done, code, err]).toEqual([['version {}'], 0, '']);
  },
);

test('burgee version prints the version of the package', async () => {
  expect(await commandLine(['version'])).toMatchObject({ code: 0, output: `burgee ${version}\n` });
});

describe('invalid arguments are rejected and nothing runs', () => {
  const withoutOperand = names.filter(
    (name) =>
      ![
        ...['openapi', 'token revoke', 'user reset', 'backup', 'backup check', 'restore'],
        ...['import', 'export'],
      ].includes(name),
  );

  test.each(withoutOperand)('for burgee %s with an extra argument', async (name) => {
    const { done, err, code } = await type(...name.split(' '), 'hunter2');
    expect(done).toEqual([]);
    // For these two, exit code 1 has another meaning.
    expect(code).toBe(name === 'debt' ? 2 : name === 'verify' ? 3 : 1);
    expect(err).toMatch(/expects no arguments except options, got 1\./);
    expect(err).toContain(`burgee ${name}`);
    expect(err).not.toContain('hunter2');
  });

  test.each([
    [['openapi', 'a', 'b'], 'expects one argument (FILE), got 2.'],
    [['user', 'reset'], 'Missing argument: NAME'],
    [['token', 'create'], 'Missing required option: --name'],
    [['token', 'create', '--name', ''], '--name is empty'],
    [
      ['token', 'create', '--name', 'x', '--type', 'root'],
      'must be one of admin, client, frontend',
    ],
    [['token', 'revoke', '--id', '0'], '--id must be a whole number from 1 to 2147483647'],
    [['forget'], 'Missing required option: --creator-id'],
    [['forget', '--creator-id', 'ada'], '--creator-id must be a whole number'],
    [['serve', '--port', '80'], "Unknown option '--port'.\n\nburgee serve\n"],
    [['sevre'], 'Unknown command: sevre'],
    [['toString'], 'Unknown command: toString'],
    [['token', 'destroy'], 'Unknown command: token destroy'],
  ])('for %j', async (line, words) => {
    const { done, err, code } = await type(...line);
    expect([done, code, err]).toEqual([[], 1, expect.stringContaining(words)]);
  });
});

test('options, negative numbers and arguments reach the command', async () => {
  expect((await type('forget', '--creator-id', '-3')).done).toEqual([
    'forget {"creator-id":-3,"yes":false}',
  ]);
  expect((await type('key', 'rotate', '--to-database')).done).toEqual([
    'key rotate {"to-database":true}',
  ]);
  expect((await type('user', 'reset', 'ada')).done).toEqual(['user reset {} ada']);
  expect((await type('user', 'reset', '--', '--help')).done).toEqual(['user reset {} --help']);
});
