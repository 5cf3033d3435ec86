import { shownPath, withoutSecrets } from '../../../platform/http/shown-path.ts';
import { unprintable } from '../../../platform/unprintable.ts';

/** What the log says about a violation. Everything in it came from outside. */
export interface Violation {
  readonly directive: string;
  /** The host of what was blocked, its scheme, or a word such as `inline`. */
  readonly blocked: string;
  readonly page: string;
  readonly source?: string;
}

const maxLength = 200;
/** Browsers collect reports for a minute. */
const maxReports = 20;

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const cut = (text: string): string =>
  withoutSecrets(text.replace(unprintable, '')).slice(0, maxLength);

/** Not `String()`, which throws for some objects. */
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

const readUrl = (text: unknown): URL | undefined =>
  typeof text === 'string' && URL.canParse(text) ? new URL(text) : undefined;

/** Without query and fragment, which may contain the secret of a link. */
const pathOf = (url: URL): string => cut(shownPath({ url: url.pathname }));

function blockedIn(text: unknown): string {
  const url = readUrl(text);
  if (url === undefined) return /^[\w-]{1,40}$/.exec(textOf(text))?.[0] ?? 'unknown';
  return cut(url.host || url.protocol.replace(/:$/, ''));
}

interface Reported {
  readonly directive: unknown;
  readonly blocked: unknown;
  readonly page: unknown;
  readonly source: unknown;
  readonly line: unknown;
}

function readViolation({ directive, blocked, page, source, line }: Reported): Violation[] {
  // Older browsers repeat the whole directive with its values.
  const name = /^[a-z-]{1,40}(?= |$)/.exec(textOf(directive))?.[0];
  const document = readUrl(page);
  if (name === undefined || document === undefined) return [];
  const file = readUrl(source);
  const place = typeof line === 'number' && Number.isSafeInteger(line) ? `:${line}` : '';
  return [
    {
      directive: name,
      blocked: blockedIn(blocked),
      page: pathOf(document),
      ...(file && { source: `${cut(file.host)}${pathOf(file)}${place}` }),
    },
  ];
}

const fromLevel2 = (report: Readonly<Record<string, unknown>>): Violation[] =>
  readViolation({
    directive: report['effective-directive'] ?? report['violated-directive'],
    blocked: report['blocked-uri'],
    page: report['document-uri'],
    source: report['source-file'],
    line: report['line-number'],
  });

const fromReportingApi = (body: Readonly<Record<string, unknown>>): Violation[] =>
  readViolation({
    directive: body.effectiveDirective,
    blocked: body.blockedURL,
    page: body.documentURL,
    source: body.sourceFile,
    line: body.lineNumber,
  });

/** Reads both formats of reports. Whatever is neither is left out. */
export function readViolations(body: unknown): Violation[] {
  if (isObject(body)) {
    const report = body['csp-report'];
    return isObject(report) ? fromLevel2(report) : [];
  }
  if (!Array.isArray(body)) return [];
  return body
    .slice(0, maxReports)
    .flatMap((report) =>
      isObject(report) && report.type === 'csp-violation' && isObject(report.body)
        ? fromReportingApi(report.body)
        : [],
    );
}
