/** A key, or each item of a list. */
type Step = { readonly key: string } | 'each';

const step = /\s*(?:"((?:[^"\\]|\\.)+)"|([^\s."[\]]+)|\[(\*?)\])\s*/y;

/**
 * Parses paths such as `groups`, `realm_access.roles`, `teams[*].name`, or `"https://example.com/groups"` for a key
 * with dots: the part of JMESPath that finds names of groups. Undefined if it is no path.
 */
export function parseClaimPath(text: string): readonly Step[] | undefined {
  const steps: Step[] = [];
  let at = 0;
  while (at < text.length) {
    step.lastIndex = at;
    const found = step.exec(text);
    if (!found) return undefined;
    const [whole, quoted, plain, each] = found;
    const key = quoted?.replace(/\\(.)/g, '$1') ?? plain;
    if (each !== undefined && steps.length === 0) return undefined;
    steps.push(key === undefined ? 'each' : { key });
    at += whole.length;
    if (text[at] === '.') {
      at += 1;
      if (at === text.length) return undefined;
    } else if (at < text.length && text[at] !== '[') {
      return undefined;
    }
  }
  return steps.length > 0 ? steps : undefined;
}

const childOf = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? (value as Record<string, unknown>)[key]
    : undefined;

function follow(value: unknown, [next, ...rest]: readonly Step[]): unknown {
  if (next === undefined || value === undefined) return value;
  if (next !== 'each') return follow(childOf(value, next.key), rest);
  return Array.isArray(value) ? value.flatMap((each) => follow(each, rest) ?? []) : undefined;
}

/** More groups than anyone is in. The rest is ignored. */
const maxNames = 5000;

/** The names at a path. Undefined if the claims have nothing there. */
export function namesAt(claims: object, path: string): string[] | undefined {
  // A key may contain dots although no one quoted it.
  const literal = childOf(claims, path);
  const found = literal ?? follow(claims, parseClaimPath(path) ?? [{ key: path }]);
  if (found === undefined || found === null) return undefined;
  const names = Array.isArray(found) ? found : [found];
  return names.filter((name) => typeof name === 'string' && name !== '').slice(0, maxNames);
}
