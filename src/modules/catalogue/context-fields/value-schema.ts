/**
 * The format of constraint values. It uses nothing of Node, so that the page can apply the same checks while
 * someone types.
 */

/** No blanks and no hexadecimal: only what every SDK reads as the same number. */
const numberText = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;

/** RFC 3339. ISO 8601 also allows leaving out the seconds, and the colon of the offset. */
const dateText =
  /^(\d{4}-\d\d-\d\d)T(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)$/i;

/** Semantic Versioning 2.0.0. Some SDKs accept a leading v, = or blank, others do not. */
const versionText =
  /^(\d+)\.(\d+)\.(\d+)(?:-(?:0|[1-9]\d*|\d*[a-z-][\da-z-]*)(?:\.(?:0|[1-9]\d*|\d*[a-z-][\da-z-]*))*)?(?:\+[\da-z-]+(?:\.[\da-z-]+)*)?$/i;

const maxVersionLength = 256;

export const maxPatternLength = 1000;

export const isNumberText = (text: string): boolean =>
  numberText.test(text) && Number.isFinite(Number(text));

/** `Date` reads February 30 as March 1. */
function dayExists(day: string): boolean {
  const start = Date.parse(`${day}T00:00:00Z`);
  return !Number.isNaN(start) && new Date(start).toISOString().startsWith(day);
}

export function isDateText(text: string): boolean {
  const day = dateText.exec(text)?.[1];
  return day !== undefined && dayExists(day) && !Number.isNaN(Date.parse(text));
}

export function isVersionText(text: string): boolean {
  const numbers = text.length > maxVersionLength ? undefined : versionText.exec(text)?.slice(1, 4);
  return (
    numbers?.every(
      (digits) => String(Number(digits)) === digits && Number.isSafeInteger(Number(digits)),
    ) ?? false
  );
}

const isIpv4 = (text: string): boolean =>
  /^(?:\d{1,3}\.){3}\d{1,3}$/.test(text) &&
  text.split('.').every((part) => Number(part) <= 255 && String(Number(part)) === part);

/** The parser of addresses knows the short forms. */
const isIpv6 = (text: string): boolean =>
  /^[\da-f:.]+$/i.test(text) && URL.canParse(`http://[${text}]`);

/** A zone (`%eth0`) means nothing to another machine. SDKs trim the items of a list. */
export function isNetworkText(text: string): boolean {
  const [, address = '', prefix] = /^([^/%]+)(?:\/(\d{1,3}))?$/.exec(text.trim()) ?? [];
  const length = Number(prefix ?? 0);
  return (isIpv4(address) && length <= 32) || (isIpv6(address) && length <= 128);
}
