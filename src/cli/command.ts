import { type ParseArgsConfig, parseArgs } from 'node:util';
import { StartError } from '../platform/start-error.ts';

/** An option of a command. Its value is validated here, for all commands. */
interface Option {
  readonly type: 'text' | 'texts' | 'integer' | 'switch';
  /** One letter that stands for its name. */
  readonly short?: string;
  /** The placeholder of its value in the usage line. */
  readonly value?: string;
  readonly does: string;
  readonly required?: true;
  /** The allowed values. */
  readonly oneOf?: readonly string[];
  readonly from?: number;
  readonly to?: number;
}

type Options = Readonly<Record<string, Option>>;

type ValueOf<O extends Option> = O extends { readonly type: 'switch' }
  ? boolean
  : O extends { readonly type: 'texts' }
    ? readonly string[]
    : O extends { readonly type: 'integer' }
      ? number
      : O extends { readonly oneOf: readonly (infer Text)[] }
        ? Text
        : string;

export type Values<O extends Options> = {
  readonly [Name in keyof O]:
    | ValueOf<O[Name]>
    | (O[Name] extends { readonly required: true } | { readonly type: 'switch' }
        ? never
        : undefined);
};

/** A positional argument. */
interface Operand {
  readonly name: string;
  readonly required?: true;
}

/** The definition of a command. Help, validation and error messages are derived from it. */
export interface Command<O extends Options = Options> {
  readonly options?: O;
  readonly operand?: Operand;
  /** Additional help text. */
  readonly notes?: string;
  /** The exit code if the command cannot do its work: invalid arguments, an unreadable file, no database. */
  readonly failureCode?: number;
  readonly run: (values: Values<O>, operand: string | undefined) => Promise<void>;
}

/** Infers the types of the options for `run`, and widens them for all other users. */
export const command = <const O extends Options>(value: Command<O>): Command =>
  value as unknown as Command;

const syntaxOf = (name: string, { type, value, oneOf }: Option): string =>
  type === 'switch' ? `--${name}` : `--${name} ${value ?? oneOf?.join('|') ?? 'N'}`;

/** With more options, the usage line would be unreadable. */
const maxListedOptions = 15;

/** Returns the usage line of a command. */
export function usageOf(name: string, { options = {}, operand }: Command): string {
  const all = Object.entries(options);
  const words =
    all.length > maxListedOptions
      ? ['[OPTIONS]']
      : all.map(([option, each]) =>
          each.required ? syntaxOf(option, each) : `[${syntaxOf(option, each)}]`,
        );
  const last = operand ? [operand.required ? operand.name : `[${operand.name}]`] : [];
  return ['burgee', name, ...words, ...last].join(' ');
}

/** Returns the full help text of a command. */
export function helpOf(name: string, does: string, value: Command): string {
  const rows = Object.entries(value.options ?? {}).map(
    ([option, each]) =>
      [`${each.short ? `-${each.short}, ` : ''}${syntaxOf(option, each)}`, each.does] as const,
  );
  rows.push(['-h, --help', 'print this help']);
  const width = Math.max(...rows.map(([left]) => left.length));
  return [
    usageOf(name, value),
    '',
    `${does[0]?.toUpperCase()}${does.slice(1)}.`,
    '',
    ...rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`),
    ...(value.notes === undefined ? [] : ['', value.notes]),
    '',
  ].join('\n');
}

/** Joins an option with a value that begins with a minus, as ids of tokens do: it would be parsed as an option. */
function joined(args: readonly string[], options: Options): string[] {
  const whole: string[] = [];
  for (const arg of args) {
    const before = whole.at(-1) ?? '';
    const takesNumber = options[before.slice(2)]?.type === 'integer' && before.startsWith('--');
    if (takesNumber && /^-\d/.test(arg)) whole.splice(-1, 1, `${before}=${arg}`);
    else whole.push(arg);
  }
  return whole;
}

function checkedValue(name: string, option: Option, text: string): string | number {
  const { type, oneOf, from = 0, to = Number.MAX_SAFE_INTEGER } = option;
  if (type === 'integer') {
    const value = /^-?\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
    if (value >= from && value <= to) return value;
    throw new StartError(`--${name} must be a whole number from ${from} to ${to}, not '${text}'`);
  }
  if (oneOf && !oneOf.includes(text)) {
    throw new StartError(`--${name} must be one of ${oneOf.join(', ')}, not '${text}'`);
  }
  if (text === '') throw new StartError(`--${name} is empty`);
  return text;
}

/** Parses the arguments. Only the first sentence of a complaint is for people: the second explains `--`. */
function understood<T extends ParseArgsConfig>(config: T) {
  try {
    return parseArgs(config);
  } catch (error) {
    const [sentence] = (error as Error).message.split('. ');
    throw new StartError(`${sentence}.`.replace(/\.\.$/, '.'));
  }
}

/** Parses and validates the arguments. Unexpected words are not repeated, because one may be a secret. */
export function parsed(
  name: string,
  { options = {}, operand }: Command,
  args: readonly string[],
): { readonly values: Values<Options>; readonly operand: string | undefined } {
  const { values, positionals } = understood({
    args: joined(args, options),
    allowPositionals: true,
    options: Object.fromEntries(
      Object.entries(options).map(([option, { type, short }]) => [
        option,
        {
          ...(short !== undefined && { short }),
          type: type === 'switch' ? ('boolean' as const) : ('string' as const),
          multiple: type === 'texts',
        },
      ]),
    ),
  });
  const most = operand ? 1 : 0;
  if (positionals.length > most) {
    const expected = operand ? `one argument (${operand.name})` : 'no arguments except options';
    throw new StartError(`burgee ${name} expects ${expected}, got ${positionals.length}.`);
  }
  if (operand?.required && positionals.length === 0) {
    throw new StartError(`Missing argument: ${operand.name}`);
  }
  const checked: Record<string, string | number | boolean | readonly string[]> = {};
  for (const [option, each] of Object.entries(options)) {
    const value = values[option];
    if (each.type === 'switch') checked[option] = value === true;
    else if (Array.isArray(value)) {
      checked[option] = value.map((text) => String(checkedValue(option, each, String(text))));
    } else if (typeof value === 'string') checked[option] = checkedValue(option, each, value);
    else if (each.required) throw new StartError(`Missing required option: --${option}`);
  }
  return { values: checked as Values<Options>, operand: positionals[0] };
}
