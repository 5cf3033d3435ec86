/**
 * The one-time cost of a Unicode class (`\pL`), however often it is repeated: 0.2 to 0.5 ms, the same as 50
 * instructions.
 */
const unicodeClass = 50;
/** If case is ignored, the letters of a range are folded one by one: this many take the time of one instruction. */
const foldedAtOnce = 100;

interface Group {
  /** The number of instructions so far. */
  size: number;
  /** The instructions of the last atom, which a following repetition multiplies. */
  last: number;
}

const braces = /\{(\d+)(,(\d*))?\}/y;
const groupHead = /\?(?:P?<[^>]*>|[a-zA-Z-]*:?)/y;
const hexadecimal = /^x(?:\{([0-9a-fA-F]+)\}|([0-9a-fA-F]{2}))/;
const unicodeName = /^[pP](?:\{[^}]*\}|.)/u;

/** Returns the character of an escape, its length, and whether it is a Unicode class. */
function escapeAt(text: string, at: number) {
  const rest = text.slice(at + 1, at + 40);
  const named = unicodeName.exec(rest);
  if (named) return { length: 1 + named[0].length, isUnicode: true, code: 0 };
  const hex = hexadecimal.exec(rest);
  if (!hex) return { length: 2, isUnicode: false, code: 0 };
  const code = Number.parseInt(hex[1] ?? hex[2] ?? '0', 16);
  return { length: 1 + hex[0].length, isUnicode: false, code };
}

/** Returns the end of a class (`[a-z]`), and its cost beyond one instruction. */
function classAt(text: string, begin: number): { readonly end: number; readonly extra: number } {
  let extra = 0;
  let at = begin + 1;
  if (text[at] === '^') at += 1;
  let before = 0;
  let isRange = false;
  for (let isFirst = true; at < text.length; isFirst = false) {
    const char = text[at] as string;
    if (char === ']' && !isFirst) return { end: at + 1, extra };
    if (char === '[' && text[at + 1] === ':') {
      const end = text.indexOf(':]', at);
      if (end !== -1) {
        at = end + 2;
        continue;
      }
    }
    if (char === '-' && !isFirst && !isRange) {
      isRange = true;
      at += 1;
      continue;
    }
    let code = text.codePointAt(at) ?? 0;
    let length = code > 0xffff ? 2 : 1;
    if (char === '\\') {
      const escaped = escapeAt(text, at);
      if (escaped.isUnicode) extra += unicodeClass;
      ({ code, length } = escaped);
    }
    if (isRange) extra += Math.max(0, Math.floor((code - before) / foldedAtOnce));
    isRange = false;
    before = code;
    at += length;
  }
  return { end: text.length, extra };
}

/**
 * Returns an upper bound of the compiled size of an expression, in instructions, without compiling it: 1,000 characters
 * that repeat `((a{9}){9}){9}` fifty times would take a second. The cost of matching grows with the size.
 */
export function expressionSize(expression: string): number {
  const groups: Group[] = [];
  let group: Group = { size: 0, last: 0 };
  let extra = 0;
  const add = (size: number) => {
    group.size += size;
    group.last = size;
  };
  const repeat = (times: number, optional: number) => {
    // Each optional repetition needs one instruction to skip it.
    const size = Math.max(1, group.last * times + optional);
    group.size += size - group.last;
    group.last = size;
  };
  let at = 0;
  while (at < expression.length) {
    const char = expression[at] as string;
    braces.lastIndex = at;
    const repetition = char === '{' ? braces.exec(expression) : null;
    if (repetition) {
      const [whole, least, isOpen, most] = repetition;
      const times =
        isOpen && !most ? Number(least) + 1 : Math.max(Number(least), Number(most ?? 0));
      repeat(times, 1 + times - Number(least));
      at += whole.length;
    } else if (char === '\\' && expression[at + 1] === 'Q') {
      const end = expression.indexOf('\\E', at);
      const quoted = (end === -1 ? expression.length : end) - at - 2;
      group.size += quoted;
      group.last = 1;
      at = end === -1 ? expression.length : end + 2;
    } else if (char === '\\') {
      const { length, isUnicode } = escapeAt(expression, at);
      if (isUnicode) extra += unicodeClass;
      add(1);
      at += length;
    } else if (char === '[') {
      const found = classAt(expression, at);
      extra += found.extra;
      add(1);
      at = found.end;
    } else if (char === '(') {
      groups.push(group);
      group = { size: 0, last: 0 };
      groupHead.lastIndex = at + 1;
      at += 1 + (groupHead.exec(expression)?.[0].length ?? 0);
    } else if (char === ')') {
      const { size } = group;
      group = groups.pop() ?? { size: 0, last: 0 };
      add(size + 2);
      at += 1;
    } else if (char === '*' || char === '+' || char === '?') {
      // One instruction to skip it and one to repeat it. An atom that may be empty, such as `^*`, needs both.
      group.size += 2;
      group.last += 2;
      at += 1;
    } else if (char === '|') {
      group.size += 1;
      group.last = 0;
      at += 1;
    } else {
      add(1);
      at += (expression.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
    }
  }
  // Every program has two more, at its beginning and end. Unclosed groups count too: the compiler reports them.
  return groups.reduce((sum, { size }) => sum + size, group.size) + extra + 2;
}
