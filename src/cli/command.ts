import { parseArgs } from 'node:util';
import { StartError } from '../platform/start-error.ts';

/** An option of a command: what it takes is checked here, for all commands alike. */
interface Option {
  readonly type: 'text' | 'integer' | 'switch';
  /** What stands for its value in the usage. */
  readonly value?: string;
  readonly does: string;
  readonly required?: true;
  /** The only texts that it takes. */
  readonly oneOf?: readonly string[];
  readonly from?: number;
  readonly to?: number;
}

type Options = Readonly<Record<string, Option>>;

type ValueOf<O extends Option> = O extends { readonly type: 'switch' }
  ? boolean
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

/** A word that is no option. */
interface Operand {
  readonly name: string;
  readonly required?: true;
}

/** All that the command line has to know of a command: help, checks and refusals follow from it. */
export interface Command<O extends Options = Options> {
  readonly options?: O;
  readonly operand?: Operand;
  /** What the help says beyond the options. */
  readonly notes?: string;
  /** How the process ends when the command is not understood. */
  readonly misuseCode?: number;
  readonly run: (values: Values<O>, operand: string | undefined) => Promise<void>;
}

/** Keeps the types of the options for the function that gets them, and forgets them for everybody else. */
export const command = <const O extends Options>(value: Command<O>): Command =>
  value as unknown as Command;

const shown = (name: string, { type, value, oneOf }: Option): string =>
  type === 'switch' ? `--${name}` : `--${name} ${value ?? oneOf?.join('|') ?? 'N'}`;

/** The line that says how a command is called. */
export function usageOf(name: string, { options = {}, operand }: Command): string {
  const words = Object.entries(options).map(([option, each]) =>
    each.required ? shown(option, each) : `[${shown(option, each)}]`,
  );
  const last = operand ? [operand.required ? operand.name : `[${operand.name}]`] : [];
  return ['burgee', name, ...words, ...last].join(' ');
}

/** All that there is to say of a command. */
export function helpOf(name: string, does: string, value: Command): string {
  const rows = Object.entries(value.options ?? {}).map(
    ([option, each]) => [shown(option, each), each.does] as const,
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

/** An argument that begins with a minus looks like an option; ids of tokens do. */
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

/** What was typed, checked. Words that nothing takes are not repeated: one may be a secret. */
export function parsed(
  name: string,
  { options = {}, operand }: Command,
  args: readonly string[],
): { readonly values: Values<Options>; readonly operand: string | undefined } {
  const { values, positionals } = parseArgs({
    args: joined(args, options),
    allowPositionals: true,
    options: Object.fromEntries(
      Object.entries(options).map(([option, { type }]) => [
        option,
        { type: type === 'switch' ? ('boolean' as const) : ('string' as const) },
      ]),
    ),
  });
  const most = operand ? 1 : 0;
  if (positionals.length > most) {
    const takes = operand ? `one argument, ${operand.name}` : 'no arguments except options';
    throw new StartError(`burgee ${name} takes ${takes}; you gave ${positionals.length}.`);
  }
  if (operand?.required && positionals.length === 0) {
    throw new StartError(`${operand.name} is missing.`);
  }
  const checked: Record<string, string | number | boolean> = {};
  for (const [option, each] of Object.entries(options)) {
    const value = values[option];
    if (each.type === 'switch') checked[option] = value === true;
    else if (typeof value === 'string') checked[option] = checkedValue(option, each, value);
    else if (each.required) throw new StartError(`--${option} is missing.`);
  }
  return { values: checked as Values<Options>, operand: positionals[0] };
}
