/** What the typed text asks to do with a feature. */
export interface Command {
  /** Without a verb, the text may be the name of anything. */
  readonly verb: 'Enable' | 'Disable' | undefined;
  readonly name: string;
  /** The beginning of the name of an environment. */
  readonly environment: string | undefined;
}

const verbs: Readonly<Record<string, Command['verb']>> = {
  enable: 'Enable',
  'turn on': 'Enable',
  disable: 'Disable',
  'turn off': 'Disable',
};

const pattern = new RegExp(
  `^(?:(?<verb>${Object.keys(verbs).join('|')})\\s+)?(?<name>\\S+)(?:\\s+in(?:\\s+(?<environment>\\S*))?)?$`,
  'i',
);

/** Reads "dark-mode", "enable dark-mode" or "disable dark-mode in prod"; undefined for other texts. */
export function commandOf(typed: string): Command | undefined {
  // People also type "switch" for "turn".
  const text = typed.trim().replace(/^switch(?=\s+o(?:n|ff)\b)/i, 'turn');
  const { verb, name, environment } = pattern.exec(text)?.groups ?? {};
  if (name === undefined) return undefined;
  // "enable in production" is about the feature whose page is open.
  if (environment !== undefined && verb === undefined && name.toLowerCase() in verbs) {
    return undefined;
  }
  return {
    verb: verb === undefined ? undefined : verbs[verb.toLowerCase()],
    name,
    environment: environment === '' ? undefined : environment?.toLowerCase(),
  };
}
