import { type Report, sentenceOf } from './report.ts';

/** Characters that XML 1.0 cannot contain, even escaped. */
const impossible =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/** Escapes text for an attribute. Line breaks and tabs become references, because XML would turn them into spaces. */
const escaped = (text: string): string =>
  text
    .replace(impossible, '\ufffd')
    .replace(/[&<>"'\t\n\r]/g, (character) => `&#${character.charCodeAt(0)};`);

interface Case {
  readonly name: string;
  readonly failure: string | undefined;
  readonly details: readonly string[];
}

const caseOf = (className: string, { name, failure, details }: Case): string => {
  const attributes = `name="${escaped(name)}" classname="${escaped(className)}"`;
  if (failure === undefined) return `    <testcase ${attributes}/>\n`;
  const text = escaped(details.join('\n'));
  return `    <testcase ${attributes}>\n      <failure message="${escaped(failure)}">${text}</failure>\n    </testcase>\n`;
};

/**
 * Renders one test case for each limit, and one for each stale or potentially stale feature, which fails if a limit is
 * exceeded.
 */
export function junitOf({ project, limits, exceeded, features }: Report): string {
  const excess = (what: string) => exceeded.find((each) => each.what === what);
  const limitCases = (['maxStale', 'minHealth'] as const).flatMap((what) => {
    if (limits[what] === null) return [];
    const found = excess(what);
    const failure = found && sentenceOf(found);
    return [{ name: `${what} ${limits[what]}`, failure, details: failure ? [failure] : [] }];
  });
  const featureCases = features.map(({ feature, state, owner, reasons }) => ({
    name: feature,
    failure:
      exceeded.length === 0
        ? undefined
        : `${feature} is ${state === 'stale' ? 'stale' : 'potentially stale'}`,
    details: [
      ...(owner === null ? [] : [`Owner: ${owner}`]),
      ...reasons.map(({ detail }) => detail),
    ],
  }));
  const suite = `burgee debt ${project}`;
  const cases = [
    ...limitCases.map((each) => ({ ...each, className: `${suite} limits` })),
    ...featureCases.map((each) => ({ ...each, className: suite })),
  ];
  const failures = cases.filter(({ failure }) => failure !== undefined).length;
  const counts = `tests="${cases.length}" failures="${failures}" errors="0"`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>\n',
    `<testsuites name="burgee debt" ${counts}>\n`,
    `  <testsuite name="${escaped(suite)}" ${counts} skipped="0">\n`,
    ...cases.map(({ className, ...each }) => caseOf(className, each)),
    '  </testsuite>\n</testsuites>\n',
  ].join('');
}
