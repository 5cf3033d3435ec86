import { isOutage, loggableError } from '../platform/db/outage.ts';
import { AppError } from '../platform/errors.ts';
import { StartError } from '../platform/start-error.ts';
import { type Command, helpOf, parsed, usageOf } from './command.ts';
import { findCommand, listCommands } from './commands.ts';
import { Interrupted } from './interruptible.ts';
import { printableLines } from './printable.ts';

/** Lists the commands and their descriptions in columns. */
function overview(group?: string): string {
  const rows = listCommands(group);
  const width = Math.max(...rows.map(([name]) => name.length));
  const lines = rows.map(([name, does]) => `  burgee ${name.padEnd(width)}  ${does}`);
  return `${lines.join('\n')}\n\nRun 'burgee COMMAND --help' for details.\n`;
}

const generalHelp = () => `Burgee – feature flag server\n\n${overview()}`;

/** Prints a sentence for an error that the operator can fix. Any other error is a bug and is printed with its stack. */
function complain(error: unknown): void {
  const expected = error instanceof StartError || error instanceof AppError;
  const text = expected
    ? error.message
    : isOutage(error)
      ? `The database is unavailable: ${loggableError(error).reason}.`
      : error instanceof Error
        ? error.stack
        : error;
  process.stderr.write(`${printableLines(String(text))}\n`);
}

/** Ends the command with an error. */
function fail(error: unknown, code = 1): void {
  complain(error);
  process.exitCode = code;
  // Work that was abandoned would keep the process alive, and go on.
  if (error instanceof Interrupted) process.exit();
}

/** Handles words that name no command: prints the requested help, or an error. */
function answerWithoutCommand(words: readonly string[], asksForHelp: boolean): void {
  const [first] = words;
  const isGroup = first !== undefined && listCommands(first).length > 0;
  const isKnown = first === undefined || (isGroup && words.length === 1);
  const text = isGroup ? overview(first) : generalHelp();
  if (isKnown && (asksForHelp || first === undefined)) {
    process.stdout.write(text);
    return;
  }
  // Does not repeat words after an unknown one, because they may be secrets.
  const unknown = isGroup ? words.slice(0, 2).join(' ') : first;
  process.stderr.write(isKnown ? text : `Unknown command: ${unknown}\n\n${text}`);
  process.exitCode = 1;
}

function understood(name: string, found: Command, args: readonly string[]) {
  try {
    return parsed(name, found, args);
  } catch (error) {
    complain(error);
    process.stderr.write(`\n${usageOf(name, found)}\n\nRun 'burgee ${name} --help' for details.\n`);
    process.exitCode = found.failureCode ?? 1;
    return undefined;
  }
}

/** Runs the command line. A help or version option anywhere in it takes precedence over the command. */
async function obey(args: readonly string[]): Promise<void> {
  const end = args.indexOf('--');
  const beforeEnd = end < 0 ? args : args.slice(0, end);
  const asksForHelp =
    args[0] === 'help' || beforeEnd.some((arg) => arg === '--help' || arg === '-h');
  const typed = args[0] === 'help' ? args.slice(1) : args;
  const firstOption = typed.findIndex((arg) => arg.startsWith('-'));
  const words = firstOption < 0 ? typed : typed.slice(0, firstOption);
  const asksForVersion = !asksForHelp && (beforeEnd.includes('--version') || args[0] === '-v');

  const entry = findCommand(asksForVersion ? ['version'] : words);
  if (!entry) return answerWithoutCommand(words, asksForHelp);
  const { name, does, load } = entry;
  const found = await load();
  if (asksForHelp) {
    process.stdout.write(helpOf(name, does, found));
    return;
  }
  const own = asksForVersion ? [] : typed.slice(name.split(' ').length);
  const input = understood(name, found, own);
  if (!input) return;
  try {
    await found.run(input.values, input.operand);
  } catch (error) {
    fail(error, found.failureCode);
  }
}

/** Runs a command and sets the exit code of the process. */
export async function runCommandLine(args: readonly string[]): Promise<void> {
  try {
    await obey(args);
  } catch (error) {
    fail(error);
  }
}
